import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import { CliRig } from '../testing/cli-rig.ts';

const isAvailable = await canRunScripts();

const lens = `
metadata: { name: A, version: 1.0.0 }
skills:
  - name: greet
    description: d
    requires: [who]
    produces: [greeting]
    scripts:
      - name: greet.py
        content: |
          import json, os, sys
          who = json.load(sys.stdin)["inputs"]["who"]
          print("greeting", who, file=sys.stderr)
          os.makedirs(os.environ["SUNWELL_FILES"] + "/docs")
          open(os.environ["SUNWELL_FILES"] + "/docs/hello.md", "w").write(f"Hello {who}\\n")
          text = f"Hello {who} \\u001b[31mred"
          print(json.dumps({"greeting": who, "content": text, "deleted": ["old.md"]}))
  - name: fail
    description: d
    scripts: [{ name: fail.sh, content: "echo no luck >&2; exit 9" }]
  - name: wait
    description: d
    timeout: 60
    scripts: [{ name: wait.sh, content: "echo waiting >&2; sleep 50" }]
  - name: write
    description: d
    instructions: Write it
`;
const files = { 'work/a.lens': lens, 'work/docs/hello.md': 'Hello you\n', 'work/old.md': 'old\n' };

describe.skipIf(!isAvailable)('sunwell exec', () => {
  let rig: CliRig;
  beforeEach(async () => void (rig = await CliRig.make(files)));
  afterEach(() => rig[Symbol.asyncDispose]());
  const work = (file: string): Promise<string> => readFile(join(rig.folder, 'work', file), 'utf8');

  test('prints the content without escapes and lists what the skill proposes', async () => {
    expect(await rig.run(['exec', 'a.lens#greet', '--input', 'who=me=you'])).toEqual({
      exitCode: 0,
      stdout: 'Hello me=you red\n',
      stderr:
        'greeting me=you\n' +
        'proposed  update  docs/hello.md (13 bytes)\n' +
        'proposed  delete  old.md\n' +
        'See the changes with --dry-run, apply them with --write\n',
    });
    expect(await work('docs/hello.md')).toBe('Hello you\n');
  });

  test('--dry-run prints a diff and changes nothing', async () => {
    const ran = await rig.run(['exec', 'a.lens#greet', '--input', 'who=me', '--dry-run']);
    expect([ran.exitCode, ran.stdout]).toEqual([
      0,
      '--- a/docs/hello.md\n+++ b/docs/hello.md\n@@ -1,1 +1,1 @@\n-Hello you\n+Hello me\n' +
        '--- a/old.md\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-old\n',
    ]);
    expect([await work('docs/hello.md'), await work('old.md')]).toEqual(['Hello you\n', 'old\n']);
  });

  test('--write applies the changes, --output takes the content, --json tells it all', async () => {
    await rig.write({ 'work/who.json': '["a", 1]' });
    const words = [
      'exec',
      'a.lens#greet',
      '--input-file',
      'who=who.json',
      '--write',
      '--output',
      'out.txt',
      '--json',
    ];
    const ran = await rig.run(words);
    expect([ran.exitCode, JSON.parse(ran.stdout)]).toEqual([
      0,
      {
        status: 'ran',
        steps: [
          {
            skill: 'greet',
            id: 'a.lens:greet',
            state: 'ran',
            cached: false,
            durationMs: expect.any(Number) as number,
            content: "Hello ['a', 1] \u001b[31mred",
            outputs: { greeting: ['a', 1] },
            artifacts: [
              {
                path: 'docs/hello.md',
                operation: 'update',
                contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
              },
              { path: 'old.md', operation: 'delete' },
            ],
            logs: [expect.objectContaining({ scriptName: 'greet.py', truncated: false })],
            limitsHit: [],
          },
        ],
        artifactsApplied: ['docs/hello.md', 'old.md'],
      },
    ]);
    expect([await work('docs/hello.md'), await work('out.txt')]).toEqual([
      "Hello ['a', 1]\n",
      "Hello ['a', 1] \u001b[31mred",
    ]);
    await expect(work('old.md')).rejects.toThrow('ENOENT');
  });

  test('--write refuses a file that changed while the skill ran, and writes none', async () => {
    rig.onceHeard('greeting me', () => writeFileSync(join(rig.folder, 'work/docs/hello.md'), 'Theirs\n'));
    const ran = await rig.run(['exec', 'a.lens#greet', '--input', 'who=me', '--write']);
    expect([ran.exitCode, ran.stderr]).toEqual([
      1,
      'greeting me\nCannot write: "docs/hello.md" changed since the run started. Nothing was written\n',
    ]);
    expect([await work('docs/hello.md'), await work('old.md')]).toEqual(['Theirs\n', 'old\n']);
  });

  test('a failing script ends with 1, in JSON with its error', async () => {
    expect(await rig.run(['exec', 'a.lens#fail'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'no luck\nScript "fail.sh" of "fail" ended with exit code 9\n',
    });
    const ran = await rig.run(['exec', 'a.lens#fail', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: 'failed',
      steps: [{ state: 'failed', error: { phase: 'execute', exitCode: 9, stderr: 'no luck\n' } }],
    });
  });

  test('Ctrl+C ends the script and the command with 130', async () => {
    rig.onceHeard('waiting', () => rig.pressCtrlC());
    expect(await rig.run(['exec', 'a.lens#wait'])).toEqual({
      exitCode: 130,
      stdout: '',
      stderr: 'waiting\nCancelled\n',
    });
  });

  test.each([
    [['a.lens#greet'], 'Cannot run "greet": give it "who" with --input or --input-file'],
    [['a.lens#greet', '--input', 'who'], '"who" after --input has no key'],
    [['a.lens#greet', '--input-file', 'who=gone.txt'], 'Cannot read "gone.txt": there is no such file'],
    [['a.lens#greet', '--input-file', 'who=bad.json'], 'Cannot read "bad.json": it is not JSON'],
    [['a.lens#greet', '--write', '--dry-run'], '"--write" cannot be used with option "--dry-run"'],
    [['a.lens#write'], 'Cannot run "write": it needs a model'],
    [['a.lens#gone'], 'Cannot find skill "a.lens#gone"'],
  ])('exec %j ends with 2: %s', async (words, message) => {
    await rig.write({ 'work/bad.json': '{' });
    const ran = await rig.run(['exec', ...words]);
    expect([ran.exitCode, ran.stdout, ran.stderr.includes(message)]).toEqual([2, '', true]);
  });
});
