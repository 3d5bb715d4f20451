import { relative, sep } from 'node:path';

/** How a file is shown to people: from the working directory where it is below it, else whole. */
export function shownPath(workingDirectory: string, path: string): string {
  const below = relative(workingDirectory, path);
  return below.startsWith('..') ? path : below.split(sep).join('/');
}
