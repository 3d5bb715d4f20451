import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FakeServer } from '#engine/models/testing/fake-server.ts';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import { CliRig } from '../testing/cli-rig.ts';
import type { ValidateDocument } from '../validate/to-json.ts';

const isAvailable = await canRunScripts();

/** A lens that only judges. */
const judging = (name: string, validators: string, policy = 'min_confidence: 0.5'): string =>
  `metadata: { name: ${name}, version: 1.0.0 }\nquality_policy: { ${policy} }\nvalidators:\n${validators}`;
const textual = `  deterministic:
    - { name: polite, severity: error, contains: [Hello] }
    - { name: done, severity: warning, not_contains: [TODO] }
`;
const modelled = '  heuristic: [{ name: clear, check: It is clear, severity: error }]\n';
const good = '---\nname: s\ndescription: Reads files. Use when asked to.\n---\n';

let rig: CliRig;
beforeEach(async () => {
  rig = await CliRig.make({
    'work/all.lens': judging('All', textual),
    'work/strict.lens': judging('Strict', textual, 'required_validators: [done]'),
    'work/clear.lens': judging('Clear', modelled),
    'work/empty.lens': 'metadata: { name: Empty, version: 1.0.0 }\n',
    'work/orphan.lens':
      'extends: ./gone.lens\nmetadata: { name: Orphan, version: 1.0.0 }\nvalidators: [{ name: short, max_words: 9 }]\n',
    'work/good.md': '# Hello\n',
    'work/bad.md': '# Bye\n\nTODO: more\n',
    'work/s/SKILL.md': `${good}Hello\n`,
  });
});
afterEach(() => rig[Symbol.asyncDispose]());

const said = { kind: 'deterministic', confidence: 1 } as const;
const polite = { ...said, judge: 'polite', severity: 'error' } as const;
const done = { ...said, judge: 'done', severity: 'warning' } as const;
const against = [
  '"polite" says no: The result does not contain "Hello"',
  'confidence is 0.00, and 0.50 is wanted',
];
const passes = {
  ...{ outcome: 'passed', why: [] },
  verdicts: [
    { ...polite, outcome: 'pass', message: 'The result contains "Hello"', evidence: [{ quote: '# Hello' }] },
    { ...done, outcome: 'pass', message: 'The result does not contain "TODO"' },
  ],
};

describe('sunwell validate --with-lens', () => {
  test('checks what it knows by its kind and has every other file judged, with the words it rests on', async () => {
    expect(await rig.run(['validate', 'all.lens', 's/SKILL.md', 'good.md', '--with-lens', 'All'])).toEqual({
      exitCode: 0,
      stdout: `good.md passed
  polite: pass 1.00: The result contains "Hello"
    "# Hello"
  done: pass 1.00: The result does not contain "TODO"
No problems in 3 files
`,
      stderr: '',
    });
    expect(await rig.run(['validate', 'bad.md', '--with-lens', 'all.lens'])).toEqual({
      exitCode: 1,
      stdout: `bad.md did not pass: ${against.join('; ')}
  polite: fail 1.00: The result does not contain "Hello"
  done: fail 1.00: The result contains "TODO" in line 3
    "TODO: more"
1 error in 1 file
`,
      stderr: '',
    });
  });

  test('--format json has the verdicts of each file that was judged, and counts one that does not pass', async () => {
    const ran = await rig.run([
      'validate',
      'bad.md',
      '*.md',
      'all.lens',
      '--with-lens',
      'all.lens',
      '--json',
    ]);
    expect([ran.exitCode, JSON.parse(ran.stdout)]).toEqual([
      1,
      {
        files: [
          {
            ...{ file: 'bad.md', kind: 'text', diagnostics: [], outcome: 'failed', why: against },
            verdicts: [
              { ...polite, outcome: 'fail', message: 'The result does not contain "Hello"' },
              {
                ...{ ...done, outcome: 'fail', message: 'The result contains "TODO" in line 3' },
                evidence: [{ quote: 'TODO: more' }],
              },
            ],
          },
          { file: 'good.md', kind: 'text', diagnostics: [], ...passes },
          { file: 'all.lens', kind: 'lens', diagnostics: [] },
        ],
        errors: 1,
        warnings: 0,
      },
    ]);
  });

  test('asks only those whom the lens requires, where it requires some', async () => {
    const ran = await rig.run(['validate', 'good.md', '--with-lens', 'strict.lens', '--json']);
    const { files } = JSON.parse(ran.stdout) as ValidateDocument;
    expect(files.map(({ outcome, verdicts }) => [outcome, verdicts?.map(({ judge }) => judge)])).toEqual([
      ['passed', ['done']],
    ]);
  });

  test('--format sarif has a rule for each validator and a result for each that says no', async () => {
    const ran = await rig.run([
      'validate',
      'bad.md',
      'good.md',
      '--with-lens',
      'all.lens',
      '--format',
      'sarif',
    ]);
    const [run] = (JSON.parse(ran.stdout) as Sarif).runs;
    const { rules } = run!.tool.driver;
    const locations = [{ physicalLocation: { artifactLocation: { uri: 'bad.md' } } }];
    expect([
      ran.exitCode,
      run!.results.map(({ ruleIndex, ...result }) => ({
        ...result,
        isNamed: rules[ruleIndex]!.id === result.ruleId,
      })),
    ]).toEqual([
      1,
      [
        {
          ...{ ruleId: 'validator/polite', isNamed: true, level: 'error', locations },
          message: { text: 'fail: The result does not contain "Hello"' },
        },
        {
          ...{ ruleId: 'validator/done', isNamed: true, level: 'warning', locations },
          message: { text: 'fail: The result contains "TODO" in line 3\n"TODO: more"' },
        },
        {
          ...{ ruleId: 'quality-policy', isNamed: true, level: 'error', locations },
          message: { text: `did not pass: ${against.join('; ')}` },
        },
      ],
    ]);
    expect(rules.slice(-3)).toEqual([
      {
        id: 'validator/polite',
        shortDescription: { text: 'The validator "polite" of the lens' },
        defaultConfiguration: { level: 'error' },
      },
      {
        id: 'validator/done',
        shortDescription: { text: 'The validator "done" of the lens' },
        defaultConfiguration: { level: 'warning' },
      },
      {
        id: 'quality-policy',
        shortDescription: { text: 'What the lens asks of every result' },
        defaultConfiguration: { level: 'error' },
      },
    ]);
  });

  test('a validator that needs a model is not judged without one, which is no failure', async () => {
    const ran = await rig.run(['validate', 'good.md', '--with-lens', 'clear.lens']);
    expect(ran).toEqual({
      exitCode: 0,
      stdout: `good.md not judged: "clear" has not judged it
  clear: not judged: Needs a model to judge
No problems in 1 file
`,
      stderr: '',
    });
    const sarif = await rig.run(['validate', 'good.md', '--with-lens', 'clear.lens', '--format', 'sarif']);
    expect((JSON.parse(sarif.stdout) as Sarif).runs[0]!.results).toMatchObject([
      { ruleId: 'validator/clear', kind: 'open', level: 'none' },
    ]);
  });

  test('a model judges, what --record keeps --replay answers, and every verdict is asked for anew', async () => {
    await using server = await FakeServer.start();
    await rig.write({
      'home/config.yaml': `models:\n  fake: {provider: openai-compatible, model: m, base_url: "${server.address}"}\n`,
    });
    const answer = {
      verdict: 'fail',
      confidence: 0.9,
      evidence: [{ quote: 'TODO: more' }],
      message: 'Not done',
    };
    server.answerWith({ say: JSON.stringify(answer) }, { say: JSON.stringify(answer) });
    const words = ['validate', 'bad.md', '--with-lens', 'clear.lens'];
    const ran = await rig.run([...words, '--judge-model', 'fake', '--record', 'answers.jsonl']);
    expect(ran).toEqual({
      exitCode: 1,
      stdout: `bad.md did not pass: "clear" says no: Not done; confidence is 0.10, and 0.50 is wanted
  clear: fail 0.90: Not done
    line 3 "TODO: more"
1 error in 1 file
`,
      stderr: '',
    });
    expect(await rig.run([...words, '--replay', 'answers.jsonl'])).toEqual(ran);
    expect(await rig.run([...words, '--model', 'fake'])).toEqual(ran);
    expect(server.received.length).toBe(2);
    const kept = await readFile(join(rig.folder, 'work/answers.jsonl'), 'utf8');
    expect(kept.trim().split('\n').length).toBe(1);
  });

  test.skipIf(!isAvailable)('a program of the lens judges in the sandbox', async () => {
    const command =
      '  deterministic: [{ name: brief, severity: error, command: "test $(wc -c < {output_file}) -lt 9" }]\n';
    await rig.write({ 'work/brief.lens': judging('Brief', command) });
    const ran = await rig.run(['validate', 'good.md', 'bad.md', '--with-lens', 'brief.lens', '--json']);
    const { files } = JSON.parse(ran.stdout) as ValidateDocument;
    expect([ran.exitCode, files.map(({ file, outcome }) => [file, outcome])]).toEqual([
      1,
      [
        ['good.md', 'passed'],
        ['bad.md', 'failed'],
      ],
    ]);
  });

  test('judges a file outside the workspace, and nothing that a folder merely holds', async () => {
    await rig.write({
      'other/a.md': 'Hello\n',
      'work/skills/x.yaml': 'openapi: 3.0.0\n',
      'work/skills/a.lens': 'metadata: { name: B, version: 1.0.0 }\n',
    });
    const ran = await rig.run(['validate', '../other/a.md', 'skills', '--with-lens', 'all.lens', '--json']);
    const { files } = JSON.parse(ran.stdout) as ValidateDocument;
    expect([ran.exitCode, files.map(({ file, kind, outcome }) => [file, kind, outcome])]).toEqual([
      0,
      [
        ['../other/a.md', 'text', 'passed'],
        ['skills/a.lens', 'lens', undefined],
      ],
    ]);
  });

  test('what is no text or too large is told with exit code 2, and the rest is judged', async () => {
    await rig.write({ 'work/zero.bin': 'a\0b', 'work/large.md': 'x'.repeat(1024 * 1024 + 1) });
    const ran = await rig.run([
      'validate',
      'zero.bin',
      'large.md',
      'gone.md',
      'good.md',
      '--with-lens',
      'All',
      '--json',
    ]);
    const { files } = JSON.parse(ran.stdout) as ValidateDocument;
    expect([ran.exitCode, files.map(({ file }) => file), ran.stderr]).toEqual([
      2,
      ['good.md'],
      'Cannot judge "zero.bin": it is not text\n' +
        'Cannot read "large.md": it is larger than 1 MiB\n' +
        'Cannot read "gone.md": there is no such file\n',
    ]);
  });

  test.each([
    [
      ['validate', 'good.md', '--with-lens', 'gone.lens'],
      'file.not-found',
      'Cannot read "gone.lens": there is no such file',
    ],
    [['validate', 'good.md', '--with-lens', 'Stric'], 'lens.unknown-name', 'did you mean "Strict"?'],
    [
      ['validate', 'good.md', '--with-lens', 'good.md'],
      'file.unknown-kind',
      'Cannot use "good.md": it is neither a lens nor a library',
    ],
    [
      ['validate', 'good.md', '--with-lens', 'empty.lens'],
      'lens.judges-nothing',
      'Cannot judge by "empty.lens": it has no validators',
    ],
    [
      ['validate', 'good.md', '--with-lens', 'orphan.lens'],
      'lens.lacks-judges',
      'Cannot judge by "orphan.lens", which may lack judges: Cannot read lens "./gone.lens": there is no such file (orphan.lens:1)',
    ],
    [
      ['validate-skill', 's', '--with-lens', 'empty.lens'],
      'lens.judges-nothing',
      'Cannot judge by "empty.lens": it has no validators',
    ],
    [['validate', 'good.md', '--with-lens', 'all.lens', '--judge-model', 'gone'], 'model.unknown', '"gone"'],
  ])('%j ends with 2: %s', async (words, code, message) => {
    const ran = await rig.run([...words, '--json']);
    const { error } = JSON.parse(ran.stdout) as { error?: { code: string } };
    expect([ran.exitCode, error?.code, ran.stderr]).toEqual([2, code, expect.stringContaining(message)]);
  });
});

describe('sunwell validate-skill --with-lens', () => {
  test('also has the SKILL.md judged', async () => {
    expect(await rig.run(['validate-skill', 's', '--with-lens', 'all.lens'])).toEqual({
      exitCode: 0,
      stdout: 'Valid skill: s\n',
      stderr: `Judged by "all.lens": passed
  polite: pass 1.00: The result contains "Hello"
    "Hello"
  done: pass 1.00: The result does not contain "TODO"
`,
    });
    const ran = await rig.run(['validate-skill', 's', '--with-lens', 'all.lens', '--json']);
    const { verdicts, ...told } = JSON.parse(ran.stdout) as { verdicts: readonly Verdict[] };
    expect([told, verdicts.map(({ judge, outcome }) => [judge, outcome])]).toEqual([
      { path: 's', name: 's', profile: 'strict', isValid: true, problems: [], outcome: 'passed', why: [] },
      [
        ['polite', 'pass'],
        ['done', 'pass'],
      ],
    ]);
  });

  test('one that does not pass is not valid, however well it keeps to the specification', async () => {
    await rig.write({ 'work/s/SKILL.md': `${good}Bye\n` });
    expect(await rig.run(['validate-skill', 's', '--with-lens', 'all.lens'])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `Validation failed for s:
  - "polite" says no: The result does not contain "Hello"
  - confidence is 0.33, and 0.50 is wanted
Judged by "all.lens": did not pass
  polite: fail 1.00: The result does not contain "Hello"
  done: pass 1.00: The result does not contain "TODO"
`,
    });
  });

  test('what is no skill is not judged', async () => {
    const ran = await rig.run(['validate-skill', '.', '--with-lens', 'all.lens']);
    expect(ran).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'Validation failed for .:\n  - Missing required file: SKILL.md\n',
    });
  });
});

interface Sarif {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { id: string }[] } };
    readonly results: readonly { ruleId: string; ruleIndex: number }[];
  }[];
}
