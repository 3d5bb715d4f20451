import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** What the built page consists of; a file of any other kind is not served. */
const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

/** Where the build puts the page itself below its root. */
export const pageEntry = '/renderer/index.html';

export interface StaticPath {
  /** Parts of the path below the root; those of the page itself for `/`. */
  readonly parts: readonly string[];
  readonly contentType: string;
  /** Whether the name holds a content hash, so that its bytes never change. */
  readonly isImmutable: boolean;
}

/**
 * Turns the raw path of a URL, still percent-encoded and without query, into a place below a root.
 * Undefined for a path that a careless file system call could take outside it, or to a file that is no part of a page.
 */
export function resolveStaticPath(rawPath: string): StaticPath | undefined {
  const path = rawPath === '/' ? pageEntry : decodeOnce(rawPath);
  if (!path?.startsWith('/')) return undefined;
  const parts = path.slice(1).split('/');
  if (!parts.every(isPlainName)) return undefined;
  const contentType = contentTypes[extname(path)];
  return contentType ? { parts, contentType, isImmutable: parts[0] === 'assets' } : undefined;
}

export interface StaticFile extends StaticPath {
  readonly body: Buffer;
}

/** Reads the file that a raw URL path names, or undefined; a symbolic link that leads outside the root counts as absent. */
export async function readStaticFile(root: string, rawPath: string): Promise<StaticFile | undefined> {
  const path = resolveStaticPath(rawPath);
  if (!path) return undefined;
  try {
    const realRoot = await realpath(root);
    const file = await realpath(join(realRoot, ...path.parts));
    if (!file.startsWith(realRoot + sep)) return undefined;
    return { ...path, body: await readFile(file) };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'].includes(String(codeOf(error))))
      return undefined;
    throw error;
  }
}

/** Refuses dot names too: the page has none, and `..`, `.git` and `.env` are all one of them. */
function isPlainName(part: string): boolean {
  return /^[\w@~-][\w@~.+-]*$/.test(part);
}

function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // Broken percent-encoding names no file.
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
