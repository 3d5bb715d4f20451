import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskWorld } from '../../../testing/disk-world.ts';
import { layOutApp } from '../../store/testing/lay-out-app.ts';
import { workspaceKey } from '../workspace-key.ts';
import { isApplyLeft, takeBackKilled } from './take-back-killed.ts';

const folder = mkdtempSync(join(tmpdir(), 'sunwell-apply-crash-'));
const driver = join(folder, 'apply-driver.js');

beforeAll(async () => {
  layOutApp(folder);
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'testing/apply-driver.ts'),
      outDir: folder,
      target: 'node20',
      minify: false,
    },
  });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

const numbers = [0, 1, 2, 3, 4];
const texts = Object.fromEntries(
  numbers.flatMap((i) => [
    [`replaced/${i}.txt`, `old ${i}\n`],
    [`deleted/${i}.txt`, `gone ${i}\n`],
    [`other/${i}.txt`, `other ${i}\n`],
  ]),
);
const changes = numbers.flatMap((i) => [
  { path: `replaced/${i}.txt`, text: `new ${i}\n`, isExecutable: i === 1 },
  { path: `deleted/${i}.txt` },
  { path: `made/${i % 2}/deep/${i}.sh`, text: `made ${i}\n`, isExecutable: i % 2 === 0 },
]);

type Tree = Record<string, string>;

/** Every file and folder, with the content and with what may be started. */
function treeOf(root: string): Tree {
  const found: Tree = {};
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const stats = statSync(join(root, name));
    const marks = (stats.mode & 0o100) === 0 ? '' : '* ';
    found[name] = stats.isDirectory() ? 'folder' : marks + readFileSync(join(root, name), 'utf8');
  }
  return found;
}

class World extends DiskWorld {
  root = '';
  home = '';

  static async make(): Promise<World> {
    const world = new World();
    world.root = await world.makeWorkspace(texts);
    await chmod(join(world.root, 'replaced/2.txt'), 0o755);
    world.home = await world.makeFolder();
    return world;
  }

  /** Applies all changes in a process of its own; returns its calls, or nothing where it was killed. */
  async drive(kill: { at?: { name?: string; nth: number }; afterMs?: number } = {}): Promise<string[]> {
    const { root, home } = this;
    const history = join(home, 'runs', workspaceKey(root));
    const given = JSON.stringify({ root, history, run: 'r1', changes, killAt: kill.at });
    const child = spawn(process.execPath, [driver, given], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    let said: string | undefined;
    let timer: NodeJS.Timeout | undefined;
    for await (const line of createInterface(child.stdout)) {
      if (line !== 'begin') said = line;
      else if (kill.afterMs !== undefined) timer = setTimeout(() => child.kill('SIGKILL'), kill.afterMs);
    }
    await closed;
    clearTimeout(timer);
    return said === undefined ? [] : (JSON.parse(said) as string[]);
  }

  reopen(): Promise<string | undefined> {
    return takeBackKilled(this);
  }
}

async function wholeRun(): Promise<{ calls: string[]; before: Tree; after: Tree; tookMs: number }> {
  await using world = await World.make();
  const before = treeOf(world.root);
  const began = performance.now();
  const calls = await world.drive();
  return { calls, before, after: treeOf(world.root), tookMs: performance.now() - began };
}

test('a killed apply leaves all or nothing once the workspace is opened again, wherever it was killed', async () => {
  const { calls, before, after, tookMs } = await wholeRun();
  expect(Object.values(after).filter((text) => text.includes('made'))).toHaveLength(5);
  const named = [...new Set(calls)].flatMap((name) => {
    const last = calls.filter((other) => other === name).length;
    return [{ name, nth: 1 }, { name, nth: Math.ceil(last / 2) }, { name, nth: last }]; // prettier-ignore
  });
  const spread = Array.from({ length: 18 }, () => ({ nth: 1 + Math.floor(Math.random() * calls.length) }));
  const kills = [
    ...[...named, ...spread].map((at) => ({ at })),
    ...Array.from({ length: 6 }, () => ({ afterMs: Math.random() * (tookMs / 4) })),
  ];
  expect(kills.length).toBeGreaterThanOrEqual(40);
  let halves = 0;
  const tryOne = async (kill: (typeof kills)[number]): Promise<void> => {
    await using world = await World.make();
    const isDone = (await world.drive(kill)).length > 0;
    const left = JSON.stringify(treeOf(world.root));
    if (left !== JSON.stringify(before) && left !== JSON.stringify(after)) halves++;
    const said = await world.reopen();
    const tree = treeOf(world.root);
    const is = JSON.stringify(tree) === JSON.stringify(after) ? after : before;
    expect(tree, `killed at ${JSON.stringify(kill)}; then: ${said}`).toEqual(isDone ? after : is);
    expect([isApplyLeft(world), await world.reopen()]).toEqual([false, undefined]);
  };
  const waiting = [...kills];
  const tryAll = async (): Promise<void> => {
    for (let kill = waiting.pop(); kill; kill = waiting.pop()) await tryOne(kill);
  };
  await Promise.all([tryAll(), tryAll(), tryAll()]);
  // Otherwise nothing was tried.
  expect(halves).toBeGreaterThan(10);
}, 120_000);

test('what a user changed since is left as it is, and named', async () => {
  const { calls, before } = await wholeRun();
  const renames = calls.filter((name) => name === 'rename').length;
  await using world = await World.make();
  await world.drive({ at: { name: 'rename', nth: renames } });
  const mine = { 'replaced/0.txt': 'mine', 'deleted/1.txt': 'mine again', 'made/0/deep/2.sh': 'mine too' };
  for (const [path, text] of Object.entries(mine)) await writeFile(join(world.root, path), text);
  await chmod(join(world.root, 'made/1/deep/1.sh'), 0o755);
  expect(existsSync(join(world.root, 'made/1/deep/3.sh'))).toBe(true);
  const said = await world.reopen();
  expect(treeOf(world.root)).toEqual({
    ...before,
    ...mine,
    made: 'folder',
    'made/0': 'folder',
    'made/0/deep': 'folder',
    'made/0/deep/2.sh': '* mine too',
    'made/1': 'folder',
    'made/1/deep': 'folder',
    'made/1/deep/1.sh': '* made 1\n',
  });
  expect(said).toBe(
    'Run "r1" was killed while its files were written: 10 files are as before; left as they are, because they changed ' +
      'since: "deleted/1.txt", "made/0/deep/2.sh", "made/1/deep/1.sh", "replaced/0.txt"',
  );
  expect(isApplyLeft(world)).toBe(false);
});
