import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Two ends of a real pipe, as descriptors that the taker closes. */
export interface Pipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

const batch = 32;

/**
 * Makes real pipes. Node gives children sockets instead: a script cannot open its own /dev/stderr then, and holds one
 * end of a socket of the studio through which descriptors could be sent.
 */
export class PipePool implements Disposable {
  readonly #folder: string;
  #paths: string[] = [];
  #filling: Promise<void> | undefined;
  #made = 0;

  constructor(parent: string) {
    this.#folder = mkdtempSync(join(parent, 'pipes-'));
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
      return { readEnd, writeEnd: openSync(path, constants.O_WRONLY) };
    } catch (error) {
      closeSync(readEnd);
      throw error;
    } finally {
      unlinkSync(path);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #fill(): Promise<void> {
    const paths = Array.from({ length: batch }, () => join(this.#folder, String(this.#made++)));
    // Writable for others, because the sandbox may run as another user; the folder keeps everyone else out.
    await promisify(execFile)('/usr/bin/mkfifo', ['-m', '0622', ...paths], { env: {}, cwd: '/' });
    this.#paths = paths;
  }
}
