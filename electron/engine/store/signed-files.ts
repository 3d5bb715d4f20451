import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from './digest.ts';
import { readSigned, writeSigned, type Signer } from './signed-file.ts';

export interface SignedFilesOptions {
  readonly folder: string;
  /** The key of the installation: a file that somebody else put there is not ours. */
  readonly key: Buffer;
  /** What the program is: another version may work the same thing out differently. */
  readonly build: string;
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** What this build worked out and keeps, by name. What is damaged, foreign, moved or of another build is not there. */
export class SignedFiles {
  readonly #options: SignedFilesOptions;

  constructor(options: SignedFilesOptions) {
    this.#options = options;
  }

  read(name: string): Buffer | undefined {
    return readSigned(this.#pathOf(name), this.#signer(name));
  }

  /** Keeps it if it can be kept; a full or read-only disk costs time later and nothing else. */
  write(name: string, text: string): void {
    if (Buffer.byteLength(text) > this.#options.maxBytes / 4) return;
    if (!writeSigned(this.#pathOf(name), text, this.#signer(name))) return;
    try {
      this.#dropOldest();
    } catch (error) {
      // Another process drops the same ones.
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    }
  }

  /**
   * The name is signed too: what is moved to another's place would answer for it. So is the folder: what is kept holds paths
   * into the user's folder, and in a copy of that it would go on answering for the first one, taken trust included.
   */
  #signer(name: string): Signer {
    const { key, build, folder } = this.#options;
    return { key, about: [build, folder, name] };
  }

  #pathOf(name: string): string {
    const hash = digestOf(name);
    return join(this.#options.folder, hash.slice(0, 32));
  }

  #dropOldest(): void {
    const { folder, maxFiles, maxBytes } = this.#options;
    const files = readdirSync(folder)
      .map((name) => ({ path: join(folder, name), stats: statSync(join(folder, name)) }))
      .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs);
    let bytes = 0;
    for (const [i, { path, stats }] of files.entries()) {
      bytes += stats.size;
      if (i >= maxFiles || bytes > maxBytes) rmSync(path, { force: true });
    }
  }
}
