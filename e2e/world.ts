import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { World } from '#shared/testing/contract-suite.ts';

/** The disk as the contract's cases see it, with every workspace below `folder`. */
export function diskWorld(folder: string): World {
  const write = async (root: string, file: string, text: string): Promise<void> => {
    const path = join(root, file);
    await mkdir(dirname(path), { recursive: true });
    // At once: between a truncation and the text, the watcher would rightly tell of an empty file.
    const whole = join(folder, `${randomUUID()}.part`);
    await writeFile(whole, text);
    await rename(whole, path);
  };
  return {
    async makeWorkspace(files) {
      const root = await mkdtemp(join(folder, 'workspace-'));
      await Promise.all(Object.entries(files).map(([file, text]) => write(root, file, text)));
      return root;
    },
    writeFile: write,
    readFile: (root, file) => readFile(join(root, file), 'utf8'),
    removeFile: (root, file) => rm(join(root, file)),
  };
}
