/** What the user typed as a name of a lens, as the name of its file. */
export function fileOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return `lenses/${plain === '' ? 'new' : plain.slice(0, 80)}.lens`;
}
