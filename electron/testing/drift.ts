import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect } from 'vitest';
import { findAppRoot } from '#engine/store/app-root.ts';

const root = findAppRoot(import.meta.url);

/** Fails when a generated file differs from its source; `UPDATE=1` rewrites it instead. */
export async function expectGenerated(file: string, content: string): Promise<void> {
  const path = join(root, file);
  const formatted = await format(content, { filepath: path, printWidth: 110, singleQuote: true });
  if (process.env['UPDATE'] === '1') await writeFile(path, formatted);
  const current = await readFile(path, 'utf8').catch(() => '');
  expect(current, `${file} is out of date: run "UPDATE=1 npm run drift"`).toBe(formatted);
}
