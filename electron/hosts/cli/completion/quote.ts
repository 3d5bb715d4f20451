/** A word that bash and zsh read as it is. */
export function shellQuoted(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A word that fish reads as it is; unlike the others it knows escapes between single quotes. */
export function fishQuoted(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : `'${text.replace(/[\\']/g, String.raw`\$&`)}'`;
}
