import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { installKey } from '#engine/store/install-key.ts';
import { readSigned, writeSigned, type Signer } from '#engine/store/signed-file.ts';

const maxFiles = 32;

/**
 * Compiled code of the command line in the user's folder. It is code, so it counts only with the signature of this
 * installation over it and over what it was compiled from: the engine of JavaScript itself compares no more than lengths.
 */
export class CodeCache {
  readonly #home: string;
  readonly #folder: string;
  readonly #path: string;
  readonly #source: string;

  /** `source` names the code and the program that compiles it; of `name` there is one in each. */
  constructor(home: string, { source, name }: { source: string; name: string }) {
    this.#home = home;
    this.#source = source;
    this.#folder = join(home, 'code');
    this.#path = join(this.#folder, name);
  }

  /** Undefined when there is none, or one that is damaged, foreign or of other code. */
  read(): Buffer | undefined {
    // Before the key is asked for, which makes the user's folder: a command that only prints leaves none behind.
    return existsSync(this.#path) ? readSigned(this.#path, this.#signer) : undefined;
  }

  /** A disk that refuses costs the next process some time and nothing else. */
  write(compiled: Buffer): void {
    if (!existsSync(this.#home)) return; // For the same reason.
    try {
      if (writeSigned(this.#path, compiled, this.#signer)) this.#dropOldest();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    }
  }

  get #signer(): Signer {
    return { key: installKey(this.#home), about: ['code', this.#source, this.#path] };
  }

  /** Of other versions, and what processes left that ended while they wrote. */
  #dropOldest(): void {
    const files = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    const aged = files.map((path) => ({ path, mtimeMs: statSync(path).mtimeMs }));
    aged.sort((a, b) => b.mtimeMs - a.mtimeMs);
    for (const { path } of aged.slice(maxFiles)) rmSync(path, { force: true });
  }
}
