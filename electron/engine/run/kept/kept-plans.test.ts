import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { ActionCache } from '../../cache/action-cache.ts';
import { Sandbox } from '../../sandbox/sandbox.ts';
import { canRunScripts } from '../testing/can-run-scripts.ts';
import { bashSkill, resources, RunsRig, statesOf } from '../testing/runs-rig.ts';
import { findKeptPlan, type FoundPlan } from './find-kept-plan.ts';
import { planOf } from './kept-plan.ts';
import { repeatRun } from './repeat-run.ts';

const isAvailable = await canRunScripts();
const sandbox = new Sandbox();
afterAll(() => sandbox[Symbol.dispose]());

const skills = [
  bashSkill('list', ['echo one'], 'produces: [names]'),
  bashSkill('shout', ['echo "$SUNWELL_INPUT" | tr a-z A-Z'], 'depends_on: [list]', 'requires: [names]'),
].join('');

let rig: RunsRig;
afterEach(() => rig[Symbol.asyncDispose]());

async function make(lens: string, files: Record<string, string> = {}, head = ''): Promise<void> {
  rig = await RunsRig.make(sandbox, lens, files, head);
  rig.build = 'test';
}

function find(
  changes: { environment?: NodeJS.ProcessEnv; build?: string; home?: string } = {},
): Promise<FoundPlan | undefined> {
  const { environment = process.env, build = 'test', home = rig.home } = changes;
  const { root } = rig;
  const path = join(root, rig.lens);
  return findKeptPlan({ home, root, library: join(resources, 'library'), path, environment }, build);
}

/** Tries until what is on disk is old enough; how long that takes is up to the machine. */
function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: 30_000 });
}

/** Runs everything and plans until nothing of it is so new that a change could go unnoticed. */
async function kept(): Promise<FoundPlan> {
  await rig.run();
  return eventually(async () => {
    await rig.restart();
    await rig.plan();
    const found = await find();
    expect(found).toBeDefined();
    return found!;
  });
}

/** Files below the user's folder, with their paths. */
function stored(folder: string): string[] {
  return readdirSync(join(rig.home, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe.skipIf(!isAvailable)('A kept plan', () => {
  test('says what the planner says', async () => {
    await make(skills);
    const found = await kept();
    const plan = await rig.plan();
    expect(planOf(found.plan, new Date())).toEqual(plan);
    expect(plan.toSkip).toEqual(['list', 'shout']);
  });

  test('is left behind by a run in which something ran', async () => {
    await make(skills);
    await kept();
    await rig.edit('a.lens', 'echo one', 'echo two');
    expect(await find()).toBeUndefined();
    await eventually(async () => {
      await rig.restart();
      await rig.run();
      expect(await find()).toBeDefined();
    });
    expect(planOf((await find())!.plan, new Date())).toEqual(await rig.plan());
  });

  test.each<[string, () => Promise<unknown> | unknown]>([
    ['the lens', () => rig.edit('a.lens', 'echo one', 'echo two')],
    ['a lens it builds on', () => rm(join(rig.root, 'base.lens'))],
    ['a script', () => rig.write('s.sh', 'echo 2')],
    ['a script that is gone', () => rm(join(rig.root, 's.sh'))],
    ['a file that a skill sees', () => rig.write('docs/a.md', 'b')],
    ['a file that a skill would see', () => rig.write('docs/b.md', 'b')],
    ['the grants', () => writeFile(join(rig.home, 'grants.json'), '{"version":1,"grants":[]}')],
    ['a result that is gone', () => rm(stored('cache/v1/blobs').find(isResult)!)],
    ['a damaged result', () => rig.damageCache()],
    ['an empty cache', () => rig.cache.clear()],
    ['one result cleared', () => rig.cache.clear({ skill: 'list' })],
    ['a result that was made again', () => rig.run({ force: ['list'] })],
    ['a strange line in the index', () => appendFile(join(rig.home, 'cache/v1/index'), 'x\n')],
    ['another index', () => copyFileAnew(join(rig.home, 'cache/v1/index'))],
  ])('counts no more after a change of %s', async (_what, change) => {
    await make(
      bashSkill('list', ['echo one']) +
        bashSkill('see', ['ls docs'], 'files: ["docs/*"]') +
        '- name: file\n  description: d\n  files: []\n  scripts: [{ name: s.sh, language: bash, path: ./s.sh }]\n',
      { 's.sh': 'echo 1', 'docs/a.md': 'a', 'base.lens': 'metadata: { name: Base, version: 1.0.0 }\n' },
      'extends: ./base.lens\n',
    );
    await kept();
    await change();
    expect(await find()).toBeUndefined();
  });

  test('counts for no other environment that was asked for, program, search path or place', async () => {
    await make(skills, { 'b.lens': 'x' });
    const { text } = await kept();
    expect(await find({ build: 'other' })).toBeUndefined();
    expect(await find({ environment: { ...process.env, UNASKED: '1' } })).toMatchObject({ text });
    const PATH = await folderWithBash();
    expect(await find({ environment: { ...process.env, PATH } })).toBeUndefined();
    const [file] = stored('plans');
    const other = join(rig.home, 'plans', '0'.repeat(32));
    await copyFile(file!, other);
    rig.lens = 'b.lens';
    expect(await find()).toBeUndefined();
  });

  test('counts no more when the user’s folder is elsewhere, because it looked for grants where that was', async () => {
    await make(skills);
    await kept();
    await rig.restart();
    const moved = join(await rig.world.makeFolder(), 'home');
    await rename(rig.home, moved);
    expect(await find({ home: moved })).toBeUndefined();
    await rename(moved, rig.home);
    expect(await find()).toBeDefined();
  });

  test('counts no more when any of its bytes is another one', async () => {
    await make(skills);
    await kept();
    const [file] = stored('plans');
    const whole = await readFile(file!);
    for (let at = 0; at < whole.length; at += 97) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1;
      await writeFile(file!, damaged);
      expect(await find()).toBeUndefined();
      await writeFile(file!, whole.subarray(0, at));
      expect(await find()).toBeUndefined();
    }
    await writeFile(file!, whole);
    expect(await find()).toBeDefined();
  });

  test('counts on when others use the cache, and when files change that no skill sees', async () => {
    await make(skills);
    const { text } = await kept();
    await rig.write('docs/new.md', 'a');
    using cache = ActionCache.open(rig.home);
    cache.noteHit(cache.find((await find())!.plan.steps[0]![4])!);
    cache.putJudgment({ key: 'f'.repeat(64), verdicts: [], workspace: 'w', skillId: 's', runId: 'r' });
    cache.noteFailure({ key: 'e'.repeat(64), workspace: 'w', skillId: 's', runId: 'r' });
    cache.flush();
    expect(await find()).toMatchObject({ text });
  });

  test.each<[string, string, string, object]>([
    ['inputs', skills, '', { inputs: { names: 'x' } }],
    ['a choice', skills, '', { selection: { only: ['list'] } }],
    ['a task', skills, '', { task: 't' }],
    ['a skill that is never cached', bashSkill('a', ['echo 1'], 'cache: false'), '', {}],
    ['a skill that gets the time', argumentSkill('${DATE}'), '', {}],
    ['a skill that proposes files', bashSkill('a', ['echo 1 > "$SUNWELL_FILES/a.md"']), '', {}],
    ['a skill that fails', bashSkill('a', ['exit 1']), '', {}],
    [
      'judges',
      bashSkill('a', ['echo 1']),
      'validators: { deterministic: [{ name: v, check: max_chars, value: 9 }] }\nquality_policy: { required_validators: [v] }\n',
      {},
    ],
  ])('is not made with %s', async (_what, lens, head, request) => {
    await make(lens, {}, head);
    await rig.run(request);
    // Another lens shows when everything is old enough.
    await eventually(async () => {
      await rig.restart();
      await rig.write('b.lens', 'metadata: { name: B, version: 1.0.0 }\nskills: []\n');
      await rig.run(request);
      await rig.plan(request);
    });
    expect(await readdir(join(rig.home, 'plans')).catch(() => [])).toEqual([]);
  });
});

describe.skipIf(!isAvailable)('repeatRun()', () => {
  test('leaves the history, the uses and the record that a run by steps leaves', async () => {
    await make(skills);
    const found = await kept();
    const { record: whole, events } = await rig.run();
    await rig.restart();
    const startedAt = Date.now();
    const summary = repeatRun(found, { home: rig.home, root: rig.root, startedAt })!;
    const [listed] = await rig.runs().list({ limit: 1 });
    expect(listed).toEqual(summary);
    expect(rig.cache.list().map(({ hits }) => hits)).toEqual([2, 2]);
    const record = await rig.runs().show(summary.runId);
    const timeless = { runId: '', startedAt: 0, durationMs: 0, seq: 0 };
    const same = ({ steps, plan, ...run }: typeof record) => ({
      ...{ ...run, ...timeless, request: {} },
      steps: steps.map((step) => ({ ...step, startedAt: 0, durationMs: 0 })),
      plan: { ...plan, decisions: plan.decisions.map((step) => ({ ...step, reasons: [] })) },
    });
    expect(same(record)).toEqual(same(whole));
    expect(statesOf(record)).toEqual({ list: 'cached', shout: 'cached' });
    const told: string[] = [];
    for await (const { type } of rig.runs().events(summary.runId, 0)) told.push(type);
    expect(told).toEqual(events.map(({ type }) => type));
    expect(await find()).toBeDefined();
  });
});

function argumentSkill(argument: string): string {
  return `- name: a\n  description: d\n  files: []\n  scripts: [{ name: a.sh, content: "echo 1", args: ["${argument}"] }]\n`;
}

/** The file of a result, and not one of the texts beside it. */
function isResult(path: string): boolean {
  return readFileSync(path, 'utf8').startsWith('{"key":');
}

/** Another interpreter, and a safe one. */
async function folderWithBash(): Promise<string> {
  const prefix = await rig.world.makeFolder();
  await mkdir(join(prefix, 'bin'), { mode: 0o755 });
  await chmod(prefix, 0o755);
  await writeFile(join(prefix, 'bin/bash'), '#!/bin/sh\n', { mode: 0o755 });
  return join(prefix, 'bin');
}

async function copyFileAnew(path: string): Promise<void> {
  const bytes = await readFile(path);
  await rm(path);
  await writeFile(path, bytes);
}
