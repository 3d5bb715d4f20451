import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliRig } from './cli-rig.ts';

/** The folder of the example workspaces that ship with the studio. */
export const examplesFolder = join(import.meta.dirname, '../../../../resources/examples');

export async function exampleNames(): Promise<string[]> {
  const entries = await readdir(examplesFolder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** A rig whose workspace is a copy of an example. */
export async function exampleRig(name: string): Promise<CliRig> {
  const folder = join(examplesFolder, name);
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files: [string, string][] = [];
  for (const path of paths)
    files.push([`work/${path.slice(folder.length + 1)}`, await readFile(path, 'utf8')]);
  return CliRig.make(Object.fromEntries(files));
}
