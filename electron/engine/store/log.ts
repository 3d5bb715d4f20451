import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const maxBytes = 5 * 1024 * 1024;

/** Appends what went wrong to a file under the user's home; never throws, so that reporting cannot be the failure. */
export class Log {
  readonly file: string;

  constructor(folder: string) {
    this.file = join(folder, 'studio.log');
  }

  /** Writes a bug down and returns the reference that the user is shown. */
  report(error: unknown): string {
    const reference = randomBytes(4).toString('hex');
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#append({ at: new Date().toISOString(), reference, error: text });
    return reference;
  }

  #append(line: Record<string, string>): void {
    try {
      mkdirSync(join(this.file, '..'), { recursive: true });
      if ((statSync(this.file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) {
        renameSync(this.file, `${this.file}.1`);
      }
      appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    } catch {
      // A full or read-only disk must not turn one error into another; standard error still has it.
      process.stderr.write(`${JSON.stringify(line)}\n`);
    }
  }
}
