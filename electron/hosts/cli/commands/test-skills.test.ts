import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeServer } from '#engine/models/testing/fake-server.ts';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import type { TestReport } from '#shared/model/test-report.ts';
import { CliRig } from '../testing/cli-rig.ts';

const isAvailable = await canRunScripts();

const lens = `
metadata: { name: A, version: 1.0.0 }
inputs: { who: { description: Whom to greet } }
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
          print(json.dumps({"greeting": "Hello " + json.load(sys.stdin)["inputs"]["who"]}))
`;
const good = `
- name: greets
  skill: greet
  input: { context: { who: me } }
  expected: { outputs: { greeting: Hello me } }
`;
const bad = `
- name: greets | otherwise
  skill: greet
  input: { context: { who: you } }
  expected: { outputs: { greeting: Hello me }, contains: Bye }
`;
const times = (text: string): string =>
  text.replace(/\d+(\.\d+)? m?s\b/g, '#').replace(/time="[^"]*"|timestamp="[^"]*"/g, '');

describe.skipIf(!isAvailable)('sunwell test-skills', () => {
  let rig: CliRig;
  beforeEach(async () => void (rig = await CliRig.make({ 'work/a.lens': lens })));
  afterEach(() => rig[Symbol.asyncDispose]());

  /** A server whose model is the user's only one. */
  async function startModel(): Promise<FakeServer> {
    const server = await FakeServer.start();
    const model = `{provider: openai-compatible, model: m, base_url: "${server.address}"}`;
    await rig.write({ 'home/config.yaml': `models: {fake: ${model}}\ndefault_model: fake\n` });
    return server;
  }

  test('tries the fixtures of a lens and says what came instead', async () => {
    await rig.write({ 'work/tests/fixtures.yaml': good + bad });
    const { exitCode, stdout } = await rig.run(['test-skills', 'a.lens', '--concurrency', '1']);
    expect([exitCode, times(stdout)]).toEqual([
      1,
      `A (a.lens), tests/fixtures.yaml
✓ greets #
✕ greets | otherwise #
    Expected "Bye", and it is nowhere in the result
      the content of "greet": {"greeting": "Hello you"}
      "greeting" of "greet": Hello you
    Expected "greeting" to be "Hello me", and it is "Hello you"
1 of 2 fixtures passed in #
`,
    ]);
    const one = await rig.run(['test-skills', '--fixture', 'greets']);
    expect([one.exitCode, times(one.stdout)]).toEqual([
      0,
      'A (a.lens), tests/fixtures.yaml\n✓ greets #\n1 of 1 fixture passed in #\n',
    ]);
  });

  test('--json is one document, --report writes what CI reads', async () => {
    await rig.write({ 'work/more/one.yaml': bad });
    const ran = await rig.run([
      'test-skills',
      'A',
      '--fixtures',
      'more/*.yaml',
      '--json',
      '--report',
      'junit,md=out.md',
    ]);
    const document = JSON.parse(ran.stdout) as { reports: TestReport[]; passed: number; failed: number };
    const [report] = document.reports;
    expect([ran.exitCode, document.passed, document.failed, report!.files]).toEqual([
      1,
      0,
      1,
      ['more/one.yaml'],
    ]);
    expect(report!.results[0]!.expectations.map(({ kind, passed }) => [kind, passed])).toEqual([
      ['run', true],
      ['contains', false],
      ['outputs', false],
    ]);
    const junit = await readFile(join(rig.folder, 'work/sunwell-report.xml'), 'utf8');
    expect(times(junit)).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites tests="1" failures="1" errors="0" skipped="0">
        <testsuite name="A"   tests="1" failures="1" errors="0" skipped="0">
          <testcase classname="a.lens" name="greets | otherwise"  file="more/one.yaml:2">
            <failure message="Expected &quot;Bye&quot;, and it is nowhere in the result; Expected &quot;greeting&quot; to be &quot;Hello me&quot;, and it is &quot;Hello you&quot;" type="contains"/>
            <system-err><![CDATA[Expected "Bye", and it is nowhere in the result
      the content of "greet": {"greeting": "Hello you"}
      "greeting" of "greet": Hello you

      Expected "greeting" to be "Hello me", and it is "Hello you"
      "Hello you"]]></system-err>
          </testcase>
        </testsuite>
      </testsuites>"
    `);
    expect(times(await readFile(join(rig.folder, 'work/out.md'), 'utf8'))).toMatchInlineSnapshot(`
      "# A: failed

      0 of 1 fixture passed in # (more/one.yaml).

      | Fixture | Skill | State | Time |
      | --- | --- | --- | ---: |
      | greets \\| otherwise | greet | failed | # |

      ## greets \\| otherwise

      - Expected "Bye", and it is nowhere in the result
      - Expected "greeting" to be "Hello me", and it is "Hello you"
      "
    `);
  });

  test('--init adds a first fixture with a place for every value that is given', async () => {
    const added = await rig.run(['test-skills', 'a.lens', '--init', 'greet']);
    expect([added.exitCode, added.stderr]).toEqual([
      0,
      'Written: "greet ends well" into tests/fixtures.yaml\n',
    ]);
    expect(await readFile(join(rig.folder, 'work/tests/fixtures.yaml'), 'utf8')).toContain(
      '- name: greet ends well\n  skill: greet\n',
    );
    expect((await rig.run(['test-skills', '--init', 'greet'])).exitCode).toBe(2);
  });

  test('refuses what it cannot try, with the place', async () => {
    const none = await rig.run(['test-skills']);
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^Cannot find fixtures in ".*": write some into "tests\/fixtures.yaml" beside a lens\n$/,
      ),
    ]);
    await rig.write({ 'work/tests/fixtures.yaml': `${good}- name: other\n  skill: gret\n- name: [\n` });
    const broken = await rig.run(['test-skills', 'a.lens']);
    expect([broken.exitCode, broken.stderr]).toEqual([
      2,
      expect.stringMatching(/tests\/fixtures.yaml:7:10 error fixture.unknown-skill Cannot find "gret"/),
    ]);
    await rig.write({ 'work/tests/fixtures.yaml': good });
    const unknown = await rig.run(['test-skills', 'a.lens', '--fixture', 'greet']);
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      'Cannot find fixture "greet" of "a.lens": did you mean "greets"?\n',
    ]);
  });

  test('a fixture that expects nothing is warned of, and fixtures of other lenses are left alone', async () => {
    await rig.write({
      'work/tests/fixtures.yaml': '- { name: nothing, skill: greet, input: { context: { who: me } } }\n',
      'work/b.lens': lens.replaceAll('greet', 'salute').replace('name: A', 'name: B'),
    });
    const { exitCode, stdout, stderr } = await rig.run(['test-skills']);
    expect([exitCode, times(stdout), stderr]).toEqual([
      0,
      'A (a.lens), tests/fixtures.yaml\n✓ nothing #\n1 of 1 fixture passed in #\n',
      'tests/fixtures.yaml:1:11 warning fixture.no-expectation Fixture "nothing" expects nothing\n',
    ]);
  });

  test('a run can be saved as a fixture, which passes', async () => {
    await rig.run(['apply', 'a.lens', '--skill', 'greet', '--input', 'who=you']);
    const saved = await rig.run(['run', 'save-fixture', 'last', '--name', 'greets you']);
    expect([saved.exitCode, saved.stderr]).toEqual([0, 'Written: "greets you" into tests/fixtures.yaml\n']);
    expect(await readFile(join(rig.folder, 'work/tests/fixtures.yaml'), 'utf8')).toContain(
      '  expected:\n    outputs:\n      greeting: Hello you\n',
    );
    expect((await rig.run(['test-skills'])).exitCode).toBe(0);
  });

  test('--ab leaves out what the lens tells the model, and measures both by the same judges', async () => {
    await using server = await startModel();
    await rig.write({
      'work/b.lens': `
metadata: { name: B, version: 1.0.0, description: A careful writer }
heuristics: [{ name: Short, rule: Say it once }]
validators: { deterministic: [{ name: no-todo, not_contains: TODO, severity: error }] }
skills: [{ name: write, description: Write, instructions: Write, validate_with: { validators: [no-todo] } }]
`,
      'work/tests/b.fixtures.yaml': '- { name: writes, skill: write, expected: { validators_pass: true } }\n',
    });
    server.answerWith({ say: 'Done' }, { say: 'TODO' });
    const { exitCode, stdout } = await rig.run(['test-skills', 'B', '--ab']);
    const told = server.received.map(({ body }) => /Say it once|A careful writer/.test(JSON.stringify(body)));
    expect([exitCode, told]).toEqual([0, [true, false]]);
    expect(stdout.replace(/ +/g, ' ')).toContain('passed 100 % 0 % +100 %\n');
    expect(stdout.replace(/ +/g, ' ')).toContain('writes passed failed better\n');
  });

  test('--ab draws no conclusion from what a recording never asked without the lens', async () => {
    await using server = await startModel();
    await rig.write({
      'work/b.lens': `
metadata: { name: B, version: 1.0.0, description: A careful writer }
skills: [{ name: write, description: Write, instructions: Write }]
`,
      'work/tests/b.fixtures.yaml': '- { name: writes, skill: write, expected: { contains: Done } }\n',
    });
    server.answerWith({ say: 'Done' }, { say: 'Done' }, { say: 'Nothing' });
    const compare = async (...words: string[]) =>
      (await rig.run(['test-skills', 'B', '--ab', '--report', 'md', ...words])).stdout.replace(/ +/g, ' ');
    await rig.run(['test-skills', 'B', '--record', 'tests/b.replay.jsonl']);
    const alone = await compare();
    const sentence =
      '1 fixture not compared: the recording has no answer without the lens; record both with --ab --record FILE\n';
    expect(alone).toContain('passed – – –\n');
    expect(alone).toMatch(new RegExp(`\nwrites passed not recorded *\n${sentence}$`));
    expect(await readFile(join(rig.folder, 'work/sunwell-report.md'), 'utf8')).toContain(
      sentence.slice(0, 22),
    );
    await compare('--record', 'tests/b.replay.jsonl');
    const both = await compare();
    expect(both).toContain('passed 100 % 0 % +100 %\n');
    expect(both).not.toContain('not compared');
  });

  test('--ab tries the fixtures without the lens too', async () => {
    await rig.write({ 'work/tests/fixtures.yaml': good });
    const { exitCode, stdout } = await rig.run(['test-skills', '--ab']);
    expect(exitCode).toBe(0);
    expect(times(stdout).replace(/ +/g, ' ')).toContain(
      ' with the lens without difference\npassed 100 % 100 % +0 %\n',
    );
  });
});
