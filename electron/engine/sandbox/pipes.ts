import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, statfsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Two ends of a real pipe, as descriptors that the taker closes. */
export interface Pipe {
  readonly readEnd: number;
  readonly writeEnd: number;
  /** What the pool knows it by. */
  readonly path: string;
}

const batch = 32;
/** Linux's flag for a file that never has a name; Node has no word for it. */
const withoutName = 0o20200000;
/** Files in memory: on a disk the search for a free inode takes longer than everything else about a small file. */
const memory = '/dev/shm';
/** Containers may have little of it; scripts may be given many megabytes, several at once. */
const enoughBytes = 512 * 1024 * 1024;

/**
 * Makes real pipes. Node gives children sockets instead: a script cannot open its own /dev/stderr then, and holds one
 * end of a socket of the studio through which descriptors could be sent.
 */
export class PipePool implements Disposable {
  readonly #folder: string;
  readonly #fileFolder: string;
  #paths: string[] = [];
  #filling: Promise<void> | undefined;
  #made = 0;

  constructor(parent: string) {
    this.#folder = mkdtempSync(join(parent, 'pipes-'));
    this.#fileFolder = hasRoom(memory) ? memory : this.#folder;
  }

  async take(): Promise<Pipe> {
    while (this.#paths.length === 0) {
      this.#filling ??= this.#fill().finally(() => (this.#filling = undefined));
      await this.#filling;
    }
    const path = this.#paths.pop()!;
    // The reader is opened first and does not wait; a writer alone would block until one comes.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return { path, readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
    } catch (error) {
      closeSync(readEnd);
      throw error;
    }
  }

  /** Takes a pipe back. Only when nobody has an end of it any more: the kernel then forgets what was in it and how it was set. */
  give(path: string): void {
    this.#paths.push(path);
  }

  /** An empty file that nobody else can find, as a descriptor that the taker closes. */
  file(): number {
    try {
      return openSync(this.#fileFolder, withoutName | constants.O_RDWR, 0o600);
    } catch {
      // Not every file system has files without names.
      const path = join(this.#folder, `file-${this.#made++}`);
      const fd = openSync(path, 'wx+', 0o600);
      unlinkSync(path);
      return fd;
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #fill(): Promise<void> {
    const paths = Array.from({ length: batch }, () => join(this.#folder, String(this.#made++)));
    // Writable for others, because the sandbox may run as another user; the folder keeps everyone else out.
    await promisify(execFile)('/usr/bin/mkfifo', ['-m', '0622', ...paths], { env: {}, cwd: '/' });
    this.#paths.push(...paths);
  }
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false; // There is none.
  }
}
