import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { JournalLine } from './journal-line.ts';
import { journalName } from './run-places.ts';

/**
 * What happens in a run, line by line, in a file that is only ever appended to. Nobody waits for the disk before `close`;
 * a disk that refuses is told once, and the run goes on without being written down.
 */
export class Journal {
  readonly folder: string;
  readonly #onProblem: (problem: string) => void;
  #file: FileHandle | undefined;
  #pending: string[] = [];
  #working: Promise<void> = Promise.resolve();
  #isQueued = false;
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

  append(line: JournalLine): void {
    if (!this.#isBroken) this.#pending.push(`${JSON.stringify(line)}\n`);
  }

  /** Lets everything so far be written; calls that come meanwhile share the next write. */
  write(): void {
    if (this.#isQueued || this.#isBroken) return;
    this.#isQueued = true;
    this.#queue(async () => {
      this.#isQueued = false;
      const text = this.#pending.join('');
      this.#pending = [];
      this.#file ??= await this.#open();
      await this.#file.appendFile(text);
      this.#bytes += Buffer.byteLength(text);
      if (this.#isWorthFlushing) await this.#file.datasync();
    });
  }

  /**
   * Lets everything so far be written and flushed, and whatever comes later too. A run that never asks for it, because
   * all of it came from the cache, loses with the power nothing but its line in the history.
   */
  commit(): void {
    this.#isWorthFlushing = true;
    this.write();
  }

  /** Puts bytes beside the journal, under their hash. */
  keep(contentHash: string, content: Uint8Array): void {
    this.#queue(async () => {
      const folder = join(this.folder, 'artifacts');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(join(folder, contentHash), 'wx', 0o600).catch(orKept);
      if (!file) return;
      try {
        await file.writeFile(content);
        await file.datasync();
      } finally {
        await file.close();
      }
      this.#bytes += content.length;
    });
  }

  /** Resolves when everything is on the disk, or given up. */
  async close(): Promise<void> {
    this.write();
    await this.#working;
    await this.#file?.close().catch((error: unknown) => this.#give(error));
    this.#file = undefined;
  }

  async #open(): Promise<FileHandle> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return open(join(this.folder, journalName), 'a', 0o600);
  }

  #queue(work: () => Promise<void>): void {
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
