import { mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import type { Plan } from '#shared/model/plan.ts';
import type { RunRecord, RunSummary } from '#shared/model/run.ts';
import { CliRig } from '../testing/cli-rig.ts';

const isAvailable = await canRunScripts();

const lens = `
metadata: { name: A, version: 1.0.0 }
workflows:
  - name: everything
    steps: [{ skill: greet }, { parallel: [{ skill: shout }] }]
  - name: gone
    steps: [{ skill: greet }, { parallel: [{ skill: shuot }, { skill: nobody }] }]
  - name: half
    steps: [{ skill: greet }, { skill: fail }, { skill: shout }]
  - name: model
    steps: [{ name: think, action: Think hard }]
  - name: nothing
    steps: []
skills:
  - name: greet
    description: Greet a person
    requires: [who]
    produces: [greeting]
    files: []
    scripts:
      - name: greet.py
        content: |
          import json, sys
          who = json.load(sys.stdin)["inputs"]["who"]
          print("greeting", who, file=sys.stderr)
          print(json.dumps({"greeting": "Hello " + who}))
  - name: shout
    description: Shout at the harbour
    depends_on: [greet]
    requires: [greeting]
    files: []
    scripts:
      - name: shout.py
        content: |
          import json, os, sys
          text = json.load(sys.stdin)["inputs"]["greeting"].upper()
          open(os.environ["SUNWELL_FILES"] + "/shout.md", "w").write(text + "\\n")
          print("shouting", file=sys.stderr)
          print(text)
  - name: fail
    description: Always break
    files: []
    scripts: [{ name: fail.sh, content: "echo no luck >&2; exit 9" }]
  - name: after
    description: Wait for what breaks
    depends_on: [fail]
    files: []
    scripts: [{ name: after.sh, content: "true" }]
`;

const durations = (text: string): string =>
  text.replace(/\d+(\.\d+)? m?s\b/g, '# ms').replace(/Run 0\S+/, 'Run #');

describe.skipIf(!isAvailable)('sunwell apply', () => {
  let rig: CliRig;
  beforeEach(async () => void (rig = await CliRig.make({ 'work/a.lens': lens })));
  afterEach(() => rig[Symbol.asyncDispose]());
  const shout = (...more: string[]) =>
    rig.run(['apply', 'a.lens', '--skill', 'shout', '--input', 'who=me', ...more]);

  test('runs a skill with what it needs, prints its content, and skips it all the next time', async () => {
    const first = await shout();
    expect([first.exitCode, first.stdout]).toEqual([0, 'HELLO ME\n']);
    expect(durations(first.stderr)).toContain('  greet | greeting me\n');
    expect(durations(first.stderr)).toContain(
      'proposed  create  shout.md (9 B)\nSee the changes with --dry-run, apply them with --write\n' +
        'Succeeded: 2 ran, took # ms. Run #\n',
    );
    const second = await shout();
    expect(durations(second.stderr)).toContain('Succeeded: 2 cached, saved # ms, took # ms. Run #\n');
  });

  test('--write applies what is proposed, --report writes reports, --json tells all', async () => {
    const ran = await shout('--write', '--json', '--report', 'junit,md=out.md');
    const record = JSON.parse(ran.stdout) as RunRecord;
    expect([ran.exitCode, record.status, record.artifactsApplied]).toEqual([0, 'succeeded', ['shout.md']]);
    expect(record.steps.map(({ skill, state, outputs }) => [skill, state, outputs])).toEqual([
      ['greet', 'ran', { greeting: 'Hello me' }],
      ['shout', 'ran', {}],
    ]);
    expect(await readFile(join(rig.folder, 'work/shout.md'), 'utf8')).toBe('HELLO ME\n');
    expect(await readFile(join(rig.folder, 'work/out.md'), 'utf8')).toContain('| greet | ran |');
    expect(await readFile(join(rig.folder, 'work/sunwell-report.xml'), 'utf8')).toContain('<testcase');
  });

  test('--output is refused without a chosen skill, and leaves the file alone where that one has no result', async () => {
    await rig.write({ 'work/out.txt': 'good\n' });
    const out = (): Promise<string> => readFile(join(rig.folder, 'work/out.txt'), 'utf8');
    const all = await rig.run(['apply', 'a.lens', '--all', '--output', 'out.txt']);
    const failed = await rig.run(['apply', 'a.lens', '--skill', 'fail', '--output', 'out.txt', '--quiet']);
    expect([all.exitCode, all.stderr, failed.exitCode, failed.stderr, await out()]).toEqual([
      2,
      'Cannot read the command line: --output takes the content of chosen skills: choose them with --skill, see "sunwell --help"\n',
      1,
      expect.stringContaining('Nothing written to "out.txt": there is no result of "fail" (failed)\n'),
      'good\n',
    ]);
    expect(JSON.parse((await rig.run(['run', 'list', '--json'])).stdout)).toHaveLength(1);
    const resumed = await rig.run(['run', 'resume', 'last', '--output', 'out.txt']);
    expect([resumed.exitCode, await out()]).toEqual([1, 'good\n']);
    await shout('--skill', 'greet', '--output', 'out.txt');
    expect(await out()).toBe('{"greeting": "Hello me"}\nHELLO ME\n');
  });

  test('files that cannot be written are refused before anything runs', async () => {
    for (const [file, why] of [
      ['gone/x.xml', 'there is no such folder'],
      ['a.lens/x.xml', 'what should be its folder is a file'],
      ['.git', 'it is a folder'],
    ]) {
      const report = await shout('--write', '--report', `md,junit=${file}`);
      const output = await shout('--output', file!);
      const message = `Cannot write "${file}": ${why}\n`;
      expect([report, output].map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual([
        [1, message],
        [1, message],
      ]);
    }
    expect((await rig.run(['run', 'list', '--json'])).stdout).toBe('[]\n');
  });

  test('two results for one file are refused before anything runs, and so is a file without a name', async () => {
    await rig.write({ 'work/out.txt': '' });
    await symlink('out.txt', join(rig.folder, 'work/link.txt'));
    for (const [words, why] of [
      [
        ['--report', 'md=same.txt,json=./same.txt'],
        'two results would be written to "./same.txt": name a file for each',
      ],
      [
        ['--report', 'md=link.txt', '--output', 'out.txt'],
        'two results would be written to "out.txt": name a file for each',
      ],
      [['--report', 'md,md'], 'two results would be written to "sunwell-report.md": name a file for each'],
      [['--output', ''], 'a file to write has no name'],
    ] as const) {
      const { exitCode, stderr } = await shout(...words);
      expect([exitCode, stderr]).toEqual([2, `Cannot read the command line: ${why}, see "sunwell --help"\n`]);
    }
    expect((await rig.run(['run', 'list', '--json'])).stdout).toBe('[]\n');
    expect((await shout('--report', 'md=/dev/null,json=/dev/null', '--output', '/dev/null')).exitCode).toBe(
      0,
    );
  });

  test('--dry-run shows a person that only line ends change, and programs the exact patch', async () => {
    await rig.write({ 'work/shout.md': 'HELLO ME\r\n' });
    const head = '--- a/shout.md\n+++ b/shout.md\n@@ -1,1 +1,1 @@\n';
    const exact = `${head}-HELLO ME\r\n+HELLO ME\n`;
    const piped = await shout('--dry-run');
    const { steps } = JSON.parse((await shout('--dry-run', '--json')).stdout) as RunRecord;
    rig.actAsTerminal();
    const shown = await shout('--dry-run');
    expect([piped.stdout, steps[1]!.artifacts, shown.stdout]).toEqual([
      exact,
      [expect.objectContaining({ diff: exact })],
      `${head}-HELLO ME<U+000D>\n+HELLO ME\n`,
    ]);
  });

  test('a file that only becomes executable is a change, and written', async () => {
    const content = 'cp n.sh $SUNWELL_FILES; chmod 755 $SUNWELL_FILES/n.sh';
    await rig.write({
      'work/n.sh': 'echo\n',
      'work/chmod.lens':
        'metadata: { name: C, version: 1.0.0 }\nskills:\n' +
        `  - { name: c, description: C, files: [n.sh], scripts: [{ name: c.sh, content: "${content}" }] }\n`,
    });
    const shown = await rig.run(['apply', 'chmod.lens', '--all', '--dry-run']);
    expect([shown.exitCode, shown.stdout, shown.stderr]).toEqual([
      0,
      'diff --git a/n.sh b/n.sh\nold mode 100644\nnew mode 100755\n',
      expect.stringContaining('proposed  modify  n.sh (5 B), becomes executable\n'),
    ]);
    expect((await rig.run(['apply', 'chmod.lens', '--all', '--write'])).exitCode).toBe(0);
    expect((await stat(join(rig.folder, 'work/n.sh'))).mode & 0o777).toBe(0o755);
    const again = await rig.run(['apply', 'chmod.lens', '--all', '--write']);
    expect(again.stderr).toContain('proposed  same    n.sh (5 B)\n');
  });

  test('what cannot be written afterwards is told with all the rest, and ends with 1', async () => {
    const ran = await shout('--json', '--output', '/dev/full', '--report', 'junit=/dev/full,md');
    const { status } = JSON.parse(ran.stdout) as RunRecord;
    expect([ran.exitCode, status, ran.stderr]).toEqual([
      1,
      'succeeded',
      '3 errors: run "sunwell validate a.lens" to see them\n' +
        'Cannot write "/dev/full": the disk is full\n'.repeat(2) +
        'Report: sunwell-report.md\n',
    ]);
    const told = await rig.run(['run', 'show', 'last', '--report', 'json=/dev/full']);
    expect([told.exitCode, told.stdout, told.stderr]).toEqual([
      1,
      expect.stringContaining('Succeeded: 2 ran'),
      'Cannot write "/dev/full": the disk is full\n',
    ]);
  });

  test('a run whose files cannot be written is told with all the rest, and ends with 1', async () => {
    rig.onceHeard('shouting', () => void writeFileSync(join(rig.folder, 'work/shout.md'), 'mine\n'));
    const ran = await shout('--write', '--output', 'out.txt', '--report', 'json');
    const work = (file: string): Promise<string> => readFile(join(rig.folder, 'work', file), 'utf8');
    expect([ran.exitCode, durations(ran.stderr)]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(
          'Report: sunwell-report.json\nproposed  modify  shout.md \\(9 B\\)\n' +
            'Cannot write: "shout.md" changed since the run started. Nothing was written\n' +
            'Run it again with --write: what still holds comes from the cache\n' +
            'Succeeded: 2 ran, took # ms. Run #\n$',
        ),
      ),
    ]);
    expect([await work('out.txt'), await work('shout.md')]).toEqual(['HELLO ME\n', 'mine\n']);
    expect(JSON.parse(await work('sunwell-report.json'))).toMatchObject({ artifactsApplied: [] });
    expect((await shout('--write')).exitCode).toBe(0);
    expect(await work('shout.md')).toBe('HELLO ME\n');
  });

  test('a cancelled run only proposes, and says how to carry it on', async () => {
    const words = [
      'apply',
      'a.lens',
      '--skill',
      'shout',
      '--skill',
      'linger',
      '--input',
      'who=me',
      '--write',
    ];
    const shouted = join(rig.folder, 'work/shout.md');
    const linger =
      '  - { name: linger, description: Wait, files: [], scripts: [{ name: l.sh, content: sleep 60 }] }\n';
    await rig.write({ 'work/a.lens': `${lens.trimEnd()}\n${linger}` });
    rig.onceHeard('✓ shout', () => rig.pressCtrlC());
    const ended = await rig.run(words);
    expect([ended.exitCode, existsSync(shouted), durations(ended.stderr)]).toEqual([
      130,
      false,
      expect.stringMatching(
        /proposed {2}create {2}shout.md \(9 B\)\nNothing was written: the run was cancelled\nCarry it on with "sunwell run resume 0\S+ --write"\n/,
      ),
    ]);
  });

  test('a failed run writes what its finished skills propose', async () => {
    const words = ['apply', 'a.lens', '--skill', 'shout', '--skill', 'fail', '--input', 'who=me', '--write'];
    const failed = await rig.run(words);
    expect([failed.exitCode, await readFile(join(rig.folder, 'work/shout.md'), 'utf8')]).toEqual([
      1,
      'HELLO ME\n',
    ]);
  });

  test('a proposal that cannot be compared is listed, and fails only what asks for its change', async () => {
    await mkdir(join(rig.folder, 'work/shout.md'));
    const why = 'Cannot write "shout.md": "shout.md" is not a regular file';
    const listed = await shout();
    expect([listed.exitCode, listed.stdout, durations(listed.stderr)]).toEqual([
      0,
      'HELLO ME\n',
      expect.stringContaining(
        `proposed  ?       shout.md (9 B)\n${why}\nSucceeded: 2 ran, took # ms. Run #\n`,
      ),
    ]);
    const shown = await shout('--dry-run', '--json');
    const { steps } = JSON.parse(shown.stdout) as { steps: { artifacts: object[] }[] };
    expect([shown.exitCode, shown.stderr, steps[1]!.artifacts]).toEqual([
      1,
      expect.stringContaining(`${why}\n`),
      [expect.objectContaining({ path: 'shout.md', diff: '', problem: why })],
    ]);
    const refused = await shout('--write', '--json');
    expect([refused.exitCode, refused.stderr, JSON.parse(refused.stdout)]).toEqual([
      1,
      expect.stringContaining(`${why}. Nothing was written\nCorrect that, then run it again with --write: `),
      expect.objectContaining({ status: 'succeeded', artifactsApplied: [] }),
    ]);
    const both = ['workflow', 'a.lens', 'everything', '--input', 'who=me', '--write', '--json'];
    const workflow = await rig.run(both);
    expect([workflow.exitCode, JSON.parse(workflow.stdout)]).toEqual([
      1,
      expect.objectContaining({ status: 'succeeded', runs: [expect.anything(), expect.anything()] }),
    ]);
  });

  test('a run is told also where the home was removed while it went on', async () => {
    rig.onceHeard('shouting', () => rmSync(join(rig.folder, 'home'), { recursive: true, force: true }));
    const ran = await shout('--write');
    expect([ran.exitCode, ran.stdout, durations(ran.stderr)]).toEqual([
      1,
      'HELLO ME\n',
      expect.stringMatching(
        /\nCannot find run .*\nRun it again with --write: .*\nSucceeded: 2 ran, took # ms. Run #\n$/,
      ),
    ]);
  });

  test('--json-stream prints every event as one line', async () => {
    const { stdout } = await shout('--json-stream');
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect([types[0], types.at(-1)]).toEqual(['run_start', 'run_complete']);
    expect(types.filter((type) => type === 'skill_execute_complete')).toHaveLength(2);
  });

  test('a failing skill blocks what waits for it, the rest is done, and the exit code is 1', async () => {
    const ran = await rig.run(['apply', 'a.lens', '--input', 'who=me', '--json']);
    const { status, steps } = JSON.parse(ran.stdout) as RunRecord;
    const states = Object.fromEntries(steps.map(({ skill, state }) => [skill, state]));
    expect([ran.exitCode, status, states]).toEqual([
      1,
      'failed',
      { greet: 'ran', shout: 'ran', fail: 'failed', after: 'blocked' },
    ]);
  });

  test('a lens that builds on one that is gone does not pass, with or without skills of its own', async () => {
    const head = 'metadata: { name: B, version: 1.0.0 }\nextends: ./gone.lens\n';
    await rig.write({
      'work/child.lens': `${head}skills: [{ name: say, description: d, files: [], scripts: [{ name: s.sh, content: echo hi }] }]\n`,
      'work/bare.lens': head,
    });
    const child = await rig.run(['apply', 'child.lens', '--all']);
    expect([child.exitCode, child.stdout, durations(child.stderr)]).toEqual([
      1,
      '',
      '1 error: run "sunwell validate child.lens" to see them\n' +
        '⛔ say                  its lens may lack judges: Cannot read lens "./gone.lens": there is no such file (child.lens:2); correct that first\n' +
        'Failed: 1 blocked, took # ms. Run #\n',
    ]);
    const bare = await rig.run(['apply', 'bare.lens', '--all']);
    expect([bare.exitCode, bare.stderr]).toEqual([
      2,
      '1 error: run "sunwell validate bare.lens" to see them\n' +
        'Cannot run by "bare.lens", which may lack judges: Cannot read lens "./gone.lens": there is no such file (bare.lens:2); correct that first\n',
    ]);
  });

  test('a task chooses the skill that fits, and refuses to guess', async () => {
    const chosen = await rig.run(['apply', 'a.lens', 'greet somebody', '--input', 'who=me', '--quiet']);
    expect([chosen.exitCode, chosen.stderr.split('\n')[0]]).toEqual([0, 'Chose "greet" for this task']);
    const empty = await rig.run(['apply', 'a.lens', '']);
    expect([empty.exitCode, empty.stderr]).toEqual([
      2,
      'Cannot choose a skill of "a.lens" for this task: it is empty; name one with --skill, or run all with --all\n',
    ]);
    const none = await rig.run(['apply', 'a.lens', 'zzz']);
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      'Cannot choose a skill of "a.lens" for this task: no skill fits by its words; ' +
        'name one with --skill, or run all with --all\n',
    ]);
  });

  test('a missing input is said before anything runs', async () => {
    const ran = await rig.run(['apply', 'a.lens', '--skill', 'shout', '--json']);
    const { steps } = JSON.parse(ran.stdout) as RunRecord;
    expect([ran.exitCode, steps.map(({ state }) => state)]).toEqual([1, ['blocked', 'blocked']]);
    const told = await rig.run(['apply', 'a.lens', '--skill', 'greet']);
    expect([told.stdout, told.stderr]).toEqual([
      '',
      expect.stringMatching(
        /^⛔ greet +needs the input "who": give it a value\nValues are given when a run is started: --input KEY=VALUE or --input-file KEY=PATH\nFailed/m,
      ),
    ]);
    expect(told.stderr.match(/needs the input/g)).toHaveLength(1);
  });

  test('bad words are refused', async () => {
    for (const words of [
      ['--report', 'pdf'],
      ['--report', 'md=,junit'],
      ['--concurrency', '0'],
      ['--json', '--json-stream'],
      ['--all', '--skill', 'greet'],
      ['--skill', 'nobody'],
      ['--replay', 'gone.jsonl'],
      ['--input-file', 'who=/dev/zero'],
    ]) {
      expect([words, (await rig.run(['apply', 'a.lens', ...words])).exitCode]).toEqual([words, 2]);
    }
  });

  test('--failed takes up what failed, also after "cache clear", and says where nothing is left', async () => {
    await rig.run(['apply', 'a.lens', '--skill', 'after', '--quiet']);
    expect((await rig.run(['cache', 'clear'])).exitCode).toBe(0);
    const plan = await rig.run(['lens', 'skill-plan', 'a.lens', '--failed', '--json']);
    const { decisions } = JSON.parse(plan.stdout) as Plan;
    expect(decisions.map(({ skill }) => skill)).toEqual(['fail', 'after']);
    await rig.write({ 'work/a.lens': lens.replace('exit 9', 'exit 0') });
    const mended = await rig.run(['apply', 'a.lens', '--failed', '--quiet']);
    expect([mended.exitCode, durations(mended.stderr)]).toEqual([
      0,
      expect.stringContaining('Succeeded: 2 ran, took # ms. Run #\n'),
    ]);
    const again = await rig.run(['apply', 'a.lens', '--failed']);
    const planned = await rig.run(['lens', 'skill-plan', 'a.lens', '--failed']);
    const nothing = 'Nothing that failed is left to run';
    expect([again.exitCode, again.stderr.split('\n').at(-2), planned.stdout]).toEqual([
      0,
      nothing,
      `${nothing}\n`,
    ]);
  });

  test('run resume carries on what had failed, and --output means what was chosen by name at first', async () => {
    await rig.run(['apply', 'a.lens', '--skill', 'after', '--quiet']);
    await rig.run(['apply', 'a.lens', '--failed', '--quiet']);
    const again = await rig.run(['run', 'resume', 'last', '--json']);
    const record = JSON.parse(again.stdout) as RunRecord;
    expect([again.exitCode, record.steps.map(({ skill, state }) => [skill, state])]).toEqual([
      1,
      [
        ['fail', 'failed'],
        ['after', 'blocked'],
      ],
    ]);
    const refused = await rig.run(['run', 'resume', 'last', '--output', 'out.txt']);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--output takes the content of chosen skills, and this run has none'),
    ]);
  });

  test('run list, show, diff, export and resume look back', async () => {
    const quiet = await rig.run(['apply', 'a.lens', '--input', 'who=me', '--quiet']);
    expect(quiet.stderr).toMatch(/✕ fail .*\n {2}fail \| no luck\n/);
    await shout('--quiet');
    const runs = JSON.parse((await rig.run(['run', 'list', '--json'])).stdout) as RunSummary[];
    expect(runs.map(({ status, ran, cached }) => [status, ran, cached])).toEqual([
      ['succeeded', 0, 2],
      ['failed', 2, 0],
    ]);
    const [newest, oldest] = runs.map(({ runId }) => runId);
    const show = await rig.run(['run', 'show', oldest!]);
    expect(show.stdout).toContain('after  blocked');
    expect(show.stdout).toContain('\n  fail | no luck\nFailed: ');
    const diff = await rig.run(['run', 'diff', oldest!, newest!]);
    expect(durations(diff.stdout)).toContain('greet: ran # ms → cached # ms\n');
    expect((await rig.run(['run', 'export', 'last', '--html', 'run.html'])).exitCode).toBe(0);
    expect(await readFile(join(rig.folder, 'work/run.html'), 'utf8')).toMatch(/^<!doctype html>/i);
    const resumed = await rig.run(['run', 'resume', oldest!, '--quiet']);
    expect([resumed.exitCode, durations(resumed.stderr)]).toEqual([
      1,
      expect.stringContaining('Failed: 2 cached, 1 failed, 1 blocked'),
    ]);
    const refused = await rig.run(['run', 'show', 'nothing']);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      'Cannot find run "nothing": the workspace has none, see "sunwell run list"\n',
    ]);
  });

  test('workflow runs its steps in order, and refuses what needs a model', async () => {
    const ran = await rig.run(['workflow', 'a.lens', 'Everything', '--input', 'who=me', '--json']);
    const { status, runs } = JSON.parse(ran.stdout) as { status: string; runs: RunRecord[] };
    expect([ran.exitCode, status, runs.map(({ steps }) => steps.map(({ state }) => state))]).toEqual([
      0,
      'succeeded',
      [['ran'], ['cached', 'ran']],
    ]);
    const files = ['--report', 'junit,md,json', '--output', 'out.txt', '--write', '--json'];
    const again = await rig.run(['workflow', 'a.lens', 'everything', '--input', 'who=me', ...files]);
    const document = JSON.parse(again.stdout) as { runs: RunRecord[] };
    expect(document.runs.map(({ artifactsApplied }) => artifactsApplied)).toEqual([[], ['shout.md']]);
    const work = (file: string): Promise<string> => readFile(join(rig.folder, 'work', file), 'utf8');
    expect(JSON.parse(await work('sunwell-report.json'))).toEqual(document);
    expect((await work('sunwell-report.xml')).match(/<(testsuite|testcase) .*?name="\w+"/g)).toEqual([
      '<testsuite name="A"',
      '<testcase classname="a.lens" name="greet"',
      '<testsuite name="A"',
      '<testcase classname="a.lens" name="greet"',
      '<testcase classname="a.lens" name="shout"',
    ]);
    expect((await work('sunwell-report.md')).match(/^# .*|^\| (greet|shout) \| \w+/gm)).toEqual([
      ...['# A: succeeded', '| greet | cached'],
      ...['# A: succeeded', '| greet | cached', '| shout | cached'],
    ]);
    expect(await work('out.txt')).toBe('{"greeting": "Hello me"}\nHELLO ME\n');
    const half = ['workflow', 'a.lens', 'half', '--input', 'who=me', '--report', 'md', '--output', 'out.txt'];
    const failed = await rig.run(half);
    expect([failed.exitCode, failed.stdout, await work('out.txt')]).toEqual([
      1,
      '',
      '{"greeting": "Hello me"}\n',
    ]);
    expect((await work('sunwell-report.md')).match(/^# .*/gm)).toEqual(['# A: succeeded', '# A: failed']);
    const model = await rig.run(['workflow', 'a.lens', 'model']);
    expect([model.exitCode, model.stderr]).toEqual([2, expect.stringContaining('needs a model')]);
    const runsBefore = (await rig.run(['run', 'list', '--json'])).stdout;
    const gone = await rig.run(['workflow', 'a.lens', 'gone', '--input', 'who=me']);
    expect([gone.exitCode, gone.stderr]).toEqual([
      2,
      'Cannot find "shuot", "nobody" in the graph: did you mean "shout"?\n',
    ]);
    expect((await rig.run(['run', 'list', '--json'])).stdout).toBe(runsBefore);
    const nothing = await rig.run(['workflow', 'a.lens', 'nothing']);
    expect([nothing.exitCode, nothing.stderr]).toEqual([
      0,
      expect.stringContaining('Workflow "nothing" has no steps: nothing ran\n'),
    ]);
    const unknown = await rig.run(['workflow', 'a.lens', 'evrything']);
    expect(unknown.stderr).toBe('Cannot find workflow "evrything" of "a.lens": did you mean "everything"?\n');
  });
});
