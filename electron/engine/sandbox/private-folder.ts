import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Identity } from './identity.ts';

/** Survives a restart of the machine and tells a script nothing: a script can read the path of every mount it sees. */
const parents = ['/var/tmp', '/tmp'];

/**
 * The folder for staged files: ours alone, and enterable by the user of the sandbox. Another user can have made the
 * usual one first, in a folder that everyone may write to; then a fresh one is made.
 */
export function openPrivateFolder(identity: Identity): string {
  const self = process.geteuid?.() ?? 0;
  for (const parent of parents) {
    const folder = join(parent, `sunwell-${self}`);
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch {
      // Already there, or the parent cannot be written: the check below decides.
    }
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() && found.uid === self) return handOver(folder, identity);
  }
  return handOver(mkdtempSync(join(parents[1]!, 'sunwell-')), identity);
}

/** Lets the user of the sandbox, and nobody else, look things up in the folder. */
export function handOver(folder: string, { gid, isDropped }: Identity): string {
  if (isDropped) chownSync(folder, 0, gid);
  chmodSync(folder, isDropped ? 0o750 : 0o700);
  return folder;
}
