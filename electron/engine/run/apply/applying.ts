import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { lstat } from 'node:fs/promises';
import { StudioError } from '#shared/errors.ts';
import { digestOf } from '../../store/digest.ts';
import { syncFolder } from '../../store/write-file.ts';
import { applyingName } from '../run-places.ts';
import { isStartable, statsInside } from './file-now.ts';
import type { IntendedChange, Intent } from './intent.ts';
import { undoChange } from './undo-change.ts';
import { WorkspaceFiles } from './workspace-files.ts';
import { removeIntent, writeIntent } from './write-intent.ts';

/** A change of one file that was decided; no content means that the file is, or is to be, not there. */
export interface DecidedChange {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  readonly isExecutable: boolean;
}

/** Where the history of a workspace is, and which of its runs is written into the workspace. */
export interface AppliedRun {
  readonly history: string;
  readonly run: string;
}

/** Files of a workspace that are being written, all or none: also where this process is killed before `end`. */
export class Applying {
  readonly #root: string;
  readonly #files: WorkspaceFiles;
  readonly #intent: Intent;
  readonly #changes: readonly DecidedChange[];
  readonly #kept: string | undefined;

  private constructor(parts: {
    root: string;
    files: WorkspaceFiles;
    intent: Intent;
    changes: readonly DecidedChange[];
    kept: string | undefined;
  }) {
    this.#root = parts.root;
    this.#files = parts.files;
    this.#intent = parts.intent;
    this.#changes = parts.changes;
    this.#kept = parts.kept;
  }

  /** Writes down what is about to change; the workspace is not touched yet. */
  static async begin(
    root: string,
    changes: readonly DecidedChange[],
    place: AppliedRun | undefined,
  ): Promise<Applying> {
    const id = randomBytes(8).toString('hex');
    const intended: IntendedChange[] = [];
    for (const change of changes) intended.push(await intendedOf(root, change));
    const intent: Intent = {
      ...(place && { run: place.run }),
      changes: intended,
      folders: await foldersToMake(root, changes),
    };
    const old = intended.flatMap(({ before }, i) => (before ? [changes[i]!.before!] : []));
    const kept = place && intended.length > 0 ? await keep(place, id, { intent, old }) : undefined;
    return new Applying({ root, changes, intent, kept, files: new WorkspaceFiles(root, id) });
  }

  /** Writes one of the changes. */
  async write(change: DecidedChange): Promise<void> {
    const { path, after } = change;
    if (!after) return this.#files.remove(path);
    const index = this.#changes.indexOf(change);
    const { before, after: intended } = this.#intent.changes[index]!;
    const mode = modeAfter(before?.mode, intended!.isExecutable);
    await this.#files.put(path, { content: after, mode, index });
  }

  /** Puts back what was there before one of the changes; throws where it changed since. */
  async takeBack(change: DecidedChange): Promise<void> {
    const index = this.#changes.indexOf(change);
    const undone = { change: this.#intent.changes[index]!, old: change.before, index };
    const fate = await undoChange(this.#root, this.#files, undone);
    if (fate === 'other') throw new Error('it changed meanwhile');
  }

  /** Everything is as it shall stay, and on the disk: from here on nothing is taken back. */
  async end(): Promise<void> {
    await this.#files.sync();
    if (this.#kept !== undefined) await removeIntent(this.#kept);
  }

  /** Everything was taken back as far as it could be. Never throws: what is left here is looked at again at the next opening. */
  async giveUp(): Promise<void> {
    try {
      for (const folder of this.#intent.folders.toReversed()) await this.#files.removeEmpty(folder);
      await this.end();
    } catch {
      // Why nothing was written is what the user needs to hear; taking back what is back already changes nothing.
    }
  }
}

async function intendedOf(root: string, change: DecidedChange): Promise<IntendedChange> {
  const { path, before, after, isExecutable } = change;
  // What took its place since it was reviewed is refused when it is its turn to be written.
  const stats = before && (await statsInside(root, path).catch(() => undefined));
  const mode = (stats?.mode ?? 0o644) & 0o7777;
  return {
    path,
    before: before ? { sha256: digestOf(before), mode, bytes: before.length } : null,
    after: after
      ? { sha256: digestOf(after), isExecutable: isExecutable || (before !== undefined && isStartable(mode)) }
      : null,
  };
}

/** Undefined where there was no file and it is to be as new files are. */
function modeAfter(before: number | undefined, isExecutable: boolean): number | undefined {
  if (before !== undefined && isStartable(before) === isExecutable) return before;
  return isExecutable ? 0o755 : undefined;
}

/** The folders that are not there yet, outer ones first. */
async function foldersToMake(root: string, changes: readonly DecidedChange[]): Promise<string[]> {
  const known = new Map<string, boolean>([['.', true]]);
  const isThere = async (folder: string): Promise<boolean> => {
    const said = known.get(folder);
    if (said !== undefined) return said;
    const found =
      (await isThere(dirname(folder))) &&
      (await lstat(join(root, folder)).catch(() => undefined)) !== undefined;
    known.set(folder, found);
    return found;
  };
  for (const { path, after } of changes) if (after) await isThere(dirname(path));
  return [...known].flatMap(([folder, found]) => (found ? [] : [folder])).sort();
}

async function keep(
  { history, run }: AppliedRun,
  id: string,
  parts: { intent: Intent; old: readonly Uint8Array[] },
): Promise<string | undefined> {
  try {
    const kept = await writeIntent(join(history, applyingName), id, parts);
    // That a run was applied is written into its journal afterwards: a journal in a folder that the disk has not is none.
    await syncFolder(join(history, run)).catch(() => undefined); // A run that could not be kept has none.
    return kept;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // A user's folder that cannot be written at all has been told of by the run, which keeps nothing there either.
    if (['EROFS', 'EACCES', 'EPERM'].includes(code)) return undefined;
    throw new StudioError(
      'artifact.unwritable',
      `Cannot write: what is there now cannot be kept for the case of a crash: ${message}. Nothing was written`,
      { applied: [] },
    );
  }
}
