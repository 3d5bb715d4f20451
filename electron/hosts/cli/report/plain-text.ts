/** Text of a user's file as plain words for Markdown: nothing in it is markup, and nothing ends a table cell. */
export function plainText(words: string): string {
  return words.replace(/[\\`*_{}[\]<>|#]/g, String.raw`\$&`).replace(/\s+/g, ' ');
}
