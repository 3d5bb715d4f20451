import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { World } from '#shared/testing/contract-suite.ts';

/** Real temporary folders for a test; disposing removes them all. */
export class DiskWorld implements World, AsyncDisposable {
  readonly #folders: string[] = [];

  async makeFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'sunwell-test-'));
    this.#folders.push(folder);
    return folder;
  }

  async makeWorkspace(files: Record<string, string>): Promise<string> {
    const folder = await this.makeFolder();
    for (const [file, text] of Object.entries(files)) await this.writeFile(folder, file, text);
    return folder;
  }

  async writeFile(folder: string, file: string, text: string): Promise<void> {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    // Written in place, the engine could read half of it, and an event would tell of a text that no test wrote.
    // Beside the workspace, or the engine would rightly tell of the temporary file too.
    const whole = `${folder}.${randomUUID()}.writing`;
    await writeFile(whole, text);
    await rename(whole, path);
  }

  readFile(folder: string, file: string): Promise<string> {
    return readFile(join(folder, file), 'utf8');
  }

  removeFile(folder: string, file: string): Promise<void> {
    return rm(join(folder, file));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#folders.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}
