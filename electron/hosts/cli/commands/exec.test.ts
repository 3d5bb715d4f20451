import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import type { RunRecord } from '#shared/model/run.ts';
import { CliRig } from '../testing/cli-rig.ts';

const someText = expect.any(String) as string;
const someNumber = expect.any(Number) as number;
const isAvailable = await canRunScripts();

const lens = `
metadata: { name: A, version: 1.0.0 }
skills:
  - name: ask
    description: d
    produces: [who]
    scripts: [{ name: ask.sh, content: "echo them" }]
  - name: greet
    description: d
    depends_on: [ask]
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
    expect(steady(await rig.run(['exec', 'a.lens#greet', '--input', 'who=me=you']))).toEqual({
      exitCode: 0,
      stdout: 'Hello me=you red\n',
      stderr:
        '▶ greet                you asked for it to run\n' +
        '  greet | greeting me=you\n' +
        '✓ greet                TIME\n' +
        'proposed  modify  docs/hello.md (13 B)\n' +
        'proposed  delete  old.md\n' +
        'See the changes with --dry-run, apply them with --write\n' +
        'Succeeded: 1 ran, took TIME. Run ID\n',
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
    const record: unknown = JSON.parse(ran.stdout);
    expect([ran.exitCode, record]).toEqual([
      0,
      {
        ...{ runId: someText, lens: 'a.lens', lensName: 'A', status: 'succeeded' },
        ...{ startedAt: someNumber, durationMs: someNumber, seq: someNumber },
        request: {
          ...{ inputs: { who: ['a', 1] }, params: {}, force: true },
          selection: { only: ['a.lens:greet'], alone: true },
        },
        plan: expect.objectContaining({ toExecute: ['greet'], toSkip: [] }) as object,
        steps: [
          {
            ...{ skill: 'greet', id: 'a.lens:greet', wave: 1, decision: 'run', state: 'ran', cached: false },
            ...{ startedAt: someNumber, durationMs: someNumber },
            ...{ cacheKey: someText, resultDigest: someText },
            content: "Hello ['a', 1] \u001b[31mred",
            outputs: { greeting: ['a', 1] },
            artifacts: [
              {
                path: 'docs/hello.md',
                operation: 'write',
                contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
                bytes: 15,
              },
              { path: 'old.md', operation: 'delete' },
            ],
            verdicts: [],
            attempts: 1,
            sandbox: { filesSeen: 4, limitsHit: [], denied: [] },
          },
        ],
        predictedVsActual: [],
        artifactsApplied: ['docs/hello.md', 'old.md'],
        warnings: [],
      },
    ]);
    const shown: unknown = JSON.parse((await rig.run(['run', 'show', 'last', '--json'])).stdout);
    // Writing the files was one event more.
    expect(shown).toEqual({ ...(record as RunRecord), seq: someNumber });
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
      expect.stringContaining(
        'Cannot write: "docs/hello.md" changed since the run started. Nothing was written\n',
      ),
    ]);
    expect([await work('docs/hello.md'), await work('old.md')]).toEqual(['Theirs\n', 'old\n']);
  });

  test('a failing script ends with 1, in JSON with its error', async () => {
    expect(steady(await rig.run(['exec', 'a.lens#fail']))).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        '▶ fail                 you asked for it to run\n' +
        '  fail | no luck\n' +
        '✕ fail                 Script "fail.sh" of "fail" ended with exit code 9\n' +
        'Failed: 1 failed, took TIME. Run ID\n',
    });
    const ran = await rig.run(['exec', 'a.lens#fail', '--json']);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: 'failed',
      steps: [{ state: 'failed', error: { phase: 'execute', exitCode: 9, stderr: 'no luck\n' } }],
    });
  });

  test('Ctrl+C ends the script and the command with 130', async () => {
    rig.onceHeard('waiting', () => rig.pressCtrlC());
    expect(steady(await rig.run(['exec', 'a.lens#wait']))).toEqual({
      exitCode: 130,
      stdout: '',
      stderr:
        '▶ wait                 you asked for it to run\n' +
        '  wait | waiting\n' +
        '– wait                 cancelled\n' +
        'Cancelled: 1 cancelled, took TIME. Run ID\n',
    });
  });

  test('runs a skill without what it depends on, and again whatever the cache says', async () => {
    const words = ['exec', 'a.lens#greet', '--input', 'who=me', '--quiet', '--json'];
    const records = [await rig.run(words), await rig.run(words)].map(
      ({ stdout }) => JSON.parse(stdout) as RunRecord,
    );
    expect(
      records.map(({ steps, plan }) => [plan.decisions.length, steps.map(({ state }) => state)]),
    ).toEqual([
      [1, ['ran']],
      [1, ['ran']],
    ]);
  });

  test('runs the Agent Skill of a folder', async () => {
    await rig.write({
      'work/tools/say/SKILL.md':
        '---\nname: say\ndescription: Says hi\nmetadata:\n  sunwell: \'{"instructions":false,"scripts":[{"name":"say.sh","language":"bash","path":"scripts/say.sh"}]}\'\n---\n',
      'work/tools/say/scripts/say.sh': 'echo hi\n',
    });
    const [folder, file] = [
      await rig.run(['exec', './tools/say']),
      await rig.run(['exec', 'tools/say/SKILL.md']),
    ];
    expect([folder.exitCode, folder.stdout, file.stdout]).toEqual([0, 'hi\n', 'hi\n']);
  });

  test('--validate-with has the result judged by another lens: by whom that requires, and nobody else', async () => {
    await rig.write({
      'work/tools/say/SKILL.md':
        '---\nname: say\ndescription: Says hi\nmetadata:\n  sunwell: \'{"instructions":false,"scripts":[{"name":"say.sh","language":"bash","path":"scripts/say.sh"}]}\'\n---\n',
      'work/tools/say/scripts/say.sh': 'echo hi\n',
      'work/strict.lens': judgingLens('  required_validators: [polite]\n'),
      'work/all.lens': judgingLens('  min_confidence: 0.5\n'),
    });
    const judged = async (lens: string): Promise<unknown> => {
      const ran = await rig.run(['exec', './tools/say', '--validate-with', lens, '--json']);
      const { status, request, steps } = JSON.parse(ran.stdout) as RunRecord;
      const [step] = steps;
      const verdicts = step?.verdicts.map(({ judge, outcome }) => [judge, outcome]);
      return [ran.exitCode, status, request.judgedBy, step?.state, verdicts];
    };
    expect([await judged('strict.lens'), await judged('Judging all')]).toEqual([
      [0, 'succeeded', 'strict.lens', 'ran', [['polite', 'pass']]],
      [
        1,
        'failed',
        'all.lens',
        'judged-failed',
        [
          ['polite', 'pass'],
          ['long', 'fail'],
        ],
      ],
    ]);
    const told = steady(await rig.run(['exec', './tools/say', '--validate-with', 'strict.lens']));
    expect(told).toEqual({
      exitCode: 0,
      stdout: 'hi\n',
      stderr:
        '▶ say                  you asked for it to run\n' +
        '⚖ say                  passed: polite pass 1.00\n' +
        '✓ say                  TIME\n' +
        'Succeeded: 1 ran, took TIME. Run ID\n',
    });
    await rig.run(['exec', 'a.lens#ask', '--validate-with', 'all.lens']);
    const again = JSON.parse((await rig.run(['run', 'resume', 'last', '--json'])).stdout) as RunRecord;
    expect([again.request.judgedBy, again.steps.map(({ state }) => state)]).toEqual([
      'all.lens',
      ['judged-failed'],
    ]);
  });

  test('"run resume" tells like the run itself that the result passes', async () => {
    await rig.write({ 'work/strict.lens': judgingLens('  required_validators: [long]\n') });
    await rig.run(['exec', 'a.lens#ask', '--validate-with', 'strict.lens']);
    await rig.write({
      'work/strict.lens': judgingLens('  required_validators: [long]\n').replace('bye', 'them'),
    });
    const resumed = await rig.run(['run', 'resume', 'last']);
    expect([resumed.exitCode, resumed.stderr]).toEqual([
      0,
      expect.stringContaining('⚖ ask                  passed: long pass 1.00\n'),
    ]);
  });

  test('the skill of a folder is carried on by "run resume" from anywhere in the workspace, and tells its content', async () => {
    const say = (script: string): Record<string, string> => ({
      'work/tools/say/SKILL.md':
        '---\nname: say\ndescription: Says hi\nmetadata:\n  sunwell: \'{"instructions":false,"scripts":[{"name":"say.sh","language":"bash","path":"scripts/say.sh"}]}\'\n---\n',
      'work/tools/say/scripts/say.sh': script,
    });
    await rig.write(say('exit 1\n'));
    expect((await rig.run(['exec', './tools/say'])).exitCode).toBe(1);
    await rig.write(say('echo hi\n'));
    const ran = await rig.run(['run', 'resume', 'last', '--workspace', '..'], 'work/docs');
    expect(steady(ran)).toEqual({
      exitCode: 0,
      stdout: 'hi\n',
      stderr:
        '▶ say                  you asked for it to run\n' +
        '✓ say                  TIME\n' +
        'Succeeded: 1 ran, took TIME. Run ID\n',
    });
  });

  test.each([
    [
      ['a.lens#greet', '--input', 'who=me', '--validate-with', 'a.lens'],
      'Cannot judge by "a.lens": it has no validators',
    ],
    [
      ['a.lens#greet', '--input', 'who=me', '--validate-with', 'gone.lens'],
      'Cannot read "gone.lens": there is no such file',
    ],
    [
      ['a.lens#greet', '--input', 'who=me', '--validate-with', 'a.lens', '--no-judge'],
      '"--validate-with <lens>" cannot be used with option "--no-judge"',
    ],
    [['a.lens#greet'], 'Cannot run "greet": give it "who" with --input or --input-file'],
    [['a.lens#greet', '--input', 'who'], '"who" after --input has no key'],
    [['a.lens#greet', '--input-file', 'who=gone.txt'], 'Cannot read "gone.txt": there is no such file'],
    [['a.lens#greet', '--input-file', 'who=bad.json'], 'Cannot read "bad.json": it is not JSON'],
    [['a.lens#greet', '--write', '--dry-run'], '"--write" cannot be used with option "--dry-run"'],
    [
      ['a.lens#write'],
      'Cannot run "write": it needs a model: set one up in config.yaml, or use --manual or --replay FILE',
    ],
    [['a.lens#gone'], 'Cannot find skill "a.lens#gone"'],
    [['orphan.lens#say'], 'Cannot run "say": its lens may lack judges: Cannot read lens "./gone.lens"'],
    [
      ['a.lens#ask', '--validate-with', 'orphan.lens'],
      'Cannot judge by "orphan.lens", which may lack judges: Cannot read lens "./gone.lens"',
    ],
  ])('exec %j ends with 2: %s', async (words, message) => {
    await rig.write({
      'work/bad.json': '{',
      'work/orphan.lens':
        'metadata: { name: Orphan, version: 1.0.0 }\nextends: ./gone.lens\nvalidators: [{ name: short, max_words: 9 }]\n' +
        'skills: [{ name: say, description: d, scripts: [{ name: s.sh, content: echo hi }] }]\n',
    });
    const ran = await rig.run(['exec', ...words]);
    expect([ran.exitCode, ran.stdout, ran.stderr.includes(message)]).toEqual([2, '', true]);
  });
});

/** A lens that only judges; `policy` says what it asks of every result. */
function judgingLens(policy: string): string {
  return `metadata: { name: Judging ${policy.includes('required') ? 'strictly' : 'all'}, version: 1.0.0 }
quality_policy:
${policy}validators:
  deterministic:
    - { name: polite, check: Greets, severity: error, contains: [hi] }
    - { name: long, check: Says enough, severity: error, contains: [bye] }
`;
}

/** What is printed without what differs every time. */
function steady<T extends { stderr: string }>(ran: T): T {
  const stderr = ran.stderr.replace(/\d+(\.\d+)? m?s\b/g, 'TIME').replace(/Run \S+/g, 'Run ID');
  return { ...ran, stderr };
}
