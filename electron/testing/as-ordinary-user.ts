import { lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Root may read and write everywhere: as root, the work is done with the rights of nobody, who gets the folder for good. */
export async function asOrdinaryUser<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  const nobody = 65_534;
  const below = await readdir(folder, { recursive: true });
  for (const name of ['', ...below]) await lchown(join(folder, name), nobody, nobody);
  process.seteuid!(nobody);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}
