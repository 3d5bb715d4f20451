import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SignedFilesOptions {
  readonly folder: string;
  /** The key of the installation: a file that somebody else put there is not ours. */
  readonly key: Buffer;
  /** What the program is: another version may work the same thing out differently. */
  readonly build: string;
  readonly maxFiles: number;
  readonly maxBytes: number;
}

const signatureLength = 64;

/** What this build worked out and keeps, by name. What is damaged, foreign, moved or of another build is not there. */
export class SignedFiles {
  readonly #options: SignedFilesOptions;

  constructor(options: SignedFilesOptions) {
    this.#options = options;
  }

  read(name: string): Buffer | undefined {
    try {
      const bytes = readFileSync(this.#pathOf(name));
      const signed = bytes.subarray(signatureLength + 1);
      const signature = Buffer.from(bytes.toString('latin1', 0, signatureLength), 'hex');
      return timingSafeEqual(signature, this.#sign(name, signed)) ? signed : undefined;
    } catch {
      return undefined; // None yet, or too short to be one: it is worked out anew.
    }
  }

  /** Keeps it if it can be kept; a full or read-only disk costs time later and nothing else. */
  write(name: string, text: string): void {
    const { folder, maxBytes } = this.#options;
    const signed = Buffer.from(text);
    if (signed.length > maxBytes / 4) return;
    const signature = Buffer.from(`${this.#sign(name, signed).toString('hex')}\n`);
    const temporary = `${this.#pathOf(name)}.${process.pid}`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, Buffer.concat([signature, signed]), { mode: 0o600 });
      renameSync(temporary, this.#pathOf(name));
      this.#dropOldest();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    }
  }

  /** The name is signed too: what is moved to another's place would answer for it. */
  #sign(name: string, signed: Buffer): Buffer {
    const { key, build } = this.#options;
    return createHmac('sha256', key)
      .update(JSON.stringify([build, name]))
      .update(signed)
      .digest();
  }

  #pathOf(name: string): string {
    const hash = createHash('sha256').update(name).digest('hex');
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
