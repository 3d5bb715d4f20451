import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { historyIndexName } from './run-places.ts';
import { HistoryWatch } from './history-watch.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** A watch, and how often it told of a change by the time `next` resolved. */
function watchFolder(folder: string) {
  let times = 0;
  let wake: () => void = () => undefined;
  const failures: unknown[] = [];
  const watch = new HistoryWatch({
    folder,
    changed: () => {
      times++;
      wake();
    },
    failed: (error) => failures.push(error),
  });
  const next = (): Promise<number> => new Promise((resolve) => (wake = () => resolve(times)));
  return { watch, next, failures };
}

describe('HistoryWatch', () => {
  test('tells of lines that another process adds, also where nothing ran before and the index is written anew', async () => {
    const folder = join(await world.makeFolder(), 'runs', 'harbor');
    const { watch, next, failures } = watchFolder(folder);
    using _ = watch;
    const index = join(folder, historyIndexName);
    const first = next();
    appendFileSync(index, '{}\n');
    await first;
    const second = next();
    writeFileSync(`${index}.part`, '{}\n');
    renameSync(`${index}.part`, index);
    await second;
    const third = next();
    appendFileSync(index, '{}\n');
    expect([await third, failures]).toEqual([3, []]);
  });

  test('tells once of a run of this process, which comes by both ways, and not of journals', async () => {
    const folder = await world.makeFolder();
    const { watch, next } = watchFolder(folder);
    using _ = watch;
    mkdirSync(join(folder, 'a-run'));
    const told = next();
    appendFileSync(join(folder, historyIndexName), '{}\n');
    watch.tell();
    watch.tell();
    expect(await told).toBe(1);
  });

  test('tells of runs of this process where nothing can be watched', async () => {
    const file = join(await world.makeWorkspace({ 'not-a-folder': '' }), 'not-a-folder');
    const { watch, next, failures } = watchFolder(join(file, 'harbor'));
    using _ = watch;
    const told = next();
    watch.tell();
    expect([await told, failures.length]).toEqual([1, 1]);
  });
});
