import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { RunRecord, RunRequest } from '#shared/model/run.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { bashSkill, RunsRig, statesOf } from './testing/runs-rig.ts';

// What a script can see and a fingerprint might not: each was a wrong answer once.

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
let rig: RunsRig;
afterEach(() => rig[Symbol.asyncDispose]());
afterAll(() => testing[Symbol.dispose]());

async function make(skills: readonly string[], files: Record<string, string> = {}): Promise<void> {
  rig = await RunsRig.make(testing.sandbox, skills.join(''), files);
}

const said = ({ steps }: RunRecord): string[] => steps.map(({ content = '' }) => content.trim());

/** Runs with the cache and without, and expects the same of both. */
async function ran(request: RunRequest = {}): Promise<RunRecord> {
  const { record } = await rig.run(request);
  expect(said(record)).toEqual(said((await rig.run({ ...request, noCache: true })).record));
  return record;
}

/** Hands its inputs on as the script reads them. */
const echo = (name: string, ...more: string[]): string =>
  bashSkill(name, ['tr -d " " < "$SUNWELL_INPUT"'], ...more);

describe.skipIf(!isAvailable)('No answer is kept for another question:', () => {
  test('the right to start a file as a program', async () => {
    const look = bashSkill('look', ['[ -x data/t.sh ] && echo yes || echo no'], 'files: ["data/*"]');
    await make([look], { 'data/t.sh': 'echo hi\n' });
    expect(said(await ran())).toEqual(['no']);
    await chmod(join(rig.root, 'data/t.sh'), 0o755);
    expect((await rig.plan()).decisions[0]).toMatchObject({
      decision: 'run',
      reasons: [{ id: 'file-changed', sentence: 'file data/t.sh changed: whether it can be started' }],
    });
    expect(said(await ran())).toEqual(['yes']);
    await chmod(join(rig.root, 'data/t.sh'), 0o644);
    expect(statesOf((await rig.run()).record)).toEqual({ look: 'cached' });
  });

  test('a file that can be started is changed by a run only while it is as the run saw it', async () => {
    const propose = bashSkill('propose', ['echo new > $SUNWELL_FILES/t.sh'], 'files: ["*.sh"]');
    await make([propose], { 't.sh': 'old\n' });
    await chmod(join(rig.root, 't.sh'), 0o755);
    const { record } = await rig.run();
    expect(await rig.runs().review(record.runId)).toMatchObject([{ path: 't.sh', hasConflict: false }]);
    await rig.write('t.sh', 'other\n');
    expect(await rig.runs().review(record.runId)).toMatchObject([{ path: 't.sh', hasConflict: true }]);
  });

  test('the order of the keys in a value, from upstream or given', async () => {
    await make(
      [
        bashSkill('up', ['cat table.json > $SUNWELL_OUTPUT'], 'files: ["table.json"]', 'produces: [table]'),
        echo('down', 'depends_on: [up]', 'requires: [table, given]'),
      ],
      { 'table.json': '{"table": {"name": 1, "age": 2}}' },
    );
    const names = { b: 1, a: 2 };
    expect(said(await ran({ inputs: { given: names } }))[1]).toContain('"given":{"b":1,"a":2}');
    await rig.write('table.json', '{"table": {"age": 2, "name": 1}}');
    expect(said(await ran({ inputs: { given: names } }))[1]).toContain('"table":{"age":2,"name":1}');
    const swapped = await ran({ inputs: { given: { a: 2, b: 1 } } });
    expect(said(swapped)[1]).toContain('"given":{"a":2,"b":1}');
  });

  test('the order in which keys and parameters are declared, which no script can see', async () => {
    const declared = (keys: string, params: string): string =>
      echo('tell', `requires: [${keys}]`, `parameters_schema: { properties: { ${params} } }`);
    await make([declared('a, b', 'p: {}, q: {}')]);
    const request = { inputs: { b: 1, a: 2 }, params: { q: 1, p: 2 } };
    const before = said(await ran(request));
    expect(before[0]).toContain('{"a":2,"b":1}');
    expect(before[0]).toContain('{"p":2,"q":1}');
    await rig.edit('a.lens', 'requires: [a, b]', 'requires: [b, a]');
    await rig.edit('a.lens', 'p: {}, q: {}', 'q: {}, p: {}');
    expect(said(await ran(request))).toEqual(before);
  });

  test('a parameter by default, which is a value like one that is given', async () => {
    const declared = (schema: string): string =>
      bashSkill(
        'tell',
        ['echo "$1 $2"; tr -d " " < "$SUNWELL_INPUT"'],
        `parameters_schema: { required: [n], properties: { n: { ${schema} }, off: { default: false } } }`,
      ).replace('content:', 'args: ["${n}", "${off}"]\n      content:');
    await make([declared('default: 2')]);
    expect(said(await ran())[0]).toMatch(/^2 false\n.*"params":\{"n":2,"off":false\}/);
    expect(said(await ran({ params: { n: 3 } }))[0]).toMatch(/^3 false\n.*"params":\{"n":3,"off":false\}/);
    await rig.edit('a.lens', 'default: 2', 'default: 3');
    expect(said(await ran())[0]).toMatch(/^3 false\n/);
    await rig.edit('a.lens', 'default: 3', 'enum: [4, "5"]');
    const { record } = await rig.run({ params: { n: '3' } });
    expect([record.status, record.steps[0]?.state, record.plan.decisions[0]?.reasons]).toMatchObject([
      'failed',
      'blocked',
      [{ id: 'problem', sentence: 'the parameter "n" cannot be "3": give it one of 4, "5"' }],
    ]);
  });

  test.each([
    ['a number that JSON cannot hold', '[1e400]', 'delivered a number that is too large to be one'],
    [
      'one that would become another',
      '[9007199254740993]',
      'that is too large to be exact: write it as a text',
    ],
    [
      'a value that is nested too deeply',
      `${'['.repeat(3000)}${']'.repeat(3000)}`,
      'more than 2,000 levels deep',
    ],
  ])('%s is a failure of the script, and told by the next plan', async (_case, value, problem) => {
    await make([bashSkill('inf', [`echo '{"n": ${value}}' > $SUNWELL_OUTPUT`], 'produces: [n]')]);
    const { record } = await rig.run();
    expect(record.steps[0]?.error?.message).toContain(problem);
    expect((await rig.plan()).decisions[0]?.reasons[0]?.id).toBe('last-failed');
  });
});
