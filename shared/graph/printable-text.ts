/** Replaces control characters, lone surrogates and non-characters: no export format can hold them, even escaped. */
export function printableText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, '\uFFFD');
}
