import { createHmac } from 'node:crypto';
import { lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';

/** Something outside the file system that a resolution depended on. */
export type Question =
  | readonly ['environment' | 'parameter', name: string]
  | readonly ['files']
  | readonly ['fount', request: string];

/** Answers what a resolution asked; the same answers, over the same files, give the same resolution. */
export type Ask = (question: Question) => Promise<string | undefined>;

/** What a resolution looked at, so that a later one can tell whether it would come out the same. */
export interface FootprintRecord {
  /** Path → what was there: a file as it was before it was read, a folder before it was listed, or nothing. */
  readonly looked: Readonly<Record<string, string>>;
  /** Path → where it really led. */
  readonly real: Readonly<Record<string, string>>;
  /** Question → digest of its answer: an environment variable can be a secret. */
  readonly answers: Readonly<Record<string, string>>;
}

/** Clocks of file systems tick this slowly at worst; a file changed within a tick of being looked at keeps its times. */
const clockTickMs = 50;

/** Writes down everything that one resolution looks at, before it is read. */
export class Footprint {
  readonly #key: Buffer;
  readonly #looked: Record<string, string> = Object.create(null) as Record<string, string>;
  readonly #real: Record<string, string> = Object.create(null) as Record<string, string>;
  readonly #answers: Record<string, string> = Object.create(null) as Record<string, string>;
  #isCertain = true;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** False when something changed so recently that another change could look the same. */
  get isCertain(): boolean {
    return this.#isCertain;
  }

  get record(): FootprintRecord {
    return { looked: this.#looked, real: this.#real, answers: this.#answers };
  }

  /** A file that is about to be read, or a folder that is about to be listed. */
  look(path: string): void {
    if (path in this.#looked) return;
    const now = Date.now();
    this.#looked[path] = stampOf(path, (stats) => {
      if (now - Math.max(stats.mtimeMs, stats.ctimeMs) < clockTickMs) this.#isCertain = false;
    });
  }

  /** A path that is about to be followed to where it really leads. */
  follow(path: string): void {
    const found = statsOf(path);
    // A folder's own stamp changes with every file that is added to it; where it leads does not.
    if (!found?.isDirectory()) this.look(path);
    // What is no link itself leads where its folder does, and asking per folder is what makes a later check quick.
    const way = found?.isDirectory() || found?.isSymbolicLink() ? path : dirname(path);
    this.#real[way] ??= realOf(way);
  }

  answer(question: Question, answer: string | undefined): void {
    this.#answers[JSON.stringify(question)] = digestOf(this.#key, answer);
  }
}

/** Says whether everything that was looked at is still the same. */
export async function isUnchanged(record: FootprintRecord, key: Buffer, ask: Ask): Promise<boolean> {
  for (const path in record.looked) if (stampOf(path) !== record.looked[path]) return false;
  for (const path in record.real) if (realOf(path) !== record.real[path]) return false;
  for (const question in record.answers) {
    const answer = await ask(JSON.parse(question) as Question);
    if (digestOf(key, answer) !== record.answers[question]) return false;
  }
  return true;
}

/** A link is stamped with what it leads to. */
function stampOf(path: string, see?: (stats: Stats) => void): string {
  try {
    const own = lstatSync(path, { throwIfNoEntry: false });
    if (!own) return 'missing';
    see?.(own);
    if (!own.isSymbolicLink()) return stampText(own);
    const target = statSync(path, { throwIfNoEntry: false });
    if (target) see?.(target);
    return `${stampText(own)}→${target ? stampText(target) : 'missing'}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unreadable'; // Not ours to see: that, too, can change.
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // Not ours to see; its stamp says so.
  }
}

function stampText({ mode, size, mtimeMs, ctimeMs, ino, dev }: Stats): string {
  return `${mode}:${size}:${mtimeMs}:${ctimeMs}:${ino}:${dev}`;
}

/** A path that does not exist is its own real path. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function digestOf(key: Buffer, answer: string | undefined): string {
  return createHmac('sha256', key)
    .update(answer === undefined ? 'none' : `is ${answer}`)
    .digest('base64');
}
