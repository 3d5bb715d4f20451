import { digestOf } from '../../store/digest.ts';
import { fileNow, isAfter, isBefore } from './file-now.ts';
import type { IntendedChange } from './intent.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

export interface ChangeToUndo {
  readonly change: IntendedChange;
  /** Its bytes before; undefined where there was no file. */
  readonly old: Uint8Array | undefined;
  readonly index: number;
}

/** Puts back what was at a path if nobody but the change was there since: `other` is what somebody else made of it. */
export async function undoChange(
  root: string,
  files: WorkspaceFiles,
  { change, old, index }: ChangeToUndo,
): Promise<'as-before' | 'undone' | 'other'> {
  const { path, before, after } = change;
  const now = await fileNow(root, path).catch((error: NodeJS.ErrnoException) => {
    // A link or a folder took its place; what the system refuses is no change of anybody.
    if (error.code === undefined) return null;
    throw error;
  });
  if (now === null) return 'other';
  if (isBefore(now, change)) return 'as-before';
  if (!isAfter(now, change)) return 'other';
  if (!before) await files.remove(path);
  else if (before.sha256 === after?.sha256) await files.setMode(path, before.mode);
  else {
    // Damaged where it was kept: what is there now is better than half of what was.
    if (!old || digestOf(old) !== before.sha256) return 'other';
    await files.put(path, { content: old, mode: before.mode, index });
  }
  return 'undone';
}
