import { constants } from 'node:fs';
import { lstat, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { digestOf } from '../store/digest.ts';
import { problemOfPath } from '../tools/proposed-path.ts';
import { Applying, type AppliedRun } from './apply/applying.ts';
import { isStartable } from './apply/file-now.ts';
import type { ProposedChange } from './step-result.ts';

/** A proposed change beside the file it is about, as that is now. */
export interface ReviewedChange {
  readonly path: string;
  readonly operation: 'create' | 'update' | 'delete' | 'none';
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  /** SHA-256 of the proposed content; undefined for a deletion. */
  readonly contentHash?: string;
  readonly isExecutable: boolean;
  /** It is executable then, and is not now. */
  readonly becomesExecutable: boolean;
  /** When the file that is there now was last changed in any way. */
  readonly changedAtMs: number | undefined;
}

/** The workspace as a run saw it when it started. */
export interface Baseline {
  readonly root: string;
  readonly startedAt: Date;
  /** Path → SHA-256 of every file that scripts could see. */
  readonly files: ReadonlyMap<string, string>;
}

/** Looks at the file that a change is about; refuses what leads out of the workspace. */
export async function reviewChange(root: string, change: ProposedChange): Promise<ReviewedChange> {
  const { path } = change;
  const now = await readInside(root, path);
  const after = change.operation === 'write' ? change.content : undefined;
  const isExecutable = change.operation === 'write' && change.mode === 0o755;
  const becomesExecutable = isExecutable && (!now || !isStartable(now.mode));
  return {
    path,
    operation: same(now?.content, after) && becomesExecutable ? 'update' : operationOf(now?.content, after),
    before: now?.content,
    after,
    ...(change.operation === 'write' && { contentHash: change.sha256 }),
    isExecutable,
    becomesExecutable,
    changedAtMs: now?.changedAtMs,
  };
}

/** The same for all of them, by path; none where one is refused. */
export async function reviewChanges(
  root: string,
  changes: readonly ProposedChange[],
): Promise<readonly ReviewedChange[]> {
  const reviewed: ReviewedChange[] = [];
  for (const change of changes) reviewed.push(await reviewChange(root, change));
  return reviewed.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether the file of a change is no longer as the run saw it. */
export function hasConflict({ startedAt, files }: Baseline, change: ReviewedChange): boolean {
  const { path, operation, before, changedAtMs = 0 } = change;
  if (operation === 'none' || (before && digestOf(before)) === files.get(path)) return false;
  // What scripts could not see, such as an ignored file, has no hash; then its time says whether it was touched.
  return files.has(path) || changedAtMs >= startedAt.getTime();
}

/**
 * Writes reviewed changes, all or none: none if one of their files is no longer as the run saw it, or cannot be written.
 * Through a crash that holds where the run is named: what was half written is taken back at the next opening.
 */
export async function applyChanges(
  baseline: Baseline,
  changes: readonly ReviewedChange[],
  run?: AppliedRun,
): Promise<readonly string[]> {
  const { root } = baseline;
  // New files would make the folders above them, and so a workspace that somebody moved away a second time.
  if (!(await isFolder(root))) {
    const message = `Cannot write into "${root}": the workspace is no longer there. Nothing was written`;
    throw new StudioError('artifact.unwritable', message, { file: root, applied: [] });
  }
  const changed = changes.filter((change) => hasConflict(baseline, change));
  if (changed.length > 0) {
    const paths = changed.map(({ path }) => path);
    const listed = paths.map((path) => `"${path}"`).join(', ');
    throw new StudioError(
      'artifact.changed',
      `Cannot write: ${listed} changed since the run started. Nothing was written`,
      { files: paths },
    );
  }
  const wanted = changes.filter(({ operation }) => operation !== 'none');
  const applying = await Applying.begin(root, wanted, run);
  const applied: ReviewedChange[] = [];
  for (const change of wanted) {
    try {
      await applyOne(root, change, applying);
      applied.push(change);
      if (applied.length === wanted.length) await applying.end();
    } catch (error) {
      throw await takenBack(applying, { change, applied, error: error as Error });
    }
  }
  return applied.map(({ path }) => path);
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

async function applyOne(root: string, change: ReviewedChange, applying: Applying): Promise<void> {
  const now = await readInside(root, change.path);
  if (!same(now?.content, change.before)) throw new Error('it changed while the files were written');
  await applying.write(change);
}

/** Undoes what was written before a change that failed; what cannot be undone is named. */
async function takenBack(
  applying: Applying,
  failed: { change: ReviewedChange; applied: readonly ReviewedChange[]; error: Error },
): Promise<StudioError> {
  const left: string[] = [];
  for (const change of failed.applied.toReversed()) {
    try {
      await applying.takeBack(change);
    } catch {
      left.push(change.path); // Told to the user: nothing more can be done.
    }
  }
  await applying.giveUp();
  const { change, error } = failed;
  const fate = left.length === 0 ? 'Nothing was written' : `Written and not taken back: ${left.join(', ')}`;
  // What is refused says itself what cannot be done.
  const said =
    error instanceof StudioError ? error.message : `Cannot write "${change.path}": ${error.message}`;
  return new StudioError('artifact.unwritable', `${said}. ${fate}`, { file: change.path, applied: left });
}

/** The regular file at a path of the workspace; undefined when there is none. A link on the way is refused. */
async function readInside(
  root: string,
  path: string,
): Promise<{ content: Buffer; mode: number; changedAtMs: number } | undefined> {
  const problem = problemOfPath(path);
  if (problem !== undefined) throw unsafe(path, problem);
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const found = await lstat(join(root, ...parts.slice(0, depth))).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw unreadable(path, error);
    });
    if (!found) return undefined;
    const shown = parts.slice(0, depth).join('/');
    if (found.isSymbolicLink()) throw unsafe(path, `"${shown}" is a link`);
    const isLast = depth === parts.length;
    if (isLast ? !found.isFile() : !found.isDirectory()) {
      throw unsafe(path, `"${shown}" is not a ${isLast ? 'regular file' : 'folder'}`);
    }
  }
  const handle = await open(
    join(root, path),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch((error: Error) => {
    throw unreadable(path, error);
  });
  try {
    const { ctimeMs, mode } = await handle.stat();
    return { content: await handle.readFile(), mode: mode & 0o7777, changedAtMs: ctimeMs };
  } finally {
    await handle.close();
  }
}

function operationOf(before: Buffer | undefined, after: Buffer | undefined): ReviewedChange['operation'] {
  if (same(before, after)) return 'none';
  if (!before) return 'create';
  return after ? 'update' : 'delete';
}

function same(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.equals(b));
}

function unsafe(path: string, why: string): StudioError {
  return new StudioError('artifact.unsafe', `Cannot write ${JSON.stringify(path)}: ${why}`, { file: path });
}

/** As of a file that another user made, such as root in a container. */
function unreadable(path: string, { message }: Error): StudioError {
  return new StudioError(
    'artifact.unwritable',
    `Cannot compare what is proposed for "${path}" with what is there: ${message}`,
    { file: path },
  );
}
