import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JudgmentRule, Verdict } from '../model/verdict.ts';
import { confidenceIn, outcomeOf, overall, shareText } from './overall.ts';

const rule: JudgmentRule = { minConfidence: 0.7, personaAgreement: 0.5, required: [] };
const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  judge: 'a',
  kind: 'deterministic',
  outcome: 'pass',
  severity: 'error',
  confidence: 1,
  message: 'm',
  ...more,
});
const persona = (outcome: Verdict['outcome'], judge: string): Verdict =>
  verdict({ kind: 'persona', severity: 'info', outcome, judge });

const anyVerdict: fc.Arbitrary<Verdict> = fc.record(
  {
    judge: fc.constantFrom('a', 'b', 'c', 'd'),
    kind: fc.constantFrom('deterministic', 'heuristic', 'persona'),
    outcome: fc.constantFrom('pass', 'fail', 'error', 'not-judged'),
    severity: fc.constantFrom('error', 'warning', 'info'),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    message: fc.constant('m'),
  },
  { requiredKeys: ['judge', 'kind', 'outcome', 'severity', 'message'] },
);
const anyRule: fc.Arbitrary<JudgmentRule> = fc.record({
  minConfidence: fc.double({ min: 0, max: 1, noNaN: true }),
  personaAgreement: fc.double({ min: 0, max: 1, noNaN: true }),
  required: fc.uniqueArray(fc.constantFrom('A', 'b', 'c')),
});

describe('overall()', () => {
  test.each<[string, Verdict[], Partial<JudgmentRule>, string]>([
    ['nobody', [], {}, 'passed'],
    ['a yes', [verdict()], {}, 'passed'],
    ['an unsure yes', [verdict({ confidence: 0.69 })], {}, 'failed'],
    ['a yes that is just sure enough', [verdict({ confidence: 0.7 })], {}, 'passed'],
    ['a sure no', [verdict({ outcome: 'fail', confidence: 0.99 })], { minConfidence: 0 }, 'failed'],
    ['a broken judge', [verdict({ outcome: 'error' })], {}, 'failed'],
    ['a broken judge of little weight', [verdict({ outcome: 'error', severity: 'info' })], {}, 'not-judged'],
    [
      'a broken required judge of little weight',
      [verdict(), verdict({ judge: 'b', outcome: 'error', severity: 'info' })],
      { required: ['B'] },
      'failed',
    ],
    [
      'a required judge that could not be asked',
      [verdict(), verdict({ judge: 'b', kind: 'heuristic', severity: 'warning', outcome: 'not-judged' })],
      { required: ['b'] },
      'not-judged',
    ],
    [
      'another judge that could not be asked',
      [verdict(), verdict({ judge: 'b', kind: 'heuristic', severity: 'warning', outcome: 'not-judged' })],
      {},
      'passed',
    ],
    ['nobody who could be asked', [verdict({ kind: 'heuristic', outcome: 'not-judged' })], {}, 'not-judged'],
    ['half of the personas', [persona('pass', 'a'), persona('fail', 'b')], {}, 'passed'],
    ['a third', [persona('pass', 'a'), persona('fail', 'b'), persona('error', 'c')], {}, 'failed'],
    ['personas that were not asked', [verdict(), persona('not-judged', 'b')], {}, 'passed'],
  ])('of %s', (_, verdicts, more, outcome) => {
    expect(overall(verdicts, { ...rule, ...more }).outcome).toBe(outcome);
  });

  test('says why, with the figures', () => {
    const verdicts = [
      verdict({ judge: 'no-todo', outcome: 'fail', message: 'It has "TODO"' }),
      verdict({ judge: 'clear', kind: 'heuristic', severity: 'warning', outcome: 'error', message: 'Cut' }),
      verdict({ judge: 'short', severity: 'warning', confidence: 0.5 }),
      persona('fail', 'novice'),
    ];
    expect(overall(verdicts, { ...rule, required: ['Clear'] })).toEqual({
      outcome: 'failed',
      confidence: 0.25 / 1.5,
      agreement: 0,
      why: [
        '"no-todo" says no: It has "TODO"',
        'required "clear" broke: Cut',
        'confidence is 0.16, and 0.70 is wanted',
        '0.00 of the personas agree, and 0.50 must',
      ],
    });
  });

  test("takes a person's word for that of a judge, both ways", () => {
    const at = 1;
    const yes = { outcome: 'pass', note: 'Quoted on purpose', at } as const;
    const no = { outcome: 'fail', note: 'It is wrong', at } as const;
    expect([
      overall([verdict({ outcome: 'fail', override: yes })], rule),
      overall([verdict({ outcome: 'error', override: yes })], { ...rule, required: ['a'] }),
      overall([verdict({ outcome: 'not-judged', override: yes })], { ...rule, required: ['a'] }),
      overall([verdict({ override: no })], rule),
    ]).toMatchObject([
      { outcome: 'passed', confidence: 1 },
      { outcome: 'passed', confidence: 1 },
      { outcome: 'passed', confidence: 1 },
      {
        outcome: 'failed',
        confidence: 0,
        why: ['a person says no for "a": It is wrong', 'confidence is 0.00, and 0.70 is wanted'],
      },
    ]);
  });

  test('never passes what its rule refuses, and passes everything else', () => {
    fc.assert(
      fc.property(fc.array(anyVerdict, { maxLength: 6 }), anyRule, (verdicts, wanted) => {
        const required = new Set(wanted.required.map((name) => name.toLowerCase()));
        const confidence = confidenceIn(verdicts);
        const personas = verdicts.filter(
          ({ kind, outcome }) => kind === 'persona' && outcome !== 'not-judged',
        );
        const agreeing = personas.filter(({ outcome }) => outcome === 'pass').length;
        const isRefused =
          verdicts.some(({ outcome, severity }) => severity === 'error' && /fail|error/.test(outcome)) ||
          verdicts.some(({ judge, outcome }) => required.has(judge) && outcome !== 'pass') ||
          (verdicts.length > 0 && verdicts.every(({ outcome }) => !/pass|fail/.test(outcome))) ||
          (confidence !== undefined && confidence < wanted.minConfidence) ||
          (personas.length > 0 && agreeing / personas.length < wanted.personaAgreement);
        const { outcome, why } = overall(verdicts, wanted);
        expect([outcome === 'passed', why.length === 0]).toEqual([!isRefused, !isRefused]);
      }),
    );
  });

  test('is never made better by a no', () => {
    fc.assert(
      fc.property(fc.array(anyVerdict, { minLength: 1, maxLength: 6 }), anyRule, (verdicts, wanted) => {
        const worse = verdicts.map((one) =>
          one.outcome === 'pass' ? { ...one, outcome: 'fail' as const, confidence: 1 } : one,
        );
        const wasPassed = overall(verdicts, wanted).outcome === 'passed';
        const isPassed = overall(worse, wanted).outcome === 'passed';
        expect(isPassed && !wasPassed).toBe(false);
      }),
    );
  });
});

test('shareText() never rounds what is too little up to what is wanted', () => {
  expect([0.699, 0.7, 1, 0, 0.29].map(shareText)).toEqual(['0.69', '0.70', '1.00', '0.00', '0.29']);
});

test('outcomeOf() is the word of the judge where no person spoke', () => {
  expect(outcomeOf(verdict({ outcome: 'error' }))).toBe('error');
});
