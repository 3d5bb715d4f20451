import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { RunEvent } from '#shared/model/event.ts';
import type { RunId } from '#shared/model/run.ts';
import { Sandbox } from '../../sandbox/sandbox.ts';
import { canRunScripts } from '../testing/can-run-scripts.ts';
import { decisionsOf, resources, RunsRig, statesOf } from '../testing/runs-rig.ts';
import { workspaceKey } from '../workspace-key.ts';
import { findKeptPlan } from './find-kept-plan.ts';
import { openPlanStore } from './plan-store.ts';
import { placeName, type Premises } from './premises.ts';
import type { KeptPlan } from './kept-plan.ts';
import { standingSteps, type RestsOn } from './standing-steps.ts';
import { StandingRig } from './testing/standing-rig.ts';

const isAvailable = await canRunScripts();
const sandbox = new Sandbox();
afterAll(() => sandbox[Symbol.dispose]());

let rig: RunsRig;
afterEach(() => rig[Symbol.asyncDispose]());

const skill = (name: string, ...lines: string[]): string =>
  [
    `- name: ${name}`,
    '  description: d',
    '  files: []',
    `  produces: [${name}-key]`,
    `  scripts: [{ name: ${name}.sh, language: bash, path: ./${name}.sh }]`,
    ...lines.map((line) => `  ${line}`),
    '',
  ].join('\n');

const skills = [
  skill('list'),
  skill('other'),
  skill('shout', 'depends_on: [list]', 'requires: [list-key]'),
  skill('end', 'depends_on: [shout, other]', 'requires: [shout-key]'),
].join('');

const files = {
  'list.sh': 'echo one\n',
  'other.sh': 'echo other\n',
  'shout.sh': 'tr a-z A-Z < "$SUNWELL_INPUT" | head -c 9\n',
  'end.sh': 'cat "$SUNWELL_INPUT"\n',
};

/** A workspace after a run whose plan is kept. */
async function makeKept(): Promise<void> {
  rig = await RunsRig.make(sandbox, skills, files);
  rig.build = 'test';
  await rig.run();
  await eventually(async () => {
    await rig.restart();
    await rig.plan();
    const { home, root } = rig;
    const place = { home, root, library: join(resources, 'library'), path: join(root, rig.lens) };
    expect(await findKeptPlan({ ...place, environment: process.env }, 'test')).toBeDefined();
  });
}

/** Tries until what is on disk is old enough; how long that takes is up to the machine. */
function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  return vi.waitFor(attempt, { timeout: 30_000 });
}

/** Waits until a change of a file could not be mistaken for a later one. */
async function old(file: string): Promise<void> {
  const { ctimeMs } = await stat(join(rig.root, file));
  await eventually(async () => expect(Date.now() - ctimeMs).toBeGreaterThan(60));
}

async function journalOf(run: RunId): Promise<string> {
  return readFile(join(rig.home, 'runs', workspaceKey(rig.root), run, 'journal.jsonl'), 'utf8');
}

async function eventsOf(run: RunId): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of rig.runs().events(run, 0)) events.push(event);
  return events;
}

describe.skipIf(!isAvailable)('A run after a script changed', () => {
  test('takes what stands at once, and its journal tells the same as it did', async () => {
    await makeKept();
    // Each attempt is a change, for only one that is old enough when it is looked at leaves something standing.
    let round = 0;
    const { record, events } = await eventually(async () => {
      await rig.write('shout.sh', `echo ${++round}\n`);
      await old('shout.sh');
      await rig.restart();
      const run = await rig.run();
      expect(await journalOf(run.record.runId)).toContain('{"standing":');
      return run;
    });
    expect(statesOf(record)).toEqual({ list: 'cached', other: 'cached', shout: 'ran', end: 'ran' });
    expect(record.predictedVsActual).toEqual([]);
    expect(record.steps.map(({ content }) => content)).toEqual([
      'one\n',
      'other\n',
      `${round}\n`,
      expect.stringContaining(`"shout-key":"${round}`),
    ]);
    await rig.restart();
    expect(await eventsOf(record.runId)).toEqual(events);
    expect(await rig.runs().show(record.runId)).toEqual(record);
    expect(decisionsOf(await rig.plan())).toEqual({
      list: 'skip',
      other: 'skip',
      shout: 'skip',
      end: 'skip',
    });
    const hits = Object.fromEntries(rig.cache.list().map(({ skill: id, hits: count }) => [id, count]));
    expect(hits['a.lens:other']).toBe(round);
  });

  test('leaves out what comes out as before, and says what a run from scratch says', async () => {
    await makeKept();
    const run = await eventually(async () => {
      await rig.write('list.sh', `echo one # ${Math.random()}\n`);
      await old('list.sh');
      await rig.restart();
      const { record } = await rig.run();
      expect(await journalOf(record.runId)).toContain('{"standing":');
      return record;
    });
    expect(decisionsOf(run.plan)).toEqual({
      list: 'run',
      other: 'skip',
      shout: 'undecided',
      end: 'undecided',
    });
    expect(statesOf(run)).toEqual({ list: 'ran', other: 'cached', shout: 'cached', end: 'cached' });
  });

  test('that is cancelled before it begins takes nothing', async () => {
    await makeKept();
    await rig.write('shout.sh', 'echo 2\n');
    await old('shout.sh');
    await rig.restart();
    const controller = new AbortController();
    const starting = rig.start({}, { signal: controller.signal });
    controller.abort();
    const record = await (await starting).done;
    expect([record.status, ...new Set(Object.values(statesOf(record)))]).toEqual(['cancelled', 'cancelled']);
  });
});

describe.skipIf(!isAvailable)('standingSteps()', () => {
  /** The kept plan and what a plan would rest on now, as the program finds both. */
  async function found(): Promise<{ premises: Premises; plan: KeptPlan; now: RestsOn; close: () => void }> {
    await makeKept();
    const { home, root } = rig;
    const place = { root, library: join(resources, 'library'), path: join(root, rig.lens) };
    const text = openPlanStore(home, 'test')!.read(placeName(place))!.toString();
    const [premises, plan] = text.split('\n').map((line) => JSON.parse(line) as unknown);
    const opened = new StandingRig({ root, home, sandbox });
    const { looked, files: seen } = await opened.standing();
    const now = { ...looked!, files: seen, cache: opened.cache };
    const close = (): void => opened[Symbol.dispose]();
    return { premises: premises as Premises, plan: plan as KeptPlan, now, close };
  }

  const names = (now: RestsOn, standing: ReadonlyMap<number, unknown>): string[] =>
    [...standing.keys()].map((index) => now.resolution.skills[index]!.name).sort();

  test('is everything where nothing changed, and nothing with another interpreter, file or graph', async () => {
    const { premises, plan, now, close } = await found();
    expect(names(now, standingSteps(premises, plan, now))).toEqual(['end', 'list', 'other', 'shout']);
    const other = { ...now, interpreters: { bash: ['/usr/bin/bash', 'other'] as const } };
    expect(standingSteps(premises, plan, other).size).toBe(0);
    expect(standingSteps({ ...premises, files: '0'.repeat(64) }, plan, now).size).toBe(0);
    expect(standingSteps(premises, { ...plan, steps: plan.steps.slice(1) }, now).size).toBe(0);
    const looked = { ...premises.footprint.looked, [join(rig.root, 'new')]: 'missing' };
    const footprint = { ...premises.footprint, looked };
    expect(standingSteps({ ...premises, footprint }, plan, now).size).toBe(0);
    close();
  });

  test('is not what a step that runs needs and cannot be read, nor what is behind it', async () => {
    const { premises, plan, now, close } = await found();
    const shout = plan.steps.find(([name]) => name === 'shout')!;
    const list = plan.steps.find(([name]) => name === 'list')!;
    const cache: RestsOn['cache'] = {
      stillKept: (key, ...others) => (key === shout[4] ? undefined : now.cache.stillKept(key, ...others)),
      find: (key) => (key === list[4] ? undefined : now.cache.find(key)),
    };
    expect(names(now, standingSteps(premises, plan, { ...now, cache }))).toEqual(['other']);
    close();
  });
});
