import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import { ResolveRig } from '../resolve/testing/resolve-rig.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import { valueDigest } from '../store/digest.ts';
import { judge, type VerdictMemory } from './judge.ts';

const sandbox = new Sandbox();
const { available: isAvailable } = await sandbox.report();

let resolving: ResolveRig;
afterAll(() => sandbox[Symbol.dispose]());
beforeEach(() => void (resolving = new ResolveRig()));
afterEach(() => resolving[Symbol.asyncDispose]());

interface Case {
  readonly validators: string;
  readonly content: string;
  readonly skill?: string;
  readonly policy?: string;
  readonly files?: Record<string, string>;
  readonly memory?: VerdictMemory;
}

/** Has a text judged by validators that are written as a YAML list. */
async function judged({
  validators,
  content,
  skill,
  policy,
  files = {},
  memory,
}: Case): Promise<{ verdicts: readonly Verdict[]; passed: boolean }> {
  const names = [...validators.matchAll(/name: ([\w-]+)/g)].map(([, name]) => name);
  const lens = `
metadata: { name: A, version: 1.0.0 }
personas: [{ name: novice, description: d }]
validators:
${validators.trim().replace(/^/gm, '  ')}
quality_policy: { required_validators: [${policy ?? ''}] }
skills:
  - name: write
    description: d
    validate_with: ${skill ?? `{ validators: [${names.join(', ')}] }`}
    scripts: [{ name: a.sh, content: "true" }]
`;
  const resolution = await resolving.resolve({ 'a.lens': lens, ...files });
  const { verdicts, overall } = await judge({
    lens: resolution.lens,
    node: resolution.skills[0]!,
    result: { content },
    resultDigest: valueDigest(content),
    sandbox,
    memory,
  });
  // What they are kept under is nothing to compare.
  return { verdicts: verdicts.map(({ key: _key, ...rest }) => rest), passed: overall.outcome === 'passed' };
}

const outcomes = ({ verdicts }: { verdicts: readonly Verdict[] }): string[] =>
  verdicts.map(({ judge: name, outcome }) => `${name} ${outcome}`);

test('judge() gives each verdict with the words it rests on', async () => {
  const { verdicts, passed } = await judged({
    content: 'Intro\n## Use\nThis is TODO for later\n',
    validators: `
- { name: has-use, contains: "## Use" }
- { name: no-todo, not_contains: [FIXME, TODO] }
- { name: headed, matches: '(^|\\n)## \\w+', severity: warning }
- { name: short, max_words: 3, severity: info }`,
  });
  expect({ verdicts, passed }).toEqual({
    passed: false,
    verdicts: [
      {
        judge: 'has-use',
        kind: 'deterministic',
        outcome: 'pass',
        severity: 'error',
        confidence: 1,
        message: 'The result contains "## Use"',
        evidence: [{ quote: '## Use' }],
      },
      {
        judge: 'no-todo',
        kind: 'deterministic',
        outcome: 'fail',
        severity: 'error',
        confidence: 1,
        message: 'The result contains "TODO" in line 3',
        evidence: [{ quote: 'This is TODO for later' }],
      },
      {
        judge: 'headed',
        kind: 'deterministic',
        outcome: 'pass',
        severity: 'warning',
        confidence: 1,
        message: 'The result matches /(^|\\n)## \\w+/',
        evidence: [{ quote: expect.stringContaining('## Use') as string }],
      },
      {
        judge: 'short',
        kind: 'deterministic',
        outcome: 'fail',
        severity: 'info',
        confidence: 1,
        message: 'The result has 8 words, and may have 3',
      },
    ],
  });
});

test.each([
  ['a failed error', '- { name: a, contains: x }', '', false],
  [
    'a failed warning beside a passed error',
    '- { name: a, contains: y }\n- { name: b, max_words: 0, severity: warning }\n- { name: c, contains: y }',
    '',
    true,
  ],
  [
    'a failed warning alone, for want of confidence',
    '- { name: b, max_words: 0, severity: warning }',
    '',
    false,
  ],
  ['a failed note', '- { name: b, max_words: 0, severity: info }', '', true],
  ['a failed note that is required', '- { name: b, max_words: 0, severity: info }', 'B', false],
  ['a pattern that does not end', '- { name: a, matches: "^(y+)+$" }', '', false],
  ['a passed error', '- { name: a, contains: y }', '', true],
])('judge() after %s', async (_, validators, policy, passed) => {
  const { passed: actual } = await judged({ validators, policy, content: `${'y'.repeat(64)}!` });
  expect(actual).toBe(passed);
});

test('judge() asks those that the lens requires where the skill names none', async () => {
  const validators = '- { name: a, contains: y }\n- { name: b, contains: x }';
  const asked = await judged({ validators, policy: 'b', skill: '{}', content: 'y' });
  expect([outcomes(asked), asked.passed]).toEqual([['b fail'], false]);
});

test('judge() says of a judge that is not there that it is broken', async () => {
  const asked = await judged({
    validators: '- { name: a, contains: y }',
    skill: '{ validators: [a, gone] }',
    content: 'y',
  });
  expect([outcomes(asked), asked.passed]).toEqual([['a pass', 'gone error'], false]);
});

test('judge() leaves models and personas unjudged, which is neither a pass nor a failure', async () => {
  const asked = await judged({
    validators: '- { name: a, contains: y }\n- { name: clear, check: Is it clear? }',
    skill: '{ validators: [a, clear], personas: [novice] }',
    content: 'y',
  });
  expect([outcomes(asked), asked.passed]).toEqual([
    ['a pass', 'clear not-judged', 'novice not-judged'],
    true,
  ]);
});

test('judge() asks again only whom it has no verdict of', async () => {
  const kept = new Map<Digest, Verdict>();
  const memory: VerdictMemory = {
    find: (key) => kept.get(key),
    keep: (key, verdict) => void kept.set(key, verdict),
  };
  const first = await judged({ validators: '- { name: a, contains: y }', content: 'y', memory });
  for (const [key, verdict] of kept) kept.set(key, { ...verdict, message: 'kept' });
  const again = await judged({
    validators: '- { name: a, contains: y }\n- { name: b, contains: y }\n- { name: c, matches: "(" }',
    content: 'y',
    memory,
  });
  expect([first, again].map(({ verdicts }) => verdicts.map(({ message }) => message))).toEqual([
    ['The result contains "y"'],
    ['kept', 'The result contains "y"', expect.stringContaining('Cannot try /(/') as string],
  ]);
  // The broken one is not kept.
  expect(kept.size).toBe(2);
});

describe.skipIf(!isAvailable)('judge() with programs', () => {
  test.each([
    ['- { name: no-todo, command: "grep -n TODO {output_file}" }', 'TODO', 'fail'],
    ['- { name: no-todo, command: "grep -n TODO {output_file}" }', 'fine', 'pass'],
    ['- { name: no_todo, command: "grep -n TODO \'{output_file}\'" }', 'fine', 'pass'],
    ['- { name: has-todo, command: "grep -n TODO $OUTPUT_FILE" }', 'TODO', 'pass'],
    ['- { name: has-todo, command: "grep -n TODO" }', 'TODO', 'pass'],
    ['- { name: has-todo, command: "grep -n TODO {output_file}" }', 'fine', 'fail'],
    ['- { name: no-todo, command: "grep -n TODO /gone" }', 'fine', 'error'],
    ['- { name: no-todo, command: "grep -E \'(\' {output_file}" }', 'fine', 'error'],
    ['- { name: has-todo, command: "grep -E \'(\' {output_file}" }', 'fine', 'error'],
    ['- { name: no-todo, command: "no-such-program" , success_when: exit-nonzero }', 'fine', 'error'],
    ['- { name: quiet, command: "cat", success_when: output-empty }', ' \n', 'pass'],
    ['- { name: quiet, command: "cat", success_when: output-empty }', 'x', 'fail'],
    ['- { name: counts, command: "wc -c", success_pattern: "^ *3$" }', 'abc', 'pass'],
    ['- { name: counts, command: "wc -c", success_pattern: "^4$" }', 'abc', 'fail'],
    ['- { name: counts, command: "cat", success_pattern: "^(a+)+$" }', `${'a'.repeat(64)}!`, 'error'],
    ['- { name: slow, command: "sleep 20", timeout: 1 }', '', 'error'],
    ['- { name: slow, command: "sleep 20", timeout: 1, success_when: exit-nonzero }', '', 'error'],
    ['- { name: killed, command: "kill -9 $$", success_when: exit-nonzero }', '', 'error'],
    ['- { name: odd, command: "test \\"$(cat)\\" = \'; exit 1\'" }', '; exit 1', 'pass'],
    ['- { name: scripted, script: checks/length.py }', 'abc', 'pass'],
    ['- { name: scripted, script: checks/length.py }', 'abcd', 'fail'],
    ['- { name: scripted, script: checks/gone.py }', 'abc', 'error'],
    ['- { name: scripted, script: ../out.py }', 'abc', 'error'],
    ['- { name: scripted, script: "test -s $OUTPUT_FILE && ! test -e /workspace/a.lens" }', 'abc', 'pass'],
  ])('%s of %j gives %s', async (validators, content, outcome) => {
    const files = {
      'checks/length.py':
        'import os, sys\nassert open(sys.argv[1]).read() == open(os.environ["OUTPUT_FILE"]).read()\nsys.exit(0 if len(sys.stdin.read()) == 3 else 1)\n',
    };
    const { verdicts, passed } = await judged({ validators, content, files });
    expect([verdicts.map((verdict) => verdict.outcome), passed]).toEqual([[outcome], outcome === 'pass']);
  });

  test('the verdict shows what the program printed, and what its end was taken to mean', async () => {
    const { verdicts } = await judged({
      validators: '- { name: no-todo, command: "grep -n TODO {output_file}" }',
      content: 'a\nTODO b\n',
    });
    expect(verdicts).toEqual([
      {
        judge: 'no-todo',
        kind: 'deterministic',
        outcome: 'fail',
        severity: 'error',
        confidence: 1,
        message: 'Its program ended with exit code 0 (good is exit-nonzero)',
        evidence: [{ quote: '2:TODO b' }],
      },
    ]);
  });
});
