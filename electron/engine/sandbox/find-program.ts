import { basename, dirname, isAbsolute, join } from 'node:path';
import { isTooWide, isWithin, realPath, unsafeProgram, type InterpreterSearch } from './interpreters.ts';

/** A program of the user's that may be started in the sandbox. */
export interface Program {
  /** The real file, never a link. */
  readonly path: string;
  /** What of the disk it needs to start, beyond /usr. */
  readonly binds: readonly string[];
}

/** Finds a program by its path, or by its name along the search path; undefined where there is none. Throws why it may not be used. */
export function findProgram(word: string, search: InterpreterSearch): Program | undefined {
  const places = isAbsolute(word)
    ? [word]
    : /^[^/\\\p{Cc}]+$/u.test(word)
      ? [...search.searchPath.split(':').filter(isAbsolute), '/usr/local/bin', '/usr/bin'].map((folder) =>
          join(folder, word),
        )
      : [];
  // The first one is what the user's own shell would start: another one behind it is not meant.
  const path = places.map(realPath).find((real) => real !== undefined);
  if (path === undefined) return undefined;
  const unsafe = unsafeProgram(path, search);
  if (unsafe !== undefined) throw new Error(unsafe);
  return { path, binds: isWithin(path, '/usr') ? [] : [prefixOf(path)] };
}

/** The package or the installation that a program belongs to; the file alone where its folder may hold anything. */
function prefixOf(path: string): string {
  const packed = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
  if (packed !== undefined) return packed;
  const prefix = dirname(dirname(path));
  return basename(dirname(path)) === 'bin' && !isTooWide(prefix) ? prefix : path;
}
