import { describe, expect, test } from 'vitest';
import type { Lens } from '../../model/lens.ts';
import { fileSchemas } from '../../model/json-schemas.ts';
import { parse } from 'yaml';
import { applyEdits } from '../edit/text-lines.ts';
import { corpusFiles, hasCorpus } from '../testing/corpus.ts';
import { readLens } from './lens.ts';
import { readLibrary } from './library.ts';

const head = 'metadata: {name: A, version: 1.0.0}\n';

function clean(text: string): Lens {
  const { value, diagnostics } = readLens(head + text, 'a.lens');
  expect(diagnostics).toEqual([]);
  return value;
}

/** The problems as `line:column code`, in order. */
function problems(text: string): string[] {
  return readLens(text, 'a.lens').diagnostics.map(
    ({ code, location }) => `${location.line}:${location.column} ${code}`,
  );
}

function place(line: number, column: number, endLine: number, endColumn: number) {
  return { file: 'a.lens', line, column, endLine, endColumn };
}

describe('readLens() accepts every form in the wild', () => {
  test('a wrapper or a bare lens', () => {
    const bare = readLens('metadata: {name: A, version: 1.0.0}', 'a.lens').value;
    const wrapped = readLens('lens:\n  metadata: {name: A, version: 1.0.0}', 'a.lens').value;
    expect([bare.path, wrapped.path]).toEqual([[], ['lens']]);
    expect(wrapped.metadata).toEqual({ name: 'A', version: '1.0.0' });
    expect(bare.metadata).toEqual(wrapped.metadata);
  });

  test('heuristics as a list, with their places', () => {
    const { heuristics } = clean(
      'heuristics:\n  - name: One\n    rule: Do\n    priority: 0.95\n    always: once\n',
    );
    expect(heuristics).toEqual([
      {
        name: 'One',
        rule: 'Do',
        priority: 0.95,
        always: ['once'],
        at: place(3, 5, 7, 1),
        path: ['heuristics', 0],
      },
    ]);
  });

  test('heuristics as a map with anti-heuristics and communication below', () => {
    const lens = clean(
      'heuristics:\n  principles: [{name: P, rule: r}]\n  anti_heuristics: [Hype, {name: N, correction: c}]\n  communication: {tone: [warm]}\n',
    );
    expect(lens.heuristics.map((item) => [item.name, item.path])).toEqual([
      ['P', ['heuristics', 'principles', 0]],
    ]);
    expect(lens.antiHeuristics.map((item) => item.name)).toEqual(['Hype', 'N']);
    expect(lens.communication).toEqual({ tone: ['warm'] });
  });

  test('examples in any shape', () => {
    const { heuristics } = clean(
      'heuristics:\n  - {name: a, rule: r, examples: {good: x, bad: [y]}}\n  - {name: b, rule: r, examples: [1, {z: 2}]}\n',
    );
    expect(heuristics.map((item) => item.examples)).toEqual([{ good: 'x', bad: ['y'] }, [1, { z: 2 }]]);
  });

  test('validators as two lists or as one that is classified by its keys', () => {
    const names = (lens: Lens) => [
      lens.validators.deterministic.map((item) => item.name),
      lens.validators.heuristic.map((item) => item.name),
    ];
    const two = 'validators:\n  deterministic: [{name: a, script: x}]\n  heuristic: [{name: b, check: y}]\n';
    const one = 'validators: [{name: a, command: x}, {name: b, prompt: y}, {name: c, max_words: 3}]\n';
    expect(names(clean(two))).toEqual([['a'], ['b']]);
    expect(names(clean(one))).toEqual([['a', 'c'], ['b']]);
  });

  test('links to lenses as text, map or list', () => {
    const lens = clean(
      'extends: {lens: ../base.lens, version: ^1}\ncompose: [tone, {lens: "fount://@t/p@^2", priority: 5}]\n',
    );
    expect(lens.extends?.reference).toEqual({ kind: 'path', path: '../base.lens' });
    expect(lens.compose.map(({ text, reference, priority }) => ({ text, reference, priority }))).toEqual([
      { text: 'tone', reference: { kind: 'name', name: 'tone' }, priority: undefined },
      { text: 'fount://@t/p@^2', reference: { kind: 'fount', package: '@t/p', range: '^2' }, priority: 5 },
    ]);
  });

  test('a framework as text, map or classification', () => {
    const categories = [{ name: 'Tutorial' }];
    expect(clean('framework: Diataxis\n').framework).toMatchObject({ name: 'Diataxis', categories: [] });
    expect(clean('framework: {name: D, categories: [{name: Tutorial}]}\n').framework).toMatchObject({
      name: 'D',
      categories,
    });
    expect(clean('framework: {classification: {categories: [{name: Tutorial}]}}\n').framework).toMatchObject({
      categories,
    });
    expect(clean('classification: {categories: [{name: Tutorial}]}\n').framework).toMatchObject({
      categories,
    });
  });

  test('router tiers flat or with behavior, and shortcuts', () => {
    const { router } = clean(
      'router:\n  tiers: [{level: 0}, {level: 1, behavior: {deep: true}}]\n  shortcuts: {"::a": audit}\n',
    );
    expect(router?.tiers).toEqual([{ level: 0 }, { level: 1, deep: true }]);
    expect(router?.shortcuts?.map(({ key, skill }) => [key, skill])).toEqual([['::a', 'audit']]);
  });

  test('workflow steps of all kinds', () => {
    const { workflows } = clean(
      'workflows:\n  - name: w\n    steps: [{skill: a}, {parallel: [{skill: b}, c]}, {name: n, action: do, quality_gates: [g]}]\n',
    );
    const shape = (step: unknown): unknown =>
      JSON.parse(
        JSON.stringify(step, (key, value: unknown) => (key === 'at' || key === 'path' ? undefined : value)),
      );
    expect(shape(workflows[0]?.steps)).toEqual([
      { kind: 'skill', skill: 'a' },
      {
        kind: 'parallel',
        steps: [
          { kind: 'skill', skill: 'b' },
          { kind: 'skill', skill: 'c' },
        ],
      },
      { kind: 'action', name: 'n', action: 'do', qualityGates: ['g'] },
    ]);
  });

  test('includes, skill sources, inputs and retry', () => {
    const lens = clean(
      [
        'skill_sources: [sunwell/common, {source: ./skills}]',
        'skills: [{include: core.yaml}, {include: "core.yaml::a, b_c"}]',
        'inputs: {topic: {description: What, default: ""}, nul: {default: null}, tilde: {default: ~}, open: {default: }, other: }',
        'skill_retry: {max_attempts: 2, backoff_ms: 50, retry_on: timeout}',
        'quality_policy: {min_confidence: 0.7, required_validators: [v]}',
        'spellbook: {x: 1}',
      ].join('\n'),
    );
    expect(lens.skillSources.map((item) => item.library?.kind)).toEqual(['builtin', 'path']);
    expect(lens.includes.map(({ file, names }) => ({ file, names }))).toEqual([
      { file: 'core.yaml', names: undefined },
      { file: 'core.yaml', names: ['a', 'b_c'] },
    ]);
    expect(lens.inputs.map(({ name, hasDefault, default: value }) => [name, hasDefault, value])).toEqual([
      ['topic', true, ''],
      ['nul', true, null],
      ['tilde', true, null],
      ['open', false, undefined],
      ['other', false, undefined],
    ]);
    expect(lens.skillRetry).toEqual({ maxAttempts: 2, backoffMs: [50], retryOn: ['timeout'] });
    expect(lens.qualityPolicy?.minConfidence).toBe(0.7);
    expect(lens.other).toEqual({ spellbook: { x: 1 } });
  });

  test('what is not given stays away, so that merging knows what is explicit', () => {
    expect(clean('')).toEqual({
      path: [],
      metadata: { name: 'A', version: '1.0.0' },
      compose: [],
      heuristics: [],
      antiHeuristics: [],
      personas: [],
      validators: { deterministic: [], heuristic: [] },
      workflows: [],
      skillSources: [],
      skills: [],
      includes: [],
      inputs: [],
      other: {},
    });
  });
});

describe('readLens() reports problems at their place', () => {
  test.each([
    ['', ['1:1 file.empty']],
    ['just text', ['1:1 file.wrong-root']],
    ['- a', ['1:1 file.wrong-root']],
    ['{}', ['1:1 lens.missing-name', '1:1 lens.missing-version']],
    ['metadata:\n  name: A\n  version: 1.0', ['3:12 value.not-text', '3:12 lens.bad-version']],
    [`${head}name_: x`, ['2:1 key.unknown']],
    [`${head}personas: [{goals: a}]`, ['2:12 persona.missing-name']],
    [`${head}personas: [{name: A}, {name: a}]`, ['2:23 lens.duplicate-name']],
    [`${head}heuristics: [{name: A}]`, ['2:21 heuristic.missing-rule']],
    [`${head}heuristics: [{name: A, rule: r, priority: high}]`, ['2:43 value.wrong-type']],
    [`${head}validators: [{name: A}]`, ['2:21 validator.no-check']],
    [`${head}validators: [{name: A, check: c, severity: fatal}]`, ['2:44 value.unknown']],
    [`${head}validators: [{name: A, matches: "("}]`, ['2:33 validator.bad-pattern']],
    [`${head}quality_policy: {min_confidence: 7}`, ['2:34 value.out-of-range']],
    [`${head}extends: /abs.lens`, ['2:10 lens.bad-reference']],
    [`${head}skills: [{include: "a::b::c"}]`, ['2:20 include.malformed']],
    [`${head}workflows: [{name: w, steps: [{x: 1}]}]`, ['2:31 workflow.unclear-step']],
    [`${head}communication: {a: 1}\nheuristics: {communication: {b: 2}}`, ['3:14 key.duplicate-form']],
    [`\ufeff${head}icons: 1`, ['2:1 key.unknown']],
    [head.replace('\n', '\r\n') + 'icons: 1\r\n', ['2:1 key.unknown']],
  ])('%j', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test.each([
    ['', ['1:1 file.empty']],
    ['lens: [a]', ['1:7 value.wrong-type']],
    [`${head}extends: /abs.lens`, ['2:10 lens.bad-reference']],
    [`${head}extends: [./a.lens, ./b.lens]`, ['2:10 value.wrong-type']],
    [`${head}compose: [{priority: 1}]`, ['2:11 value.wrong-type']],
    [`${head}validators: [{max_words: 1}]`, ['2:14 validator.missing-name']],
    [`${head}validators: none\nquality_policy: strict`, ['2:13 value.wrong-type', '3:17 value.wrong-type']],
    [`${head}validators: []\nvalidators: [{name: a, max_words: 1}]`, ['3:1 yaml.duplicate-key']],
    [
      `${head}skills: [{name: "a\nvalidators: []`,
      ['3:15 yaml.syntax', '3:15 yaml.bad-indent', '3:15 yaml.bad-indent'],
    ],
    // What is still asked says itself what it lacks, and other sections have no judges.
    [`${head}validators: [{name: A}, {name: B, matches: "("}]`, []],
    [`${head}heuristics: [{name: A, rule: r, priority: high, priority: low}]`, []],
    ['metadata: {}', []],
  ])('gaps: %j may have lost judges', (text, expected) => {
    const { gaps = [] } = readLens(text, 'a.lens').value;
    expect(gaps.map(({ code, location }) => `${location.line}:${location.column} ${code}`)).toEqual(expected);
  });

  test('an unknown key says what was probably meant and offers to change it', () => {
    const text = `${head}heuristcs: []\n`;
    const [diagnostic] = readLens(text, 'a.lens').diagnostics;
    expect(diagnostic).toEqual({
      code: 'key.unknown',
      severity: 'info',
      message: 'Unknown key "heuristcs": did you mean "heuristics"?',
      location: place(2, 1, 2, 10),
      fixes: [
        {
          title: 'Change to "heuristics"',
          edits: [{ file: 'a.lens', start: 36, end: 45, text: 'heuristics' }],
        },
      ],
    });
    expect(applyEdits(text, diagnostic!.fixes![0]!.edits)).toBe(`${head}heuristics: []\n`);
  });

  test('unknown keys are kept', () => {
    expect(readLens(`${head}mystery: {deep: [1]}`, 'a.lens').value.other).toEqual({ mystery: { deep: [1] } });
  });
});

describe('the real files', () => {
  test.each(corpusFiles())('$name opens without an error and fits its schema', ({ name, kind, text }) => {
    const { diagnostics } = kind === 'lens' ? readLens(text, name) : readLibrary(text, name);
    expect(diagnostics.filter((diagnostic) => diagnostic.severity !== 'info')).toEqual([]);
    const parsed = fileSchemas[kind].safeParse(parse(text, { version: '1.2' }));
    expect(parsed.error).toBeUndefined();
  });

  test.runIf(hasCorpus)('they hold the 69 skills and 7 presets that are in them', () => {
    const libraries = corpusFiles().filter((file) => file.name.startsWith('skills'));
    const values = libraries.map((file) => readLibrary(file.text, file.name).value);
    expect(values.reduce((sum, library) => sum + library.skills.length, 0)).toBe(69);
    expect(values.reduce((sum, library) => sum + library.presets.length, 0)).toBe(7);
  });
});
