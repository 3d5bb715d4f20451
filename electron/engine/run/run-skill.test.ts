import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StudioError } from '#shared/errors.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { RunRig, TestSandbox } from './testing/run-rig.ts';

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
let rig: RunRig;
beforeEach(() => void (rig = new RunRig(testing.sandbox)));
afterEach(() => rig[Symbol.asyncDispose]());
afterAll(() => testing[Symbol.dispose]());

function bash(...lines: string[]): string {
  return `scripts:\n  - name: a.sh\n    content: |\n${lines.map((line) => `      ${line}\n`).join('')}`;
}

async function refusal(work: Promise<unknown>): Promise<[string, string]> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StudioError)) throw error;
  return [error.code, error.message];
}

const anyTime = { durationMs: expect.any(Number) as number };

describe.skipIf(!isAvailable)('runSkill()', () => {
  test('gives a script its task, inputs, parameters and arguments, each value as one argument', async () => {
    const result = await rig.run(
      'produces: [seen]\nrequires: [page]\nparameters_schema: { properties: { mode: {} } }\n' +
        'scripts:\n  - name: a.py\n    args: ["--page=${page}", "${page} ${mode}", "${name}", "${LENS_DIR}", "${unknown}"]\n' +
        '    content: |\n' +
        '      import json, sys\n' +
        '      print(json.dumps({"seen": [sys.argv[1:], json.load(sys.stdin)]}))\n',
      { task: 'do it', inputs: { page: '$(id) "; ${name}' }, params: { mode: 'fast' } },
    );
    expect(result).toMatchObject({
      state: 'ran',
      outputs: {
        seen: [
          ['--page=$(id) "; ${name}', '$(id) "; ${name} fast', 'try-it', '/workspace/lenses', '${unknown}'],
          { task: 'do it', inputs: { page: '$(id) "; ${name}' }, params: { mode: 'fast' } },
        ],
      },
    });
  });

  test('runs scripts in order, each with what the earlier ones delivered', async () => {
    const result = await rig.run(
      'produces: [one, two]\nscripts:\n' +
        '  - name: first.sh\n    content: |\n      echo \'{"one": 1, "content": "from first"}\'\n      echo first > "$SUNWELL_FILES/a.txt"\n' +
        '  - name: second.py\n    content: |\n      import json, os, sys\n      got = json.load(sys.stdin)\n' +
        '      json.dump({"two": [got["inputs"]["one"], got["content"]], "deleted": ["old.txt"]}, open(os.environ["SUNWELL_OUTPUT"], "w"))\n' +
        '      open(os.environ["SUNWELL_FILES"] + "/a.txt", "w").write("second")\n      print("done")\n',
    );
    expect(result).toEqual({
      state: 'ran',
      content: 'done\n',
      outputs: { one: 1, two: [1, 'from first'] },
      changes: [
        {
          operation: 'write',
          path: 'a.txt',
          content: Buffer.from('second'),
          sha256: expect.any(String) as string,
          mode: 0o644,
        },
        { operation: 'delete', path: 'old.txt' },
      ],
      logs: [
        {
          scriptName: 'first.sh',
          stdout: '{"one": 1, "content": "from first"}\n',
          stderr: '',
          truncated: false,
          ...anyTime,
        },
        { scriptName: 'second.py', stdout: 'done\n', stderr: '', truncated: false, ...anyTime },
      ],
      filesSeen: 1,
      limitsHit: [],
      denied: [],
      ...anyTime,
    });
  });

  test('shows a script only the files of the skill that its permissions leave, and its own at /skill', async () => {
    const result = await rig.run(
      'files: ["docs/**", "src/**"]\npermissions: { filesystem: { read: ["docs/**"] } }\n' +
        'resources: [{ name: guide, path: ../guide.md }]\n' +
        bash('find . -type f | sort', 'cat /skill/resources/guide.md', 'ls /skill/scripts'),
      { files: { 'docs/a.md': 'a', 'src/b.py': 'b', 'c.md': 'c', 'guide.md': 'the guide\n' } },
    );
    expect(result).toMatchObject({ state: 'ran', content: './docs/a.md\nthe guide\na.sh\n' });
  });

  test('a script that fails is a result with its exit code and what it said', async () => {
    const shown: string[] = [];
    const result = await rig.run(bash('echo half', 'echo "no luck" >&2', 'exit 7'), {
      onOutput: (script, stream, text) => shown.push(`${script} ${stream} ${text}`),
    });
    expect(result).toEqual({
      state: 'failed',
      error: {
        phase: 'execute',
        cause: 'script_failure',
        skillName: 'try-it',
        scriptName: 'a.sh',
        exitCode: 7,
        stderr: 'no luck\n',
        message: 'Script "a.sh" of "try-it" ended with exit code 7',
        recoverable: true,
      },
      logs: [{ scriptName: 'a.sh', stdout: 'half\n', stderr: 'no luck\n', truncated: false, ...anyTime }],
      filesSeen: 1,
      limitsHit: [],
      denied: [],
      ...anyTime,
    });
    expect(shown.sort()).toEqual(['a.sh stderr no luck\n', 'a.sh stdout half\n']);
  });

  test.each([
    ['produces: [one, two]\n', ['echo \'{"one": 1}\''], 'did not deliver "two", which the skill produces'],
    ['produces: [one, two]\n', ['echo text'], 'did not deliver "one", "two", which the skill produces'],
    ['', ['echo "[]" > $SUNWELL_OUTPUT'], 'wrote something other than a JSON object to $SUNWELL_OUTPUT'],
    ['', ['echo \'{"deleted": 1}\''], 'has a "deleted" in its output that is not a list of paths'],
    ['', ['echo \'{"deleted": ["../x"]}\''], 'may not delete "../x": it is not a path within the workspace'],
    [
      '',
      ['mkdir $SUNWELL_FILES/.git', 'echo x > $SUNWELL_FILES/.git/config'],
      'may not write ".git/config": ".git" is kept from scripts',
    ],
    [
      'permissions: { filesystem: { write: [] } }\n',
      ['echo x > $SUNWELL_FILES/a'],
      'may not write "a": the permissions of the skill leave it out',
    ],
    ['', ['ln -s /etc/passwd $SUNWELL_FILES/a'], 'left "a", which cannot be a proposal: not-a-file'],
    [
      '',
      ['head -c 1100000 /dev/zero | tr "\\0" x'],
      'printed more than is kept: write the result to the file $SUNWELL_OUTPUT',
    ],
    ['timeout: 1\n', ['while :; do :; done'], 'took longer than 1 s: raise "timeout" or do less'],
  ])('a skill with %j and script %j fails: %s', async (head, lines, message) => {
    const result = await rig.run(head + bash(...lines));
    expect([result.state, 'error' in result && result.error.message]).toEqual([
      'failed',
      `Script "a.sh" of "try-it" ${message}`,
    ]);
  });

  test('the signal cancels a running script', async () => {
    const cancel = new AbortController();
    const result = await rig.run(bash('echo started', 'while :; do :; done'), {
      signal: cancel.signal,
      onOutput: () => cancel.abort(new Error('enough')),
    });
    expect(result).toMatchObject({ state: 'cancelled', logs: [{ stdout: 'started\n' }] });
  });

  test('refuses what was fetched and nobody trusted, naming the command that grants it', async () => {
    expect(await refusal(rig.run(bash('echo x'), { kind: 'fount' }))).toEqual([
      'trust.not-granted',
      'Cannot run "try-it": nobody on this machine has trusted it. ' +
        'Read it and agree with: sunwell trust grant "lenses/a.lens:try-it"',
    ]);
  });

  test.each([
    ['instructions: Say it', 'skill.needs-model'],
    [`instructions: Say it\n${bash('echo x')}`, 'skill.needs-model'],
    ['scripts: [{ name: a.sh, path: ./gone.sh }]', 'skill.incomplete'],
    [`trust: none\n${bash('echo x')}`, 'trust.not-granted'],
    [`permissions: { network: { allow: [example.org] } }\n${bash('echo x')}`, 'sandbox.no-network'],
    [`requires: [a, b]\n${bash('echo x')}`, 'skill.missing-input'],
  ])('refuses the skill %j with %s', async (yaml, code) => {
    expect((await refusal(rig.run(yaml)))[0]).toBe(code);
  });
});
