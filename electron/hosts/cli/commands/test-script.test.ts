import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import { CliRig } from '../testing/cli-rig.ts';

const isAvailable = await canRunScripts();

const files = {
  'work/double.py':
    'import json, sys\nn = json.load(sys.stdin)["inputs"]["n"]\nprint(json.dumps({"b": [n * 2], "a": {"y": 1, "x": 2}}))\n',
  'work/write.mjs':
    'import { writeFileSync } from "node:fs";\nconsole.log("working");\nwriteFileSync(process.env.SUNWELL_OUTPUT, JSON.stringify({ ok: true }));\n',
  'work/talk.sh': 'echo hello\n',
  'work/fail.sh': 'echo oh >&2; exit 3\n',
  'work/in.json': '{"inputs": {"n": 21}}',
  'work/out.json': '{"a": {"x": 2, "y": 1}, "b": [42]}',
  'work/other.json': '{"a": {"x": 2, "y": 1}, "b": [41]}',
  'work/ok.json': '{"ok": true}',
  'work/bad.json': 'no',
};

describe.skipIf(!isAvailable)('sunwell test-script', () => {
  let rig: CliRig;
  beforeEach(async () => void (rig = await CliRig.make(files)));
  afterEach(() => rig[Symbol.asyncDispose]());
  const words = (script: string, expected: string): string[] => [
    'test-script',
    script,
    '--input',
    'in.json',
    '--expected',
    expected,
  ];

  test.each([
    ['double.py', 'out.json'],
    ['write.mjs', 'ok.json'],
  ])('%s delivers %s, whatever the order of keys', async (script, expected) => {
    expect(await rig.run(words(script, expected))).toEqual({
      exitCode: 0,
      stdout: `"${script}" delivers what is expected\n`,
      stderr: '',
    });
  });

  test('shows how what was delivered differs', async () => {
    const ran = await rig.run(words('double.py', 'other.json'));
    expect([ran.exitCode, ran.stderr]).toEqual([
      1,
      'Script "double.py" delivers something else than is expected\n',
    ]);
    expect(ran.stdout.split('\n').filter((line) => /^[+-]/.test(line))).toEqual([
      '--- a/output.json',
      '+++ b/output.json',
      '-    41',
      '+    42',
    ]);
    const json = await rig.run([...words('double.py', 'other.json'), '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      file: 'double.py',
      passed: false,
      problem: 'delivers something else than is expected',
      delivered: { b: [42] },
      exitCode: 0,
    });
  });

  test.each([
    ['fail.sh', 'ok.json', 1, 'oh\nScript "fail.sh" ended with exit code 3\n'],
    ['talk.sh', 'ok.json', 1, 'Script "talk.sh" printed something other than JSON\n'],
    [
      'in.json',
      'ok.json',
      2,
      'Cannot run "in.json": its name ends with none of .py, .js, .mjs, .sh, .bash\n',
    ],
    ['gone.py', 'ok.json', 2, 'Cannot read "gone.py": there is no such file\n'],
    ['talk.sh', 'gone.json', 2, 'Cannot read "gone.json": there is no such file\n'],
  ])('%s against %s ends with %i', async (script, expected, exitCode, stderr) => {
    expect(await rig.run(words(script, expected))).toEqual({ exitCode, stdout: '', stderr });
  });

  test('refuses an expectation that is not JSON', async () => {
    const ran = await rig.run(words('talk.sh', 'bad.json'));
    expect([ran.exitCode, ran.stderr]).toEqual([
      2,
      expect.stringContaining('Cannot read "bad.json": it is not JSON'),
    ]);
  });
});
