import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import { CliRig } from './testing/cli-rig.ts';

const isAvailable = await canRunScripts();
const lens = `
metadata: { name: A, version: 1.0.0 }
skills:
  - { name: list, description: d, produces: [k, unused], files: [], scripts: [{ name: a.sh, content: 'echo "{\\"k\\":1,\\"unused\\":2}"' }] }
  - { name: show, description: d, depends_on: [list], requires: [k], scripts: [{ name: b.sh, content: ls }] }
`;
const plan = ['lens', 'skill-plan', 'a.lens'];
const apply = ['apply', 'a.lens', '--all'];

let rig: CliRig;
beforeEach(async () => void (rig = await CliRig.make({ 'work/a.lens': lens })));
afterEach(() => rig[Symbol.asyncDispose]());

/** Runs and plans until nothing is so new that a change could go unnoticed. */
async function prepare(): Promise<void> {
  await rig.run(apply);
  const attempt = async (): Promise<void> => {
    await rig.run(plan);
    expect(await rig.answerQuickly(plan)).toBeDefined();
  };
  await vi.waitFor(attempt, { timeout: 30_000 });
}

function timeless(text: string | undefined): string | undefined {
  return text?.replace(/took .*/, '');
}

describe.skipIf(!isAvailable)('answerQuickly()', () => {
  test('prints what the commands print', async () => {
    await prepare();
    const planned = await rig.run(plan);
    expect(await rig.answerQuickly(plan)).toEqual({ stdout: planned.stdout, stderr: planned.stderr });
    expect(planned.stdout).toMatch(/skip {2}list/);
    const ran = await rig.run(apply);
    const answered = await rig.answerQuickly(apply);
    expect(timeless(answered?.stderr)).toBe(timeless(ran.stderr));
    expect(answered?.stdout).toBe(ran.stdout);
    expect(ran.stderr).toMatch(/↺ list/);
  });

  test('finds the lens from any folder, as the commands do', async () => {
    await prepare();
    expect(await rig.answerQuickly(['lens', 'skill-plan', 'work/a.lens'], '.')).toBeDefined();
    expect(await rig.answerQuickly(['lens', 'skill-plan', '../a.lens'], 'work/docs')).toBeDefined();
  });

  test.each([
    [['lens', 'skill-plan', 'a.lens', '--json']],
    [['lens', 'skill-plan', '--help']],
    [['lens', 'skill-plan', 'A']],
    [['lens', 'skill-graph', 'a.lens']],
    [['apply', 'a.lens']],
    [['apply', 'a.lens', '--all', '--force']],
    [['apply', 'a.lens', 'a task']],
    [['apply', '--all', 'a.lens']],
    [['lens', 'skill-plan', 'none.lens']],
    [['lens', 'skill-plan', 'a.yaml']],
  ])('leaves %j to the commands', async (words) => {
    await prepare();
    expect(await rig.answerQuickly(words)).toBeUndefined();
  });

  test('leaves a changed workspace to the commands', async () => {
    await prepare();
    await rig.write({ 'work/b.txt': 'b' });
    expect(await rig.answerQuickly(apply)).toBeUndefined();
    const { stderr } = await rig.run(apply);
    expect(stderr).toMatch(/▶ show/);
    expect(stderr).toMatch(/↺ list/);
  });
});
