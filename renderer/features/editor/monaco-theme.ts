import type * as Monaco from 'monaco-editor/editor';

/** The editor's theme made from the page's own colours, so that both always agree. */
export function themeFromTokens(): Monaco.editor.IStandaloneThemeData {
  const color = tokenReader();
  const isDark = luminance(color('--bg')) < 0.5;
  const hasContrast =
    getComputedStyle(document.body).getPropertyValue('--contrast').trim() === 'on' ||
    window.matchMedia('(forced-colors: active)').matches;
  const rule = (token: string, name: string): Monaco.editor.ITokenThemeRule => ({
    token,
    foreground: color(name).slice(1),
  });
  return {
    base: hasContrast ? (isDark ? 'hc-black' : 'hc-light') : isDark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('', '--ink'),
      rule('type', '--live'),
      rule('key', '--live'),
      rule('string', '--skip'),
      rule('string.yaml', '--skip'),
      rule('variable', '--skip'),
      rule('number', '--rejudge'),
      rule('keyword', '--accent'),
      rule('comment', '--ink3'),
      rule('operators', '--ink2'),
      rule('delimiter', '--ink2'),
    ],
    colors: {
      'editor.background': color('--panel'),
      'editor.foreground': color('--ink'),
      'editorLineNumber.foreground': color('--ink3'),
      'editorLineNumber.dimmedForeground': color('--ink3'),
      'editorLineNumber.activeForeground': color('--ink'),
      'editorCursor.foreground': color('--accent'),
      'editor.lineHighlightBackground': color('--hover'),
      'editor.lineHighlightBorder': color('--hover'),
      'editor.selectionBackground': `${color('--focus')}40`,
      ...(hasContrast ? { 'editor.selectionForeground': color('--ink') } : {}),
      'editor.wordHighlightBackground': `${color('--focus')}1f`,
      'editor.wordHighlightTextBackground': `${color('--focus')}1f`,
      'editor.wordHighlightStrongBackground': `${color('--focus')}2e`,
      'editor.selectionHighlightBackground': `${color('--focus')}1f`,
      'scrollbarSlider.background': `${color('--ink3')}40`,
      'scrollbarSlider.hoverBackground': `${color('--ink3')}66`,
      'scrollbarSlider.activeBackground': `${color('--ink3')}80`,
      'editorIndentGuide.background1': color('--line'),
      'editorWidget.background': color('--raised'),
      'editorWidget.border': color('--line2'),
      'editorSuggestWidget.selectedBackground': color('--accent-soft'),
      'editorSuggestWidget.selectedForeground': color('--ink'),
      'editorSuggestWidget.selectedIconForeground': color('--ink'),
      'editorSuggestWidget.highlightForeground': color('--accent'),
      'editorSuggestWidget.focusHighlightForeground': color('--accent'),
      'menu.background': color('--raised'),
      'menu.foreground': color('--ink'),
      'menu.border': color('--line2'),
      'menu.separatorBackground': color('--line'),
      'menu.selectionBackground': color('--accent-soft'),
      'menu.selectionForeground': color('--ink'),
      'quickInputList.focusBackground': color('--accent-soft'),
      'quickInputList.focusForeground': color('--ink'),
      'quickInputList.focusIconForeground': color('--ink'),
      'list.highlightForeground': color('--accent'),
      'list.focusHighlightForeground': color('--accent'),
      'editorGutter.background': color('--panel'),
      'editorError.foreground': color('--fail'),
      'editorWarning.foreground': color('--run'),
      'editorInfo.foreground': color('--live'),
      'editorLightBulb.foreground': color('--accent'),
      'input.background': color('--panel'),
      'diffEditor.insertedLineBackground': color('--add'),
      'diffEditor.removedLineBackground': color('--del'),
      'diffEditor.insertedTextBackground': `${color('--ok')}33`,
      'diffEditor.removedTextBackground': `${color('--fail')}33`,
      focusBorder: color('--focus'),
    },
  };
}

/** Reads custom properties as #rrggbb: their own text may be `light-dark(…)`, which Monaco cannot read. */
function tokenReader(): (name: string) => string {
  const probe = document.body.appendChild(document.createElement('span'));
  const style = getComputedStyle(probe);
  queueMicrotask(() => probe.remove());
  return (name) => {
    probe.style.color = `var(${name})`;
    const [r = 0, g = 0, b = 0] = (style.color.match(/[\d.]+/g) ?? []).map(Number);
    return `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
  };
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
