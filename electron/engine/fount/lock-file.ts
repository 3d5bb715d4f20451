import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { LineCounter, isMap, parseDocument, stringify, type Document, type Scalar } from 'yaml';
import type { z } from 'zod';
import { StudioError } from '#shared/errors.ts';
import { parseLibraryReference } from '#shared/lens/reference.ts';
import { LockFile, lockVersion } from '#shared/model/lock.ts';
import { writeFile } from '../store/write-file.ts';

/** The content of a `sunwell.lock`; founts are keyed by `fount://package@range`. */
export type Lock = z.infer<typeof LockFile>;

export const lockFileName = 'sunwell.lock';

const maxBytes = 1024 * 1024;
const header = `# Written by Sunwell Studio: commit it, do not edit it. "sunwell fount update" changes it.\n`;

/** Reads the lock beside the lenses; one that is not there is empty, one that is damaged stops with its line. */
export async function readLock(folder: string): Promise<Lock> {
  const file = join(folder, lockFileName);
  let text: string;
  try {
    if ((await stat(file)).size > maxBytes) throw corrupt(file, 1, 'the file is larger than 1 MiB');
    text = await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { version: lockVersion, founts: {} };
    if (code === 'EISDIR') throw corrupt(file, 1, 'it is a folder');
    throw error;
  }
  return parseLock(text, file);
}

/** Parses the text of a lock, all of it or nothing. */
export function parseLock(text: string, file: string): Lock {
  const lines = new LineCounter();
  const document = parse(text, file, lines);
  const lineOf = (path: readonly PropertyKey[]) => lineAt(document, lines, path);
  const [syntax] = document.errors;
  if (syntax !== undefined) {
    throw corrupt(file, lines.linePos(syntax.pos[0]).line, syntax.message.split(/ at line |\n/)[0]!);
  }
  const raw = valueOf(document, file);
  const parsed = LockFile.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw corrupt(
      file,
      lineOf(issue!.path),
      `${issue!.path.join('.') || 'the whole file'}: ${issue!.message}`,
    );
  }
  // The schema drops a key such as "__proto__" without a word, so the keys are taken from the text.
  for (const request of Object.keys((raw as Lock).founts)) {
    const reference = parseLibraryReference(request);
    if (!reference.ok) throw corrupt(file, lineOf(['founts', request]), reference.problem);
    const { version } = parsed.data.founts[request]!;
    if (semver.valid(version) === null) {
      throw corrupt(file, lineOf(['founts', request, 'version']), `"${version}" is no semantic version`);
    }
  }
  return parsed.data;
}

/** Writes the lock at once, sorted; says whether its bytes changed. */
export async function writeLock(folder: string, lock: Lock): Promise<boolean> {
  const file = join(folder, lockFileName);
  const text = formatLock(lock);
  const before = await readFile(file, 'utf8').catch(() => undefined);
  if (before === text) return false;
  await writeFile(file, text);
  return true;
}

/** The one text of a lock: the same content gives the same bytes. */
export function formatLock(lock: Lock): string {
  return header + stringify({ ...lock, founts: sorted(lock.founts) }, { lineWidth: 0 });
}

function sorted<T extends object>(record: Readonly<Record<string, T>>): Record<string, T> {
  const keys = Object.keys(record).sort();
  return Object.fromEntries(keys.map((key) => [key, sortedKeys(record[key]!)]));
}

function sortedKeys<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) as T;
}

function parse(text: string, file: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(text, { lineCounter, schema: 'core', merge: false });
  } catch {
    throw corrupt(file, 1, 'it is nested too deeply'); // The library overflows the stack, and only then throws.
  }
}

function valueOf(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw corrupt(file, 1, 'it uses aliases'); // The tool writes none, and they can multiply without end.
  }
}

/** The line of the key that a path ends at, or of the nearest one above it that is there. */
function lineAt(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const map: unknown = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    if (!isMap<Scalar | null>(map)) continue;
    const range = map.items.find((pair) => pair.key?.value === path[length - 1])?.key?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return 1;
}

function corrupt(file: string, line: number, problem: string): StudioError {
  return new StudioError(
    'lock.corrupt',
    `Cannot read "${file}", line ${line}: ${problem}; restore it from git, or delete it and add the founts again`,
    { file, line },
  );
}
