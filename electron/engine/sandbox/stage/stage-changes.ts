import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Pace } from '../../store/pace.ts';
import type { Identity } from '../identity.ts';
import { handOver } from '../private-folder.ts';
import type { StagedView } from './snapshot.ts';
import { placeFile } from './stage-skill.ts';

/** What changes a view: bytes for a path, or null for a file that is gone. */
export type ViewChanges = ReadonlyMap<
  string,
  { readonly content: Uint8Array; readonly sha256: string } | null
>;

/** A view with changes laid over it, as a folder below `parent`; what did not change is linked, not copied. */
export async function stageChanges(
  parent: string,
  { folder, files }: StagedView,
  changes: ViewChanges,
  identity: Identity,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([folder, [...files.keys()]]));
  for (const [path, change] of changes) hash.update(JSON.stringify([path, change?.sha256 ?? null]));
  const target = join(parent, `changed-${hash.digest('hex')}`);
  if (existsSync(target)) return target;
  const making = join(parent, `making-${randomBytes(8).toString('hex')}`);
  const pace = new Pace();
  try {
    makeFolder(making, '.', identity);
    for (const path of folder === undefined ? [] : files.keys()) {
      if (changes.has(path)) continue;
      makeFolder(making, dirname(path), identity);
      linkSync(join(folder!, path), join(making, path));
      if (pace.isDue) await pace.rest();
    }
    for (const [path, change] of changes) {
      if (change) placeFile(making, { path, content: change.content }, identity);
    }
    renameSync(making, target);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

function makeFolder(root: string, path: string, identity: Identity): void {
  const folder = join(root, path);
  if (existsSync(folder)) return;
  if (path !== '.') makeFolder(root, dirname(path), identity);
  mkdirSync(folder, { mode: 0o700 });
  handOver(folder, identity);
}
