import { describe, expect, it } from 'vitest';
import { hiddenCount, visibleText } from './visible-text.ts';

describe('visibleText()', () => {
  it('spells out characters that reorder or hide text', () => {
    const text = 'if\u202E admin\u2066\u200B\u001B[2K\uFEFF';
    expect([visibleText(text), hiddenCount(text)]).toEqual([
      'if⟨U+202E⟩ admin⟨U+2066⟩⟨U+200B⟩⟨U+001B⟩[2K⟨U+FEFF⟩',
      5,
    ]);
  });

  it('leaves ordinary text, tabs and line ends of either kind alone', () => {
    const text = 'größe\t= 你好 🌊\r\nend\n';
    expect([visibleText(text), hiddenCount(text)]).toEqual(['größe\t= 你好 🌊\nend\n', 0]);
  });

  it('shows a carriage return that is no line end', () => {
    expect(visibleText('harmless\rrm -rf /')).toBe('harmless⟨U+000D⟩rm -rf /');
  });
});
