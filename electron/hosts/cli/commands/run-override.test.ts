import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import type { RunRecord } from '#shared/model/run.ts';
import { CliRig } from '../testing/cli-rig.ts';

const isAvailable = await canRunScripts();

const lens = `
metadata: { name: A, version: 1.0.0 }
validators:
  - { name: no-todo, command: "grep -n TODO {output_file}" }
  - { name: clear, check: Is it clear? }
skills:
  - name: write
    description: d
    files: []
    validate_with: { validators: [no-todo, clear] }
    scripts: [{ name: write.sh, content: "echo TODO later" }]
`;

describe.skipIf(!isAvailable)('sunwell run override', () => {
  let rig: CliRig;
  beforeEach(async () => void (rig = await CliRig.make({ 'work/a.lens': lens })));
  afterEach(() => rig[Symbol.asyncDispose]());

  test('puts your word beside the judge’s, and the next run takes the result', async () => {
    expect((await rig.run(['apply', 'a.lens', '--all'])).exitCode).toBe(1);
    const shown = await rig.run(['run', 'show', 'last']);
    expect(shown.stdout).toContain(
      [
        'write did not pass: "no-todo" says no: Its program ended with exit code 0 (good is exit-nonzero); confidence is 0.00, and 0.70 is wanted',
        '  no-todo: fail 1.00: Its program ended with exit code 0 (good is exit-nonzero)',
        '    "1:TODO later"',
        '  clear: not judged: Needs a model to judge',
      ].join('\n'),
    );
    const words = ['run', 'override', 'last', 'write', 'no-todo'];
    const said = await rig.run([...words, '--pass', '--note', 'It is\u001b[31m a heading']);
    expect([said.exitCode, said.stdout.split('\n')]).toEqual([
      0,
      [
        'write passed',
        '  no-todo: pass by a person, was fail 1.00: Its program ended with exit code 0 (good is exit-nonzero)',
        expect.stringContaining('    their note: It is') as string,
        '    "1:TODO later"',
        '  clear: not judged: Needs a model to judge',
        '',
      ],
    ]);
    expect(said.stdout).not.toContain('\u001b');
    const next = await rig.run(['apply', 'a.lens', '--all', '--json']);
    const { steps } = JSON.parse(next.stdout) as RunRecord;
    expect([next.exitCode, steps[0]?.state, steps[0]?.verdicts[0]?.override?.outcome]).toEqual([
      0,
      'cached',
      'pass',
    ]);
    await rig.run([...words, '--fail', '--note', 'Not this one']);
    const refused = await rig.run(['apply', 'a.lens', '--all']);
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('The result did not pass: no-todo: a person says no: Not this one\n') as string,
    ]);
    expect((await rig.run([...words, '--undo'])).exitCode).toBe(0);
    expect((await rig.run(['apply', 'a.lens', '--all'])).exitCode).toBe(1);
  });

  test.each([
    [[], 2, 'choose one of --pass, --fail and --undo'],
    [['--pass', '--fail', '--note', 'n'], 2, 'choose one of --pass, --fail and --undo'],
    [['--pass'], 2, 'say why with --note'],
  ])('with %j is refused', async (words, exitCode, message) => {
    const refused = await rig.run(['run', 'override', 'last', 'write', 'no-todo', ...words]);
    expect([refused.exitCode, refused.stderr]).toEqual([
      exitCode,
      expect.stringContaining(message) as string,
    ]);
  });

  test('names the judges there are', async () => {
    await rig.run(['apply', 'a.lens', '--all']);
    const refused = await rig.run(['run', 'override', 'last', 'write', 'gone', '--fail', '--note', 'n']);
    expect(refused.stderr).toContain(
      'Cannot find a verdict of "gone" about "write": there are "no-todo", "clear"',
    );
  });
});
