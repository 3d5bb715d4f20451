import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Plan } from '#shared/model/plan.ts';
import type { RunId } from '#shared/model/run.ts';
import { timeOfRun } from '#shared/run-time.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { Log } from '../store/log.ts';
import { ownMark } from '../store/process-mark.ts';
import { Journal } from './journal.ts';
import { runFromLines } from './read-journal.ts';
import { journalName } from './run-places.ts';
import { RunHistory } from './run-history.ts';
import { workspaceKey } from './workspace-key.ts';
import { newRunId } from './run-id.ts';
import { summaryOf } from './step-record.ts';

let world: DiskWorld;
let folder: string;
beforeEach(async () => {
  world = new DiskWorld();
  folder = join(await world.makeFolder(), 'runs');
});
afterEach(() => world[Symbol.asyncDispose]());

const dead = '1-0';
const started = 1_790_000_000_000;
const plan: Plan = {
  lens: 'a.lens',
  lensName: 'A',
  contentHash: 'h',
  decisions: [
    {
      skill: 'one',
      id: 'a:one',
      wave: 0,
      decision: 'run',
      reasons: [{ id: 'no-entry', subject: '', sentence: 's' }],
    },
  ],
  toExecute: ['one'],
  toSkip: [],
  skipPercentage: 0,
  estimatedMs: 0,
  savedMs: 0,
};

function history(limits?: { runs: number; bytes: number }): RunHistory {
  return new RunHistory({ folder, log: new Log(folder), ...(limits && { limits }) });
}

/** Writes the journal of a run that has begun, and its end if it has one. */
async function write(
  runId: RunId,
  { isOver, mark = dead }: { isOver: boolean; mark?: string },
): Promise<Journal> {
  const journal = new Journal(join(folder, runId), (problem) => {
    throw new Error(problem);
  });
  const startedAt = timeOfRun(runId)!;
  journal.append({ run: { runId, lens: 'a.lens', lensName: 'A', startedAt, request: {}, mark } });
  journal.append({ plan });
  journal.append({
    event: { type: 'run_start', seq: 1, at: startedAt, run_id: runId, lens: 'a.lens', lens_name: 'A' },
  });
  if (isOver)
    journal.append({ end: { status: 'succeeded', durationMs: 5, predictedVsActual: [], warnings: [] } });
  await journal.close();
  return journal;
}

describe('RunHistory', () => {
  test('lists newest first: what is over, what still runs, and what was interrupted', async () => {
    const [a, b, c] = [newRunId(started), newRunId(started + 1), newRunId(started + 2)];
    await write(a, { isOver: true });
    await write(b, { isOver: false });
    await write(c, { isOver: false, mark: ownMark() });
    const listed = await history().list({ limit: 10 });
    expect(listed.map(({ runId, status }) => [runId, status])).toEqual([
      [c, 'running'],
      [b, 'interrupted'],
      [a, 'succeeded'],
    ]);
    expect((await history().list({ limit: 10, before: c })).map(({ runId }) => runId)).toEqual([b, a]);
    expect((await history().list({ limit: 1 })).map(({ runId }) => runId)).toEqual([c]);
    const ofLens = async (lens: string) => (await history().list({ limit: 2, lens })).length;
    expect([await ofLens('a.lens'), await ofLens('b.lens')]).toEqual([2, 0]);
    expect((await history().read(b)).record.steps.map(({ state }) => state)).toEqual(['interrupted']);
  });

  test('tells of a run that goes on how long it takes so far, however long it is silent', async () => {
    const startedAt = Date.now() - 60_000;
    const runId = newRunId(startedAt);
    const journal = await write(runId, { isOver: false, mark: ownMark() });
    const listed = async (): Promise<boolean[]> =>
      (await history().list({ limit: 1 })).map(({ durationMs }) => durationMs >= 60_000);
    const withoutIndex = await listed();
    const { record } = await history().read(runId);
    history().note({ summary: { ...summaryOf(record), durationMs: 0 }, mark: ownMark() });
    expect([withoutIndex, await listed(), record.durationMs >= 60_000]).toEqual([[true], [true], true]);
    expect(record.steps).toMatchObject([{ state: 'pending', durationMs: 0 }]);
    expect(journal.isWhole).toBe(true);
    const lines = (await readFile(join(folder, runId, journalName), 'utf8')).split('\n');
    const at = startedAt + 1000;
    const event = {
      type: 'skill_execute_start',
      seq: 2,
      at,
      run_id: runId,
      skill_name: 'one',
      wave_index: 0,
    };
    const begun = { ...event, requires: [], context_keys_available: [], reasons: [] };
    const [step] = runFromLines([...lines, JSON.stringify({ event: begun })])!.record.steps;
    expect(step).toMatchObject({ state: 'running', startedAt: at });
    expect(step!.durationMs).toBeGreaterThanOrEqual(59_000);
  });

  test('lists a thousand runs from the index alone, and does without a damaged one', async () => {
    const ids = Array.from({ length: 1000 }, (_, i) => newRunId(started + i));
    const { record } = runFromLines((await textOf(ids[0]!)).split('\n'))!;
    for (const runId of ids) {
      await mkdir(join(folder, runId), { recursive: true });
      history().note({ summary: { ...summaryOf(record), runId }, bytes: 10 });
    }
    const listed = await history().list({ limit: 1000 });
    expect(listed.map(({ runId }) => runId)).toEqual(ids.toReversed());
    await writeFile(join(folder, 'history.jsonl'), 'garbage\n{"summary":1}\n\0\n');
    expect((await history().list({ limit: 1000 })).map(({ runId }) => runId)).toEqual([ids[0]]);
  });

  test('tidy() keeps the newest runs within the limits, never one that runs, and sweeps what crashes left', async () => {
    const ids = Array.from({ length: 6 }, (_, i) => newRunId(started + i));
    for (const id of ids) {
      const { bytes } = await write(id, { isOver: true });
      const { record } = await history().read(id);
      history().note({ summary: summaryOf(record), bytes });
    }
    const running = newRunId(started - 1);
    await write(running, { isOver: false, mark: ownMark() });
    history().note({ summary: summaryOf((await history().read(running)).record), mark: ownMark() });
    const unbegun = newRunId(started - 2);
    await mkdir(join(folder, unbegun));
    await history({ runs: 3, bytes: 1e9 }).tidy();
    const left = async () => (await readdir(folder)).filter((name) => timeOfRun(name) !== undefined).sort();
    expect(await left()).toEqual([running, ...ids.slice(3)]);
    await history({ runs: 100, bytes: 1 }).tidy();
    expect(await left()).toEqual([running, ids[5]]);
  });

  // A link to itself cannot be read by anybody, root included.
  test('refuses to read a journal and a folder that cannot be read, and keeps them', async () => {
    const [old, next] = [newRunId(started), newRunId(started + 1)];
    await write(next, { isOver: true });
    await mkdir(join(folder, old));
    await symlink(journalName, join(folder, old, journalName));
    const journal = join(folder, old, journalName);
    const refused = {
      code: 'run.unreadable',
      message: `Cannot read run "${old}": ELOOP: too many symbolic links encountered, open '${journal}'`,
    };
    await expect(history().read(old)).rejects.toMatchObject(refused);
    await expect(history().list({ limit: 2 })).rejects.toMatchObject(refused);
    expect(await history().list({ limit: 1 })).toMatchObject([{ runId: next }]);
    await history().tidy();
    expect(await readdir(folder)).toEqual(expect.arrayContaining([old, next]));

    await rm(folder, { recursive: true });
    await symlink('runs', folder);
    await expect(history().list({ limit: 2 })).rejects.toMatchObject({
      code: 'run.unreadable',
      message: `Cannot read the history of runs: ELOOP: too many symbolic links encountered, scandir '${folder}'`,
    });
  });

  test('refuses a run that is not there, whatever it is called', async () => {
    for (const name of ['0mb1xkq7r-0000000000', '..', 'history.jsonl']) {
      await expect(history().read(name as RunId)).rejects.toMatchObject({ code: 'run.unknown' });
    }
  });
});

async function textOf(runId: RunId): Promise<string> {
  await write(runId, { isOver: true });
  return readFile(join(folder, runId, journalName), 'utf8');
}

describe('a journal', () => {
  test('cut off at any byte still tells of the run, or of none', async () => {
    const runId = newRunId(started);
    const text = await textOf(runId);
    const whole = runFromLines(text.split('\n'))!.record;
    expect(whole.status).toBe('succeeded');
    fc.assert(
      fc.property(fc.nat(text.length), (length) => {
        const record = runFromLines(text.slice(0, length).split('\n'))?.record;
        if (record) expect(['succeeded', 'interrupted']).toContain(record.status);
        if (record?.status === 'succeeded') expect(record).toEqual(whole);
      }),
    );
  });

  test('with damaged lines loses those lines and nothing else', async () => {
    const runId = newRunId(started);
    await textOf(runId);
    await appendFile(
      join(folder, runId, journalName),
      '{"event": {"type": "nonsense"}}\nnot JSON\n{"torn": ',
    );
    expect((await history().read(runId)).record).toMatchObject({ runId, status: 'succeeded', seq: 1 });
  });
});

test('newRunId() sorts by time and never repeats', () => {
  const ids = Array.from({ length: 1000 }, (_, i) => newRunId(started + i));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(Array.from({ length: 10_000 }, () => newRunId(started))).size).toBe(10_000);
  expect(timeOfRun(ids[7]!)).toBe(started + 7);
});

test('workspaceKey() is readable, safe and different for every place', () => {
  expect(workspaceKey('/home/ann/My docs!')).toMatch(/^My-docs-[0-9a-f]{12}$/);
  expect(workspaceKey('/a/x')).not.toBe(workspaceKey('/b/x'));
  expect(workspaceKey('/')).toMatch(/^workspace-[0-9a-f]{12}$/);
  expect(workspaceKey('/a/..x')).toMatch(/^x-/);
});
