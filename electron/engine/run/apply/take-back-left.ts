import { readdir, rename, unlink } from 'node:fs/promises';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withFileLock } from '../../store/file-lock.ts';
import { ownerOf, readIntent, type FoundIntent } from './read-intent.ts';
import { undoChange } from './undo-change.ts';
import { WorkspaceFiles } from './workspace-files.ts';
import { removeFolder, removeIntent } from './write-intent.ts';

interface Fate {
  readonly run: string | undefined;
  readonly undone: number;
  /** Paths that somebody else changed since. */
  readonly others: readonly string[];
  /** Why something could not be put back, for the first that could not. */
  readonly problem: string | undefined;
}

/** An intent that cannot be understood, and where it is kept now. */
interface Damaged {
  readonly aside: string;
}

const mostNamed = 5;

/** Takes back every intent in a folder whose process is dead, one process at a time; what it did in a sentence. */
export async function takeBackLeft(folder: string, root: string): Promise<string | undefined> {
  // A workspace that is away for a while, such as a disk that is not mounted, is looked at when it is back.
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  try {
    const fates = await withFileLock(folder, async () => {
      const found: (Fate | Damaged)[] = [];
      for (const name of await readdir(folder).catch(() => [])) {
        const fate = await takeBackOne(join(folder, name), root);
        if (fate) found.push(fate);
      }
      await removeFolder(folder);
      return found;
    });
    return fates.map(sentenceOf).join('. ') || undefined;
  } catch (error) {
    return `Cannot look after what was left half written in the workspace: ${(error as Error).message}`;
  }
}

async function takeBackOne(path: string, root: string): Promise<Fate | Damaged | undefined> {
  const owner = ownerOf(path);
  if (!owner || owner.isAlive) return undefined;
  const found = await readIntent(path);
  if (found === 'damaged') {
    const aside = `${dirname(path)}.corrupt-${owner.id}`;
    await rename(path, aside);
    return { aside };
  }
  if (!found) {
    await unlink(path);
    return undefined;
  }
  const fate = await takeBack(found, root, new WorkspaceFiles(root, owner.id));
  if (fate.problem === undefined) await removeIntent(path);
  return fate.undone + fate.others.length > 0 || fate.problem !== undefined ? fate : undefined;
}

async function takeBack({ intent, old }: FoundIntent, root: string, files: WorkspaceFiles): Promise<Fate> {
  let undone = 0;
  let problem: string | undefined;
  const others: string[] = [];
  for (const [index, change] of [...intent.changes.entries()].reverse()) {
    try {
      await files.sweep(change.path, index);
      const fate = await undoChange(root, files, { change, old: old[index], index });
      if (fate === 'undone') undone++;
      if (fate === 'other') others.push(change.path);
    } catch (error) {
      problem ??= `"${change.path}": ${(error as Error).message}`;
    }
  }
  try {
    for (const folder of intent.folders.toReversed()) await files.removeEmpty(folder);
    await files.sync();
  } catch (error) {
    problem ??= (error as Error).message;
  }
  return { run: intent.run, undone, others: others.reverse(), problem };
}

function sentenceOf(fate: Fate | Damaged): string {
  if ('aside' in fate)
    return `A run was killed while its files were written, and what was there before cannot be read: it is kept as "${fate.aside}"`;
  const { run, undone, others, problem } = fate;
  const whose = run === undefined ? 'A run' : `Run "${run}"`;
  const parts = [
    ...(undone > 0 ? [`${undone} ${undone === 1 ? 'file is' : 'files are'} as before`] : []),
    ...(others.length > 0 ? [`left as they are, because they changed since: ${named(others)}`] : []),
    ...(problem === undefined ? [] : [`not all could be put back, which is tried again: ${problem}`]),
  ];
  return `${whose} was killed while its files were written: ${parts.join('; ')}`;
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, mostNamed).map((path) => JSON.stringify(path));
  const more = paths.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
