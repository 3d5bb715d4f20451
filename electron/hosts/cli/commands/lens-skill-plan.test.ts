import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { openResolver } from '#engine/resolve/open-resolver.ts';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import { WorkspaceRuns } from '#engine/run/workspace-runs.ts';
import { Sandbox } from '#engine/sandbox/sandbox.ts';
import { Log } from '#engine/store/log.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';
import { Plan } from '#shared/model/plan.ts';
import { CliRig } from '../testing/cli-rig.ts';

const lens = (line: string): string => `
metadata: { name: A, version: 1.0.0 }
skills:
  - name: list
    description: d
    produces: [names]
    files: ["docs/*"]
    scripts: [{ name: list.sh, content: "ls docs" }]
  - name: extract-api
    description: d
    depends_on: [list]
    requires: [names]
    produces: [api]
    files: []
    scripts:
      - name: extract.sh
        content: |
          cat > /dev/null
          ${line}
          echo done
  - name: greet
    description: d
    requires: [who]
    files: []
    scripts: [{ name: greet.sh, content: "cat" }]
  - name: write
    description: d
    depends_on: [extract-api]
    instructions: Write it
`;

const isAvailable = await canRunScripts();

/** Runs what can run, as the app would. */
async function runOnce(folder: string): Promise<void> {
  const [root, home] = [join(folder, 'work'), join(folder, 'home')];
  const log = new Log(join(home, 'logs'));
  const { resolver } = openResolver({
    ...{ root, home, log, resources: join(folder, 'app/resources') },
    files: () => Promise.resolve(['a.lens']),
  });
  using sandbox = new Sandbox({ searchPath: '/nowhere', workspaces: [root] });
  using cache = ActionCache.open(home);
  await using runs = new WorkspaceRuns({
    ...{ root, home, sandbox, cache, log, grants: new GrantStore(home) },
    resolve: (file, request) => resolver.resolve(file, request),
  });
  await (
    await runs.start('a.lens', {})
  ).done;
}

describe('sunwell lens skill-plan', () => {
  let rig: CliRig;
  beforeEach(
    async () => void (rig = await CliRig.make({ 'work/a.lens': lens('echo one'), 'work/docs/a.md': 'A\n' })),
  );
  afterEach(() => rig[Symbol.asyncDispose]());

  test('prints what would be done with every skill, by wave, and why', async () => {
    expect(await rig.run(['lens', 'skill-plan', 'a.lens'])).toEqual({
      exitCode: 0,
      stdout: [
        'A: 4 skills in 3 waves',
        '',
        'Wave 1',
        'block  greet          needs the input "who": give it a value with --input or --input-file',
        'run    list           no kept result yet',
        '',
        'Wave 2',
        'run    extract-api    no kept result yet',
        '',
        'Wave 3',
        'block  write          needs a model: set one up in config.yaml, or use --manual or --replay FILE',
        '',
        '2 to run, 0 to skip, 2 blocked: 0 % skipped',
        '',
      ].join('\n'),
      stderr: expect.stringContaining('sunwell validate') as string,
    });
  });

  test('takes inputs, and says which none takes', async () => {
    const words = [
      'lens',
      'skill-plan',
      'a.lens',
      '--input',
      'who=me',
      '--input',
      'hwo=me',
      '--only',
      'greet',
    ];
    const { exitCode, stdout, stderr } = await rig.run(words);
    expect([exitCode, stdout.split('\n')[3]]).toEqual([0, 'run   greet          no kept result yet']);
    expect(stderr).toContain('No skill takes "hwo"\n');
  });

  test('--json prints the graph and the plan', async () => {
    const { exitCode, stdout } = await rig.run([
      'lens',
      'skill-plan',
      'a.lens',
      '--to',
      'extract-api',
      '--force',
      '--json',
    ]);
    const { graph, ...plan } = JSON.parse(stdout) as { graph: { lensName: string } };
    expect([exitCode, graph.lensName]).toEqual([0, 'A']);
    expect(Plan.parse(plan)).toMatchObject({
      lens: 'a.lens',
      toExecute: ['list', 'extract-api'],
      toSkip: [],
      skipPercentage: 0,
      decisions: [
        {
          skill: 'list',
          wave: 0,
          decision: 'run',
          reasons: [{ id: 'forced', subject: '', sentence: 'you asked for it to run' }],
        },
        { skill: 'extract-api', wave: 1, decision: 'run' },
      ],
    });
  });

  test.each([
    [['a.lens', '--only', 'gone'], 'Cannot find "gone" in the graph'],
    [['a.lens', '--why', 'gone'], 'Cannot find "gone" in the graph'],
    [['a.lens', '--only', 'list', '--why', 'greet'], 'it is not among the chosen skills'],
    [['a.lens', '--input', 'who'], '"who" after --input has no key'],
  ])('skill-plan %j ends with 2: %s', async (words, message) => {
    const ran = await rig.run(['lens', 'skill-plan', ...words]);
    expect([ran.exitCode, ran.stdout, ran.stderr.includes(message)]).toEqual([2, '', true]);
  });
});

describe.skipIf(!isAvailable)('sunwell lens skill-plan after a run', () => {
  let rig: CliRig;
  beforeEach(
    async () => void (rig = await CliRig.make({ 'work/a.lens': lens('echo one'), 'work/docs/a.md': 'A\n' })),
  );
  afterEach(() => rig[Symbol.asyncDispose]());

  test('--why prints every reason with the lines that changed, and the totals know what is saved', async () => {
    await runOnce(rig.folder);
    await rig.write({ 'work/a.lens': lens('echo two') });
    const plan = await rig.run(['lens', 'skill-plan', 'a.lens', '--to', 'extract-api']);
    expect(plan.stdout.split('\n').filter((line) => /^(run|skip|\d)/.test(line))).toEqual([
      expect.stringMatching(/^skip {2}list {11}from run \S+, just now, took [\d.]+ m?s$/) as string,
      'run   extract-api    script extract.sh changed (1 line)',
      expect.stringMatching(
        /^1 to run, 1 to skip: 50 % skipped, saves \S+ m?s, takes about \S+ m?s$/,
      ) as string,
    ]);
    const why = await rig.run(['lens', 'skill-plan', 'a.lens', '--why', 'extract-api']);
    expect([why.exitCode, why.stdout]).toEqual([
      0,
      [
        'run  extract-api',
        '  script extract.sh changed (1 line)',
        '--- a/extract.sh',
        '+++ b/extract.sh',
        '@@ -1,3 +1,3 @@',
        ' cat > /dev/null',
        '-echo one',
        '+echo two',
        ' echo done',
        '',
      ].join('\n'),
    ]);
  });
});
