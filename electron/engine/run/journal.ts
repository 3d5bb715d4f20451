import { closeSync, fdatasync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JournalLine } from './journal-line.ts';
import { journalName } from './run-places.ts';

const datasync = promisify(fdatasync);
/** What a power cut may cost of a run. Flushing after every step would cost quick ones more than they take. */
const flushDelayMs = 100;
/** How far others who read the journal of a run may be behind, and what a crash may cost of a long step. */
const writeDelayMs = 100;

/**
 * What happens in a run, line by line, in a file that is only ever appended to. A process that is killed loses nothing that
 * was written, and nobody waits for the disk before `close`; a disk that refuses is told once, and the run goes on without
 * being written down.
 */
export class Journal {
  readonly folder: string;
  readonly #onProblem: (problem: string) => void;
  #fd: number | undefined;
  #pending: string[] = [];
  #working: Promise<void> = Promise.resolve();
  /** Contents that are on their way into their files. */
  #keeping = 0;
  #flushTimer: NodeJS.Timeout | undefined;
  #writeTimer: NodeJS.Timeout | undefined;
  #isWorthFlushing = false;
  #isBroken = false;
  #bytes = 0;

  constructor(folder: string, onProblem: (problem: string) => void) {
    this.folder = folder;
    this.#onProblem = onProblem;
  }

  /** Whether everything so far is, or will be, in the file. */
  get isWhole(): boolean {
    return !this.#isBroken;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Written soon by itself, for lines with which nothing ends. */
  append(line: JournalLine): void {
    if (this.#isBroken) return;
    this.#pending.push(`${JSON.stringify(line)}\n`);
    this.#writeTimer ??= setTimeout(() => this.write(), writeDelayMs).unref();
  }

  /** Writes everything so far; after what is being kept, where lines may tell of it. */
  write(): void {
    clearTimeout(this.#writeTimer);
    this.#writeTimer = undefined;
    if (this.#keeping > 0 || this.#isBroken || this.#pending.length === 0) return;
    const bytes = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    try {
      this.#fd ??= this.#open();
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      return this.#give(error);
    }
    this.#bytes += bytes.length;
    if (this.#isWorthFlushing) this.#flushTimer ??= setTimeout(() => this.#flush(), flushDelayMs);
  }

  /**
   * Writes everything so far and lets it be flushed soon, and whatever comes later too. A run that never asks for it, because
   * all of it came from the cache, loses with the power nothing but its line in the history.
   */
  commit(): void {
    this.#isWorthFlushing = true;
    this.write();
  }

  /** Puts bytes beside the journal, under their hash; unflushed where the cache has them too after a power cut. */
  keep(contentHash: string, content: Uint8Array, { isFlushed = true } = {}): void {
    this.#keeping++;
    this.#queue(async () => {
      const folder = join(this.folder, 'artifacts');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(join(folder, contentHash), 'wx', 0o600).catch(orKept);
      if (!file) return;
      try {
        await file.writeFile(content);
        if (isFlushed) await file.datasync();
      } finally {
        await file.close();
      }
      this.#bytes += content.length;
    });
    this.#queue(() => {
      this.#keeping--;
      this.write();
    });
  }

  /** Resolves when everything is on the disk, or given up. */
  async close(): Promise<void> {
    await this.#working;
    this.write();
    if (this.#flushTimer) this.#flush();
    await this.#working;
    try {
      if (this.#fd !== undefined) closeSync(this.#fd);
    } catch (error) {
      this.#give(error);
    }
    this.#fd = undefined;
  }

  #open(): number {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return openSync(join(this.folder, journalName), 'a', 0o600);
  }

  #flush(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    this.#queue(() => datasync(this.#fd!));
  }

  #queue(work: () => Promise<void> | void): void {
    this.#working = this.#working.then(async () => {
      if (this.#isBroken) return;
      try {
        await work();
      } catch (error) {
        this.#give(error);
      }
    });
  }

  /** A half-written line is the last one for good: what came after it would be read as part of it. */
  #give(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#pending = [];
    this.#onProblem((error as Error).message);
  }
}

/** The same content was kept before, whole or not: its hash is checked when it is read. */
function orKept(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error;
  return undefined;
}
