const charactersPerToken = 4;

/** Roughly how many tokens a text has: a word of prose takes one or two, and a character outside of ASCII about one. */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let others = 0;
  for (const character of text) {
    if (character.codePointAt(0)! < 128) ascii++;
    else others++;
  }
  return Math.ceil(ascii / charactersPerToken) + others;
}
