import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
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
