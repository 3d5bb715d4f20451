import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { applyingName } from '../run-places.ts';
import { workspaceKey } from '../workspace-key.ts';

interface Place {
  /** The user's folder. */
  readonly home: string;
  readonly root: string;
}

/** Whether files are being written into a workspace, or were until that was killed: one look, and nearly always no. */
export function isApplyLeft(place: Place): boolean {
  return existsSync(folderOf(place));
}

/**
 * Takes back what killed processes left half written in a workspace, and says so in a sentence; undefined where there was
 * nothing. Never throws: what cannot be taken back now is tried again at the next opening.
 */
export async function takeBackKilled(place: Place): Promise<string | undefined> {
  if (!isApplyLeft(place)) return undefined;
  const { takeBackLeft } = await import('./take-back-left.ts');
  return takeBackLeft(folderOf(place), place.root);
}

function folderOf({ home, root }: Place): string {
  return join(home, 'runs', workspaceKey(root), applyingName);
}
