import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { installKey } from '#engine/store/install-key.ts';

/** Signs a megabyte in a tenth of the time that a hash takes; what is signed needs no secrecy and is not encrypted. */
const cipher = 'aes-256-gcm';
const tagBytes = 16;
/** Never used twice with one key; as long as the signature, because V8 copies code that does not begin at a multiple of eight. */
const nonceBytes = 16;
const codeAt = tagBytes + nonceBytes;
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
    try {
      const bytes = readFileSync(this.#path);
      const nonce = bytes.subarray(tagBytes, codeAt);
      const compiled = bytes.subarray(codeAt);
      const check = createDecipheriv(cipher, this.#key(), nonce, { authTagLength: tagBytes });
      check.setAuthTag(bytes.subarray(0, tagBytes)).setAAD(compiled).final();
      return compiled;
    } catch {
      return undefined; // None yet, too short to be one, or not signed by us: the code is compiled anew.
    }
  }

  /** A disk that refuses costs the next process some time and nothing else. */
  write(compiled: Buffer): void {
    const temporary = `${this.#path}.${process.pid}`;
    try {
      // Not the user's folder itself: a command that only prints leaves none behind.
      if (!existsSync(this.#folder)) mkdirSync(this.#folder, { mode: 0o700 });
      writeFileSync(temporary, this.#signed(compiled), { mode: 0o600 });
      renameSync(temporary, this.#path);
      this.#dropOldest();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    }
  }

  #signed(compiled: Uint8Array): Buffer {
    const nonce = randomBytes(nonceBytes);
    const sign = createCipheriv(cipher, this.#key(), nonce, { authTagLength: tagBytes });
    sign.setAAD(compiled).final();
    return Buffer.concat([sign.getAuthTag(), nonce, compiled]);
  }

  /** One for each code and place: what is signed for one says nothing of another. */
  #key(): Buffer {
    return createHmac('sha256', installKey(this.#home))
      .update(JSON.stringify(['code', this.#source, this.#path]))
      .digest();
  }

  /** Of other versions, and what processes left that ended while they wrote. */
  #dropOldest(): void {
    const files = readdirSync(this.#folder).map((name) => join(this.#folder, name));
    const aged = files.map((path) => ({ path, mtimeMs: statSync(path).mtimeMs }));
    aged.sort((a, b) => b.mtimeMs - a.mtimeMs);
    for (const { path } of aged.slice(maxFiles)) rmSync(path, { force: true });
  }
}
