import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { readUserConfig } from './user-config.ts';

const world = new DiskWorld();
const workers: ChildProcess[] = [];
afterAll(async () => {
  for (const child of workers) child.kill();
  await world[Symbol.asyncDispose]();
});

test('processes that change configuration and settings at once lose no change of each other', async () => {
  const home = await world.makeWorkspace({ 'config.yaml': 'models:\n  m:\n    provider: manual\n' });
  for (let i = 0; i < 4; i++) workers.push(fork(new URL('testing/change-worker.mjs', import.meta.url)));
  await Promise.all(workers.map((child) => once(child, 'message')));
  const said = workers.map((child) => once(child, 'message') as Promise<[unknown]>);
  const names = workers.map((_, i) => Array.from({ length: 4 }, (_, change) => `p${i}-${change}`));
  for (const [i, child] of workers.entries())
    child.send({ home, paths: names[i]!.map((name) => ['models', 'm', 'params', name]) });
  const notices = (await Promise.all(said)).map(([told]) => told);

  const { config } = await readUserConfig(home);
  const settings = JSON.parse(await world.readFile(home, 'studio.json')) as { panes: object };
  expect({
    notices,
    params: config.models.flatMap(({ params }) => Object.keys(params)).sort(),
    panes: Object.keys(settings.panes).sort(),
    files: readdirSync(home).sort(),
  }).toEqual({
    notices: [[], [], [], []],
    params: names.flat(),
    panes: names.flat().map((name) => `models.m.params.${name}`),
    files: ['config.yaml', 'studio.json'],
  });
}, 60_000);
