import type * as Monaco from 'monaco-editor/editor';
import { themeFromTokens } from './monaco-theme.ts';

export type { Monaco };

/** Fetches the code editor when it is first needed: it is the largest part of the page. */
export async function loadMonaco(): Promise<typeof Monaco> {
  const [{ monaco }] = await Promise.all([
    import('./monaco-setup.ts'),
    // Monaco measures letters once, so a font that comes later would misplace the cursor.
    document.fonts.load('13px "JetBrains Mono Variable"'),
  ]);
  restyle(monaco);
  return monaco;
}

/** Options that every editor shares. */
export const editorOptions: Monaco.editor.IEditorOptions = {
  fontFamily: "'JetBrains Mono Variable', monospace",
  fontSize: 12.5,
  lineHeight: 20,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  bracketPairColorization: { enabled: false },
  hideCursorInOverviewRuler: true,
  renderLineHighlight: 'line',
  overviewRulerBorder: false,
  padding: { top: 12, bottom: 12 },
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
  fixedOverflowWidgets: true,
  // In a shadow tree the menu finds none of the theme's colours and lets the text shine through.
  useShadowDOM: false,
  unicodeHighlight: { ambiguousCharacters: false },
  colorDecorators: false,
  // Nobody provides these for any language here, and each would look for them after every letter.
  codeLens: false,
  inlayHints: { enabled: 'off' },
  inlineSuggest: { enabled: false },
  parameterHints: { enabled: false },
  // While somebody types, the word changes with every letter.
  occurrencesHighlightDelay: 250,
};

/** Takes over the page's colours as they are now. */
export function restyle(monaco: typeof Monaco): void {
  monaco.editor.defineTheme('sunwell', themeFromTokens());
  monaco.editor.setTheme('sunwell');
}
