/** Orders text by UTF-16 code units: the same on every machine, which a locale's collation is not. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}
