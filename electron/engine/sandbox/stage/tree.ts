import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMarkAlive, ownMark } from '../../store/process-mark.ts';

/** Which trees of copies this process uses, said on disk so that no other process removes them meanwhile. */
export class TreeClaims {
  readonly #counts = new Map<string, number>();

  /** False when the tree is not there any more. */
  claim(tree: string): boolean {
    try {
      writeFileSync(markIn(tree), '');
      // Looked at after the claim: another process may just have moved the tree away.
      if (!statSync(join(tree, 'all')).isDirectory()) return false;
    } catch {
      return false;
    }
    this.#counts.set(tree, (this.#counts.get(tree) ?? 0) + 1);
    return true;
  }

  release(tree: string): void {
    const count = (this.#counts.get(tree) ?? 0) - 1;
    if (count > 0) {
      this.#counts.set(tree, count);
    } else {
      this.#counts.delete(tree);
      rmSync(markIn(tree), { force: true });
    }
  }
}

/** Makes the folder in which users of a tree leave their mark, with that of this process. */
export function makeMarks(tree: string): void {
  mkdirSync(join(tree, 'used-by'), { mode: 0o700 });
  writeFileSync(markIn(tree), '');
}

const newTree = 'making-';

/** What a tree is called until it is claimed; the name says who makes it. */
export function newTreeName(): string {
  return `${newTree}${ownMark()}-${randomBytes(8).toString('hex')}`;
}

/** Removes trees that no living process uses; true when none but `kept` is left. */
export function dropUnused(folder: string, kept?: string): boolean {
  const trees = namesIn(folder).filter((name) => /^(?:tree|gone|making)-/.test(name) && name !== kept);
  return trees.map((name) => dropTree(join(folder, name))).every(Boolean);
}

/** None where another process was quicker: it removes the whole folder once nobody uses a tree in it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function dropTree(tree: string): boolean {
  const name = basename(tree);
  if (name.startsWith(newTree)) {
    if (isMarkAlive(name.slice(newTree.length))) return false;
    rmSync(tree, { recursive: true, force: true });
    return true;
  }
  const aside = join(dirname(tree), `gone-${randomBytes(8).toString('hex')}`);
  try {
    if (isUsed(tree)) return false;
    renameSync(tree, aside);
    // Claimed between the look and the move: the claimer checks after claiming, and finds it here again or copies anew.
    if (isUsed(aside)) {
      renameSync(aside, tree);
      return false;
    }
  } catch {
    return false; // Another process was quicker.
  }
  rmSync(aside, { recursive: true, force: true });
  return true;
}

/** A run is over by then; a studio that still is there takes a new copy. */
const longestUseMs = 24 * 3_600_000;

function isUsed(tree: string): boolean {
  const users = join(tree, 'used-by');
  return readdirSync(users).some((mark) =>
    isMarkAlive(mark, { path: join(users, mark), goodForMs: longestUseMs }),
  );
}

function markIn(tree: string): string {
  return join(tree, 'used-by', ownMark());
}
