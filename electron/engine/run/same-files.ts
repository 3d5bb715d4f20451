/** Whether two workspaces have the same files with the same content. */
export function isSameFiles(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [path, digest] of a) if (b.get(path) !== digest) return false;
  return true;
}
