import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { bashSkill, decisionsOf, RunsRig, statesOf } from './testing/runs-rig.ts';

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
let rig: RunsRig;
afterEach(() => rig[Symbol.asyncDispose]());
afterAll(() => testing[Symbol.dispose]());

async function make(skills: readonly string[], head = ''): Promise<void> {
  rig = await RunsRig.make(testing.sandbox, skills.join(''), {}, head);
}

const failed = { selection: { failed: true } };

/** What a plan chooses, once it is certain that a run does too. */
async function chosen(): Promise<string[]> {
  const plan = await rig.plan(failed);
  const { record } = await rig.run(failed);
  expect(Object.keys(statesOf(record))).toEqual(Object.keys(decisionsOf(plan)));
  return Object.keys(decisionsOf(plan));
}

describe.skipIf(!isAvailable)('only what failed', () => {
  test('has a skill that was judged as failed, and what waits for it', async () => {
    await make(
      [
        bashSkill('say', ['echo TODO'], 'validate_with: { validators: [done] }'),
        bashSkill('use', ['true'], 'depends_on: [say]'),
        bashSkill('other', ['true']),
      ],
      'validators: [{ name: done, not_contains: TODO, severity: error }]\n',
    );
    expect(statesOf((await rig.run()).record)).toEqual({
      say: 'judged-failed',
      use: 'blocked',
      other: 'ran',
    });
    expect(await chosen()).toEqual(['say', 'use']);
    await rig.edit('a.lens', 'echo TODO', 'echo fine');
    expect(statesOf((await rig.run(failed)).record)).toEqual({ say: 'ran', use: 'ran' });
    expect(await chosen()).toEqual([]);
  });

  test('has a skill that failed where the cache was cleared since, and also in another process', async () => {
    await make([bashSkill('bad', ['exit 3']), bashSkill('other', ['true'])]);
    await rig.run();
    await rig.cache.clear();
    await rig.restart();
    expect(await chosen()).toEqual(['bad']);
  });

  test('has what a failure blocked, once what it waited for has a result again', async () => {
    await make([
      bashSkill('bad', ['exit 3']),
      bashSkill('after', ['true'], 'depends_on: [bad]'),
      bashSkill('other', ['true']),
    ]);
    await rig.run();
    await rig.edit('a.lens', 'exit 3', 'true');
    await rig.run({ selection: { only: ['bad'] } });
    expect(await chosen()).toEqual(['bad', 'after']);
    expect(await chosen()).toEqual([]);
  });

  test('has what was cancelled, and leaves out what never was in a run', async () => {
    await make([
      bashSkill('slow', ['sleep 600']),
      bashSkill('next', ['true'], 'depends_on: [slow]'),
      bashSkill('other', ['true']),
    ]);
    const run = await rig.start({ selection: { only: ['next'] } });
    await run.cancel();
    await rig.edit('a.lens', 'sleep 600', 'true');
    expect(await chosen()).toEqual(['slow', 'next']);
  });

  test('leaves out a skill that is never kept, once it succeeded', async () => {
    await make([bashSkill('bad', ['exit 3'], 'cache: false')]);
    await rig.run();
    await rig.edit('a.lens', 'exit 3', 'true');
    expect(await chosen()).toEqual(['bad']);
    expect(await chosen()).toEqual([]);
  });
});
