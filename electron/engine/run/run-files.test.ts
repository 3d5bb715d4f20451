import { expect, test } from 'vitest';
import type { Planner } from '../plan/planner.ts';
import type { Snapshot } from '../sandbox/stage/snapshot.ts';
import { RunFiles } from './run-files.ts';

/** Files whose copy is counted; no planner is asked for anything. */
function filesOf(workspace: Record<string, string>) {
  const files = new Map(Object.entries(workspace));
  const view = () => Promise.resolve({ folder: '/copy', files });
  const taken: Snapshot[] = [];
  const takeSnapshot = () => {
    taken.push({ files, view } as unknown as Snapshot);
    return Promise.resolve(taken.at(-1)!);
  };
  const planner = {} as Planner;
  return { seen: new RunFiles({ files, makePlanner: () => planner, takeSnapshot }, planner), files, taken };
}

test('RunFiles.viewOf() copies the workspace once, for the first step that sees any of it', async () => {
  const { seen, files, taken } = filesOf({ 'a.md': 'A' });
  const none = await seen.viewOf(new Map());
  expect(await none.view()).toEqual({ folder: undefined, files: new Map() });
  expect(taken).toEqual([]);
  const views = [await seen.viewOf(files), await seen.viewOf(files), await seen.viewOf(undefined)];
  expect(await views[0]!.view()).toEqual({ folder: '/copy', files });
  expect([taken.length, new Set(views).size]).toEqual([1, 1]);
});
