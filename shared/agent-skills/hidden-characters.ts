/** Zero-width and direction characters, and the tag characters that spell invisible ASCII. */
const hidden =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;
const joined =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Tamil}]$/u;

/** A character that no editor shows. */
export interface HiddenCharacter {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** As U+200B. */
  readonly character: string;
}

/** The first hidden character of each line, of the first lines that have one; joiners where scripts and emoji need them are none. */
export function hiddenCharacters(text: string, maxLines = 20): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  if (text.search(hidden) < 0) return found;
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  for (const [index, line] of lines.entries()) {
    if (found.length === maxLines) break;
    for (const { 0: character, index: at } of line.matchAll(hidden)) {
      const isJoiner = character === '\u200c' || character === '\u200d';
      if (isJoiner && joined.test(line.slice(Math.max(0, at - 2), at))) continue;
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
      found.push({ line: index + 1, column: at + 1, character: `U+${code}` });
      break;
    }
  }
  return found;
}
