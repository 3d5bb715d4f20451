import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { RunRecord, RunRequest } from '#shared/model/run.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { bashSkill, RunsRig, statesOf } from './testing/runs-rig.ts';

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
let rig: RunsRig;
afterEach(() => rig[Symbol.asyncDispose]());
afterAll(() => testing[Symbol.dispose]());

const skills = [
  bashSkill('good', ['true']),
  bashSkill('bad', ['exit 3'], 'depends_on: [good]'),
  bashSkill('after', ['true'], 'depends_on: [bad]'),
];

async function broken(request: RunRequest): Promise<RunRecord> {
  rig = await RunsRig.make(testing.sandbox, skills.join(''));
  await rig.run();
  const { record } = await rig.run(request);
  await rig.edit('a.lens', 'exit 3', 'true');
  return record;
}

async function resumed(record: RunRecord): Promise<RunRecord> {
  return (await rig.runs().resume(record.runId)).done;
}

describe.skipIf(!isAvailable)('resume()', () => {
  test.each(['failed', 'stale'])('carries on the steps of a run of what had %s', async (part) => {
    const record = await broken({ task: 'do it', selection: { [part]: true } });
    // By now it has not failed and is not stale any more, and what it blocked was never counted as failed.
    await rig.run({ task: 'do it', selection: { only: ['bad'] } });
    await rig.run({ task: 'do it', selection: { only: ['after'] } });
    const again = await resumed(record);
    expect([again.status, again.request, statesOf(again)]).toEqual([
      'succeeded',
      { task: 'do it', selection: { only: ['good', 'bad', 'after'].map((name) => `a.lens:${name}`) } },
      { good: 'cached', bad: 'cached', after: 'cached' },
    ]);
  });

  test('refuses a run of what had failed where none of its skills is left', async () => {
    const record = await broken({ selection: { failed: true } });
    await rig.write('a.lens', (await rig.read('a.lens')).replace(/\b(good|bad|after)\b/g, 'new-$1'));
    await expect(resumed(record)).rejects.toThrow('Cannot find "good", "bad", "after" in the graph');
  });

  test.each([[true], [['good', 'bad']]])(
    'takes what a run finished that had to run %j from the cache',
    async (force) => {
      const record = await broken({ force });
      const again = await resumed(record);
      expect([statesOf(record), statesOf(again)]).toEqual([
        { good: 'ran', bad: 'failed', after: 'blocked' },
        { good: 'cached', bad: 'ran', after: 'ran' },
      ]);
      expect(again.request.force).toEqual(force === true ? ['a.lens:bad', 'a.lens:after'] : ['a.lens:bad']);
    },
  );

  test('forces nothing where everything that had to run was finished', async () => {
    const record = await broken({ force: ['good'] });
    expect((await resumed(record)).request).toEqual({});
  });
});
