import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeUnflushed } from '../store/write-unflushed.ts';
import type { Interpreter } from './interpreters.ts';

/** Versions of interpreters, remembered for as long as the program file stays the same: asking costs a process each. */
export class InterpreterVersions {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = join(folder, 'interpreter-versions.json');
  }

  /** Undefined when the interpreter does not say one. */
  async of({ path }: Interpreter): Promise<string | undefined> {
    const { size, mtimeMs, ctimeMs, ino } = statSync(path);
    const key = JSON.stringify([path, size, mtimeMs, ctimeMs, ino]);
    const known = this.#read()[key];
    if (known !== undefined) return known;
    const version = await ask(path);
    if (version !== undefined) this.#write({ ...this.#read(), [key]: version });
    return version;
  }

  #read(): Record<string, string> {
    try {
      const known: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      return isTextRecord(known) ? known : {};
    } catch {
      return {}; // None yet, or damaged: they are asked again.
    }
  }

  #write(known: Record<string, string>): void {
    writeUnflushed(this.#path, JSON.stringify(known));
  }
}

/** By hand: every plan asks, and what makes schemas takes longer to load than all the rest. */
function isTextRecord(value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}

async function ask(path: string): Promise<string | undefined> {
  // Loaded only here: a plan that knows the versions starts no process.
  const { execFile } = await import('node:child_process');
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { env: {}, cwd: '/', timeout: 10_000 });
    // To the end of the line: release candidates and patches have the same numbers, and are not the same program.
    return /\d+\.\d.*/.exec(stdout)?.[0].trimEnd();
  } catch {
    return undefined; // It does not even say its version; a run will say why.
  }
}
