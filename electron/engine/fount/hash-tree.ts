import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PackageCount, pathProblem, unsafe } from './package-limits.ts';

/** The content of a package on disk: every file's path, sorted, and one hash over all of them. */
export interface HashedTree {
  readonly tree: string;
  readonly files: readonly string[];
}

const together = 32;

/**
 * Hashes a package folder to `sha512-<base64>` over this text, in UTF-8:
 *
 *     sunwell-tree-v1\n
 *     x <sha512 of the content, hex> <path>\n     an executable file (owner's bit)
 *     - <sha512 of the content, hex> <path>\n     any other file
 *
 * one line for each file, sorted by the bytes of the path, which is relative and uses "/". Folders, times and other
 * permissions do not count. Anything but files and folders is refused, as are names that meet where case or Unicode
 * form does not matter: the same package would be another one there.
 */
export async function hashTree(folder: string, label: string): Promise<HashedTree> {
  const files: string[] = [];
  await listFiles(folder, '', label, files);
  files.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  refuseTwins(files, label);

  const count = new PackageCount(label);
  const hash = createHash('sha512').update('sunwell-tree-v1\n');
  for (let at = 0; at < files.length; at += together) {
    const lines = files.slice(at, at + together).map((file) => hashFile(folder, file, count));
    for (const line of await Promise.all(lines)) hash.update(line);
  }
  return { tree: `sha512-${hash.digest('base64')}`, files };
}

async function listFiles(folder: string, inside: string, label: string, files: string[]): Promise<void> {
  for (const entry of await readdir(join(folder, inside), { withFileTypes: true })) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    const problem = pathProblem(path);
    if (problem !== undefined) throw unsafe(label, path, problem);
    if (entry.isDirectory()) await listFiles(folder, path, label, files);
    else if (entry.isFile()) files.push(path);
    else throw unsafe(label, path, 'it is neither a file nor a folder');
  }
}

async function hashFile(folder: string, file: string, count: PackageCount): Promise<string> {
  const path = join(folder, file);
  const { mode, size } = await lstat(path);
  count.add(size);
  // A link put in place of the file since the listing must not be followed.
  const content = await readFile(path, { flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) });
  return `${mode & 0o100 ? 'x' : '-'} ${createHash('sha512').update(content).digest('hex')} ${file}\n`;
}

function refuseTwins(files: readonly string[], label: string): void {
  const seen = new Map<string, string>();
  for (const file of files) {
    const folded = file.normalize('NFC').toLowerCase();
    const twin = seen.get(folded);
    if (twin !== undefined) throw unsafe(label, file, `it is the same file as "${twin}" on other systems`);
    seen.set(folded, file);
  }
}
