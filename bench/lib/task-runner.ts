import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LayeredTask } from './layered-tasks.ts';

/** What is done with the tasks. */
export type Case = 'plan' | 'cached' | 'leaf' | 'cold';
export const cases: Readonly<Record<Case, string>> = {
  plan: 'plan only, all cached',
  cached: 'fully cached run',
  leaf: 'one leaf changed',
  cold: 'cold',
};

export type Commands = Partial<Record<Case, readonly string[]>>;

/** One way to do the same tasks by a command, in a folder of its own. */
export interface TaskRunner {
  readonly name: string;
  readonly setUp: (root: string, tasks: readonly LayeredTask[]) => void;
  readonly commands: (root: string) => Commands;
  /** Makes it forget all results. */
  readonly forget: (root: string) => void;
  /** The script of a task, to be changed. */
  readonly script: (root: string, task: string) => string;
  readonly environment?: (root: string) => NodeJS.ProcessEnv;
  /** May take minutes: repeated only while there is time. */
  readonly isSlow?: boolean;
}

/** The script of a task where all of them lie in one folder. */
export function plainScript(root: string, task: string): string {
  return join(root, 'scripts', `${task}.sh`);
}

let trash: string | undefined;

/**
 * Takes what runs have kept out of the way. It is not deleted between runs: the file system skips the places of deleted files for
 * minutes, one by one, and whoever makes files would pay for that and not for its run.
 */
export function remove(...paths: string[]): void {
  trash ??= makeTrash();
  for (const path of paths.filter((one) => existsSync(one))) {
    renameSync(path, join(mkdtempSync(join(trash, 'old-')), 'kept'));
  }
}

function makeTrash(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-trash-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
/** Makes a new folder for what tasks print. */
export function emptyOut(root: string): void {
  remove(join(root, 'out'));
  mkdirSync(join(root, 'out'));
}
