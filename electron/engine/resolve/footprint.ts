import { createHmac } from 'node:crypto';
import { constants, lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { readHeldText } from './held-texts.ts';

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
  /** Path → name of a plain file whose text is held as it is, and by which nothing else came out as it did. */
  readonly held: Readonly<Record<string, string>>;
}

/** A held text that is another one now. */
export interface ChangedText {
  readonly path: string;
  /** What the resolution calls the file. */
  readonly file: string;
  readonly text: string;
  readonly stamp: string;
  /** False when the file changed so recently that another change could look the same. */
  readonly isCertain: boolean;
}

/** Clocks of file systems tick this slowly at worst; a file changed within a tick of being looked at keeps its times. */
const clockTickMs = 50;

/** Writes down everything that one resolution looks at, before it is read. */
export class Footprint {
  readonly #key: Buffer;
  readonly #looked: Record<string, string> = Object.create(null) as Record<string, string>;
  readonly #real: Record<string, string> = Object.create(null) as Record<string, string>;
  readonly #answers: Record<string, string> = Object.create(null) as Record<string, string>;
  readonly #held = new Map<string, string>();
  readonly #pathOf = new Map<string, string>();
  /** Paths of which more is wanted than a text to hold. */
  readonly #read = new Set<string>();
  #isCertain = true;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** False when something changed so recently that another change could look the same. */
  get isCertain(): boolean {
    return this.#isCertain;
  }

  get record(): FootprintRecord {
    const held = Object.fromEntries([...this.#held].filter(([path]) => !this.#read.has(path)));
    return { looked: this.#looked, real: this.#real, answers: this.#answers, held };
  }

  /** A file that is about to be read, or a folder that is about to be listed. */
  look(path: string): void {
    this.#read.add(path);
    this.stamp(path);
  }

  /** A text that was just read only to be held, after `stamp` of its path. */
  hold(path: string, file: string): void {
    const other = this.#pathOf.get(file) ?? path;
    const name = this.#held.get(path) ?? file;
    // Two places can name their files alike: by such a name nobody could say later whose text it is.
    if (other !== path || name !== file) this.#read.add(path).add(other);
    this.#held.set(path, file);
    this.#pathOf.set(file, path);
  }

  /** What is at a path now, for as long as it is not said what is wanted of it. */
  stamp(path: string): void {
    if (path in this.#looked) return;
    const now = Date.now();
    this.#looked[path] = stampOf(path, (stats) => {
      if (isRecent(stats, now)) this.#isCertain = false;
    });
  }

  /** A path that is about to be followed to where it really leads. */
  follow(path: string): void {
    const found = statsOf(path);
    // A folder's own stamp changes with every file that is added to it; where it leads does not.
    if (!found?.isDirectory()) this.stamp(path);
    // What is no link itself leads where its folder does, and asking per folder is what makes a later check quick.
    const way = found?.isDirectory() || found?.isSymbolicLink() ? path : dirname(path);
    this.#real[way] ??= realOf(way);
  }

  answer(question: Question, answer: string | undefined): void {
    this.#answers[JSON.stringify(question)] = digestOf(this.#key, answer);
  }
}

/** The held texts that changed where everything else that was looked at is still the same; undefined where it is not. */
export async function changedTexts(
  record: FootprintRecord,
  key: Buffer,
  ask: Ask,
): Promise<readonly ChangedText[] | undefined> {
  const changed: string[] = [];
  for (const path in record.looked) {
    const before = record.looked[path]!;
    if (stampOf(path) === before) continue;
    if (!isPlainFile(before) || !Object.hasOwn(record.held, path)) return undefined;
    changed.push(path);
  }
  for (const path in record.real) if (realOf(path) !== record.real[path]) return undefined;
  for (const question in record.answers) {
    const answer = await ask(JSON.parse(question) as Question);
    if (digestOf(key, answer) !== record.answers[question]) return undefined;
  }
  const texts: ChangedText[] = [];
  for (const path of changed) {
    const text = changedText(path, record.held[path]!);
    if (!text) return undefined;
    texts.push(text);
  }
  return texts;
}

/** Whether everything is as it was, held texts too; false also where something was asked that only a resolver can answer. */
export function isUnchanged(
  { looked, real, answers }: Omit<FootprintRecord, 'held'>,
  key: Buffer,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  for (const path in looked) if (stampOf(path) !== looked[path]) return false;
  for (const path in real) if (realOf(path) !== real[path]) return false;
  for (const question in answers) {
    const [kind, name = ''] = JSON.parse(question) as Question;
    if (kind !== 'environment' || digestOf(key, environment[name]) !== answers[question]) return false;
  }
  return true;
}

/**
 * The names of held texts that may differ between two resolutions that are otherwise the same; undefined where anything
 * else that was looked at differs.
 */
export function otherTexts(
  before: Omit<FootprintRecord, 'held'>,
  now: Omit<FootprintRecord, 'held'>,
  held: FootprintRecord['held'],
): ReadonlySet<string> | undefined {
  if (!isSameRecord(before.real, now.real) || !isSameRecord(before.answers, now.answers)) return undefined;
  const names = new Set<string>();
  let count = 0;
  for (const path in now.looked) {
    count++;
    const [old, stamp] = [before.looked[path] ?? '', now.looked[path]!];
    if (old === stamp) continue;
    if (!isPlainFile(old) || !isPlainFile(stamp) || !Object.hasOwn(held, path)) return undefined;
    names.add(held[path]!);
  }
  return Object.keys(before.looked).length === count ? names : undefined;
}

function isSameRecord(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** The footprint of a resolution that got other texts. */
export function withStamps(record: FootprintRecord, changed: readonly ChangedText[]): FootprintRecord {
  const stamps = Object.fromEntries(changed.map(({ path, stamp }) => [path, stamp]));
  // First in line from now on: what changed last is likely to change next, and one change is enough to know.
  return { ...record, looked: joined(stamps, record.looked, stamps) };
}

/** Several records of paths as one; the last counts. To spread a thousand paths into an object takes ten times as long. */
export function joined(...records: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  return Object.assign(Object.create(null) as Record<string, string>, ...records) as Record<string, string>;
}

function changedText(path: string, file: string): ChangedText | undefined {
  const now = Date.now();
  let isCertain = true;
  const stamp = stampOf(path, (stats) => {
    isCertain = !isRecent(stats, now);
  });
  const text = isPlainFile(stamp) ? readHeldText(path) : undefined;
  return text === undefined ? undefined : { path, file, text, stamp, isCertain };
}

/** Whether something changed so recently that another change could look the same. */
export function isRecent({ mtimeMs, ctimeMs }: Pick<Stats, 'mtimeMs' | 'ctimeMs'>, now: number): boolean {
  return now - Math.max(mtimeMs, ctimeMs) < clockTickMs;
}

/** By its stamp, which begins with the mode; what is no file has none, and a link has a second stamp. */
function isPlainFile(stamp: string): boolean {
  const mode = Number.parseInt(stamp, 10);
  return (mode & constants.S_IFMT) === constants.S_IFREG;
}

/** What is at a path, without reading it; a link is stamped with what it leads to. */
export function stampOf(path: string, see?: (stats: Stats) => void): string {
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
