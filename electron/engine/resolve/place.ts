import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** A folder that a definition may read files from, and the label its files carry in ids and diagnostics. */
export interface Place {
  readonly root: string;
  /** What stands before a file's path below the root: empty for the workspace, `sunwell/common`, `fount://pkg@1.2.0`. */
  readonly label: string;
}

/** A file of a place; `file` is how people and ids name it. */
export interface SourceFile {
  readonly path: string;
  readonly file: string;
  readonly place: Place;
}

export function sourceFile(place: Place, path: string): SourceFile {
  const below = relative(place.root, path).split(sep).join('/');
  return { path, file: place.label === '' ? below : `${place.label}/${below}`, place };
}

/**
 * The file that a relative path in `from` names. A path may lead out of the workspace into a neighbour folder, which is
 * then a place of its own: what lies there is named relative to the workspace and may not lead further out.
 */
export function neighbour(from: SourceFile, relativePath: string): SourceFile {
  const path = resolve(dirname(from.path), relativePath);
  if (isInside(from.place.root, path)) return sourceFile(from.place, path);
  const folder = dirname(path);
  const label = [from.place.label, relative(from.place.root, folder).split(sep).join('/')].filter(
    (part) => part !== '',
  );
  return sourceFile({ root: folder, label: label.join('/') }, path);
}

/** How a file is written as a library in a reference from another file. */
export function relativeReference(from: SourceFile, to: SourceFile): string {
  const path = relative(dirname(from.path), to.path).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** The file that a path names, or undefined where it leaves the place of `from`; `before` hears which paths are followed. */
export function placeInside(
  from: SourceFile,
  relativePath: string,
  before: (path: string) => void,
): SourceFile | undefined {
  if (isAbsolute(relativePath) || relativePath.includes('\0')) return undefined;
  const path = resolve(dirname(from.path), relativePath);
  if (!isInside(from.place.root, path)) return undefined;
  before(from.place.root);
  before(path);
  return isInside(realOrSelf(from.place.root), realOrSelf(path)) ? sourceFile(from.place, path) : undefined;
}

function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** A path that does not exist is its own real path; whoever reads it then says that it is missing. */
function realOrSelf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return join(path);
  }
}
