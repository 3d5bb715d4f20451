/** The workspace file that a relative path in another one names; undefined where it leads out of the workspace. */
export function resolvePath(from: string, path: string): string | undefined {
  const parts = from.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** How one workspace file is written as a path in another: it starts with "./" or "../". */
export function relativePath(from: string, to: string): string {
  const start = from.split('/').slice(0, -1);
  const end = to.split('/');
  let same = 0;
  while (same < start.length && same < end.length - 1 && start[same] === end[same]) same++;
  const up = start.slice(same).map(() => '..');
  return [...(up.length === 0 ? ['.'] : up), ...end.slice(same)].join('/');
}

/** The folder of a workspace file; empty for the top. */
export function folderOf(file: string): string {
  return file.split('/').slice(0, -1).join('/');
}

/** The name of a lens file without its ending, by which a lens can be called too. */
export function lensFileName(file: string): string {
  return (file.split('/').at(-1) ?? file).replace(/\.lens(\.yaml)?$/, '');
}
