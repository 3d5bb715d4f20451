/** Characters that change what a reader sees without being seen: bidi controls, zero-width and control characters. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\u2028\u2029\u115F\u1160\u3164\uFFA0\u{E0100}-\u{E01EF}]/gu;

/** A text in which nothing hides: characters that would not be seen are spelled out. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(hidden, spelled);
}

/** How many characters of a text cannot be seen. */
export function hiddenCount(text: string): number {
  return text.replaceAll('\r\n', '\n').match(hidden)?.length ?? 0;
}

function spelled(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
