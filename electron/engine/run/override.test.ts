import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { RunRecord, StepRecord } from '#shared/model/run.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { bashSkill, decisionsOf, RunsRig, statesOf } from './testing/runs-rig.ts';

const isAvailable = await canRunScripts();
const testing = new TestSandbox();
afterAll(() => testing[Symbol.dispose]());
let rig: RunsRig;
afterEach(() => rig[Symbol.asyncDispose]());

const skills = [
  bashSkill('write', ['echo "TODO later"'], 'validate_with: { validators: [no-todo] }'),
  bashSkill('use', ['echo used'], 'depends_on: [write]'),
].join('');
const head = 'validators: [{ name: no-todo, not_contains: TODO }]\n';

const written = ({ steps }: RunRecord): StepRecord => steps.find(({ skill }) => skill === 'write')!;
const override = { outcome: 'pass', note: 'It is quoted', at: expect.any(Number) as number };

describe.runIf(isAvailable)('an overridden verdict', () => {
  test('stays with the run, lets the kept result pass in later ones, and can be taken back', async () => {
    rig = await RunsRig.make(testing.sandbox, skills, {}, head);
    const { record } = await rig.run();
    expect([statesOf(record), decisionsOf(await rig.plan())]).toEqual([
      { write: 'judged-failed', use: 'blocked' },
      { write: 'rejudge', use: 'undecided' },
    ]);

    const request = { skill: 'write', judge: 'No-Todo', outcome: 'pass', note: ' It is quoted ' } as const;
    const after = await rig.runs().override(record.runId, request);
    await rig.restart();
    const kept = await rig.runs().show(record.runId);
    for (const shown of [after, kept]) {
      expect([written(shown).state, written(shown).verdicts]).toMatchObject([
        'judged-failed',
        [{ judge: 'no-todo', outcome: 'fail', override }],
      ]);
    }
    expect(decisionsOf(await rig.plan())).toEqual({ write: 'skip', use: 'run' });

    const next = await rig.run();
    expect([statesOf(next.record), written(next.record).verdicts]).toMatchObject([
      { write: 'cached', use: 'ran' },
      [{ outcome: 'fail', override }],
    ]);

    await rig.runs().override(next.record.runId, { ...request, outcome: null, note: '' });
    const { verdicts } = written(await rig.runs().show(next.record.runId));
    expect([verdicts[0]?.override, decisionsOf(await rig.plan())]).toEqual([
      undefined,
      { write: 'rejudge', use: 'undecided' },
    ]);
  });

  test('is about this result and this validator: a change of either asks the judge again', async () => {
    rig = await RunsRig.make(testing.sandbox, skills, {}, head);
    const { record } = await rig.run();
    const said = { skill: 'write', judge: 'no-todo', outcome: 'pass', note: 'n' } as const;
    await rig.runs().override(record.runId, said);
    await rig.edit('a.lens', 'not_contains: TODO', 'not_contains: [TODO, FIXME]');
    const changed = await rig.run();
    await rig.edit('a.lens', '[TODO, FIXME]', 'TODO');
    await rig.edit('a.lens', 'TODO later', 'TODO now');
    const other = await rig.run();
    expect([changed, other].map(({ record: { steps } }) => steps[0]?.state)).toEqual([
      'judged-failed',
      'judged-failed',
    ]);
  });

  test('that says no keeps a result that passed from being used', async () => {
    const good = skills.replace('TODO later', 'done');
    rig = await RunsRig.make(testing.sandbox, good, {}, head);
    const { record } = await rig.run();
    const said = { skill: 'write', judge: 'no-todo', outcome: 'fail', note: 'Not done' } as const;
    await rig.runs().override(record.runId, said);
    const { record: next } = await rig.run();
    expect([statesOf(next), written(next).error?.message]).toEqual([
      { write: 'judged-failed', use: 'blocked' },
      expect.stringContaining('The result did not pass: no-todo') as string,
    ]);
  });

  test.each([
    [{ skill: 'gone' }, 'graph.unknown-skill'],
    [{ judge: 'gone' }, 'run.unknown-judge'],
    [{ skill: 'use' }, 'run.unknown-judge'],
    [{ note: ' ' }, 'run.note-missing'],
  ])('with %j is refused: %s', async (more, code) => {
    rig = await RunsRig.make(testing.sandbox, skills, {}, head);
    const { record } = await rig.run();
    const said = { skill: 'write', judge: 'no-todo', outcome: 'pass', note: 'n', ...more } as const;
    await expect(rig.runs().override(record.runId, said)).rejects.toMatchObject({ code });
  });
});
