import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Plan } from '#shared/model/plan.ts';
import type { RunRecord } from '#shared/model/run.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { decisionsOf, RunsRig, statesOf } from './testing/runs-rig.ts';

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
let rig: RunsRig;
beforeEach(async () => void (rig = await RunsRig.sample(testing.sandbox)));
afterEach(() => rig[Symbol.asyncDispose]());
afterAll(() => testing[Symbol.dispose]());

const all = [
  'list-docs',
  'list-sources',
  'check-links',
  'extract-api',
  'measure-docs',
  'find-undocumented',
  'write-reference',
  'publish-report',
];

/** Plans, runs, and requires that the run did what the plan said. */
async function planAndRun(): Promise<{ plan: Plan; record: RunRecord }> {
  const plan = await rig.plan();
  const { record } = await rig.run();
  expect(record.predictedVsActual).toEqual([]);
  expect(record.warnings).toEqual([]);
  expect(record.plan.decisions.map(withoutTimes)).toEqual(plan.decisions.map(withoutTimes));
  return { plan, record };
}

function withoutTimes({ skill, decision, reasons, cacheKey }: Plan['decisions'][number]) {
  return { skill, decision, ids: reasons.map(({ id, subject }) => `${id} ${subject}`), cacheKey };
}

function each(state: string): Record<string, string> {
  return Object.fromEntries(all.map((skill) => [skill, state]));
}

function skippedBut(others: Record<string, string>, state = 'skip'): Record<string, string> {
  return { ...each(state), ...others };
}

describe.skipIf(!isAvailable)('the sample workspace', () => {
  beforeEach(async () => {
    const { plan, record } = await planAndRun();
    expect(decisionsOf(plan)).toEqual(each('run'));
    expect(statesOf(record)).toEqual(each('ran'));
    expect(record.status).toBe('succeeded');
  });

  test('a second run skips everything', async () => {
    const { plan, record } = await planAndRun();
    expect(plan.skipPercentage).toBe(100);
    expect(statesOf(record)).toEqual(each('cached'));
    await rig.restart();
    expect((await planAndRun()).plan.skipPercentage).toBe(100);
  });

  test('a page that changes without changing any output: its readers run, and what follows is cut off', async () => {
    await rig.edit('docs/index.md', 'Harbor keeps', 'Harbor  keeps');
    const { plan, record } = await planAndRun();
    expect(decisionsOf(plan)).toEqual(
      skippedBut({
        'list-docs': 'run',
        'check-links': 'run',
        'measure-docs': 'run',
        'find-undocumented': 'run',
        'publish-report': 'undecided',
      }),
    );
    expect(statesOf(record)).toEqual(
      skippedBut(
        { 'list-docs': 'ran', 'check-links': 'ran', 'measure-docs': 'ran', 'find-undocumented': 'ran' },
        'cached',
      ),
    );
  });

  test('one line of one script: that skill runs, and the reason shows the line', async () => {
    await rig.edit('scripts/measure-docs.py', 'import json', '# a remark\nimport json');
    const { plan, record } = await planAndRun();
    expect(decisionsOf(plan)).toEqual(skippedBut({ 'measure-docs': 'run', 'publish-report': 'undecided' }));
    const [reason] = plan.decisions.find(({ skill }) => skill === 'measure-docs')!.reasons;
    expect(reason).toMatchObject({ id: 'script-changed', subject: 'measure-docs.py' });
    expect(reason!.sentence).toContain('1 line');
    const { before, after } = await rig.runs().difference(rig.lens, 'measure-docs', reason!);
    expect(after).toBe(`${before}`.replace('import json', '# a remark\nimport json'));
    expect(statesOf(record)).toEqual(skippedBut({ 'measure-docs': 'ran' }, 'cached'));
  });

  test('a change below src/: only the skills that see it, and what their outputs reach', async () => {
    await rig.edit('src/harbor/berths.py', '\n', '\n# a remark\n');
    const plan = await rig.runs().plan(rig.lens, {});
    const [reason] = plan.decisions.find(({ skill }) => skill === 'list-sources')!.reasons;
    expect(reason!.sentence).toBe('file src/harbor/berths.py changed (1 line)');
    const { before, after } = await rig.runs().difference(rig.lens, 'list-sources', reason!);
    expect(after).toBe(`${before}`.replace('\n', '\n# a remark\n'));
    await planAndRun();
    expect(Object.entries(decisionsOf(plan)).filter(([, decision]) => decision === 'run')).toEqual([
      ['list-sources', 'run'],
      ['extract-api', 'run'],
    ]);
    expect(decisionsOf(plan)).toMatchObject({
      'list-docs': 'skip',
      'check-links': 'skip',
      'measure-docs': 'skip',
    });
  });

  test('another version of the lens, or another place of the folder: nothing runs', async () => {
    await rig.edit('lenses/harbor-docs.lens', 'version: 0.3.0', 'version: 0.4.0');
    expect((await planAndRun()).plan.skipPercentage).toBe(100);
    await rig.move('elsewhere');
    expect((await planAndRun()).plan.skipPercentage).toBe(100);
  });

  test('another validator: its results are judged again, and no script runs', async () => {
    await rig.edit('lenses/harbor-docs.lens', "matches: '(^|\\n)## '", "matches: '(^|\\n)#'");
    const { plan, record } = await planAndRun();
    expect(decisionsOf(plan)).toEqual(
      skippedBut({ 'write-reference': 'rejudge', 'publish-report': 'rejudge' }),
    );
    expect(statesOf(record)).toEqual(each('cached'));
    expect(record.steps.every(({ attempts }) => attempts === 0)).toBe(true);
    expect((await planAndRun()).plan.skipPercentage).toBe(100);
  });

  test('a skill that fails: its branch is blocked, the rest is done, and the next plan says so', async () => {
    const script = 'scripts/extract-api.py';
    await rig.edit(script, 'import ast', 'import sys; sys.exit("no luck")\nimport ast');
    const { record } = await planAndRun();
    expect(record.status).toBe('failed');
    expect(statesOf(record)).toEqual(
      skippedBut(
        {
          'extract-api': 'failed',
          'write-reference': 'blocked',
          'find-undocumented': 'blocked',
          'publish-report': 'blocked',
        },
        'cached',
      ),
    );
    expect(record.steps.find(({ skill }) => skill === 'extract-api')?.error).toMatchObject({
      phase: 'execute',
      skillName: 'extract-api',
      scriptName: 'extract-api.py',
      exitCode: 1,
      stderr: 'no luck\n',
    });
    const { plan } = await planAndRun();
    const [reason] = plan.decisions.find(({ skill }) => skill === 'extract-api')!.reasons;
    expect(reason!.id).toBe('last-failed');
    await rig.edit(script, 'import sys; sys.exit("no luck")\nimport ast', 'import ast');
    expect((await planAndRun()).plan.skipPercentage).toBe(100);
  });
});
