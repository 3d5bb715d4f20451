import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { overall } from '#shared/judgment/overall.ts';
import type { RefinementStop } from '#shared/model/run.ts';
import type { JudgmentRule, Verdict } from '#shared/model/verdict.ts';
import { valueDigest } from '../store/digest.ts';
import { refine, refinementLimit, type Attempted, type RefinedStep, type RefineOptions } from './refine.ts';

const rule: JudgmentRule = { minConfidence: 0.7, personaAgreement: 0.5, required: [] };

/** What happens in one attempt: what its judge says, or how it ends without a result. */
type Script =
  | { readonly says: Verdict['outcome']; readonly confidence?: number }
  | { readonly ends: Extract<RefinementStop, 'budget' | 'cancelled' | 'failed'> };

interface Played {
  readonly told: (string | undefined)[];
  readonly steps: RefinedStep[];
  readonly contents: string[];
}

/** Refines through attempts that go as written; one beyond the last repeats it. */
async function play(
  scripts: readonly Script[],
  more: Partial<RefineOptions<Attempted, never, string>> = {},
): Promise<Played & { refined: Awaited<ReturnType<typeof refine<Attempted, never, string>>> }> {
  const told: (string | undefined)[] = [];
  const steps: RefinedStep[] = [];
  const contents: string[] = [];
  const at = (n: number): Script => scripts[Math.min(n, scripts.length) - 1]!;
  const refined = await refine<Attempted, never, string>({
    limit: 3,
    attempt: (feedback, n) => {
      told.push(feedback);
      const script = at(n);
      if ('ends' in script) return Promise.resolve({ failure: `attempt ${n}`, stop: script.ends });
      const content = `text ${n}`;
      contents.push(content);
      return Promise.resolve({ result: { content, resultDigest: valueDigest(content), durationMs: n } });
    },
    judge: (_, n) => Promise.resolve(judged(at(n)) as never),
    onRefined: (step) => void steps.push(step),
    ...more,
  });
  return { refined, told, steps, contents };
}

function judged(script: Script): { verdicts: Verdict[]; overall: ReturnType<typeof overall> } {
  if ('ends' in script) throw new Error('There is nothing to judge');
  const { says, confidence } = script;
  const verdict: Verdict = {
    judge: 'clear',
    kind: 'heuristic',
    outcome: says,
    severity: 'error',
    ...(confidence !== undefined && { confidence }),
    message: 'It rambles',
    evidence: [{ quote: 'so to say', file: 'a.md', line: 3 }, { quote: 'well' }],
  };
  return { verdicts: [verdict], overall: overall([verdict], rule) };
}

const fail = (confidence?: number): Script => ({
  says: 'fail',
  ...(confidence !== undefined && { confidence }),
});
const pass: Script = { says: 'pass' };
const feedback = 'Failed: clear: It rambles\n  a.md:3: "so to say"\n  "well"';

describe('refine()', () => {
  test.each<[string, Script[], number | undefined, RefinementStop, number, number]>([
    ['a first attempt that passes', [pass], 3, 'passed', 1, 1],
    ['a second attempt that passes', [fail(0.9), pass], 3, 'passed', 2, 2],
    [
      'ever better attempts that never pass',
      [fail(0.9), fail(0.8), fail(0.7), fail(0.6)],
      3,
      'max-attempts',
      4,
      4,
    ],
    ['two attempts that are no better', [fail(0.5), fail(0.5), fail(0.6)], 3, 'no-improvement', 3, 1],
    ['one that is worse, then better', [fail(0.5), fail(0.6), fail(0.4)], 2, 'max-attempts', 3, 3],
    ['better than the last, not than the best', [fail(0.2), fail(0.9), fail(0.5)], 3, 'no-improvement', 3, 1],
    ['no limit left', [fail()], 0, 'max-attempts', 1, 1],
    ['what cannot be refined', [fail()], undefined, 'not-refinable', 1, 1],
    ['a judge that broke', [{ says: 'error' }], 3, 'not-refinable', 1, 1],
    ['a result that nobody judged', [{ says: 'not-judged' }], 3, 'not-refinable', 1, 1],
    ['an attempt that breaks', [fail(), { ends: 'failed' }], 3, 'failed', 1, 1],
    ['a budget that ends within', [fail(), { ends: 'budget' }], 3, 'budget', 1, 1],
    ['a cancelled attempt', [fail(), { ends: 'cancelled' }], 3, 'cancelled', 1, 1],
  ])('stops after %s', async (_, scripts, limit, stop, attempts, best) => {
    const { refined } = await play(scripts, { limit });
    expect(refined).toMatchObject({ refinement: { stop, best } });
    expect('refinement' in refined && refined.refinement.attempts.length).toBe(attempts);
  });

  test('tells each attempt what was wrong with the one before, and who looks on', async () => {
    const { told, steps, refined } = await play([fail(0.9), pass]);
    expect({ told, steps, refined }).toEqual({
      told: [undefined, feedback],
      steps: [
        { attempt: 2, message: feedback },
        { attempt: 2, message: 'the result passes', stop: 'passed' },
      ],
      refined: {
        best: { content: 'text 2', resultDigest: valueDigest('text 2'), durationMs: 2 },
        judged: judged(pass),
        refinement: {
          best: 2,
          stop: 'passed',
          attempts: [
            {
              attempt: 1,
              content: 'text 1',
              resultDigest: valueDigest('text 1'),
              verdicts: judged(fail(0.9)).verdicts,
              passed: false,
              confidence: expect.closeTo(0.1) as number,
              durationMs: 1,
            },
            {
              attempt: 2,
              feedback,
              content: 'text 2',
              resultDigest: valueDigest('text 2'),
              verdicts: judged(pass).verdicts,
              passed: true,
              confidence: 1,
              durationMs: 2,
            },
          ],
        },
      },
    });
  });

  test('says nothing of refining where the first attempt passes or cannot be refined', async () => {
    const played = [await play([pass]), await play([fail()], { limit: undefined })];
    expect(played.map(({ steps }) => steps)).toEqual([[], []]);
  });

  test('tells of an unsure yes where nobody said no', async () => {
    const { told } = await play([{ says: 'pass', confidence: 0.5 }, pass]);
    expect(told).toEqual([undefined, feedback.replace('Failed', 'Not sure')]);
  });

  test('gives the failure of a first attempt alone, and that of a later one beside the best', async () => {
    const first = await play([{ ends: 'failed' }]);
    const second = await play([fail(0.5), { ends: 'failed' }]);
    expect([first.refined, second.refined]).toMatchObject([
      { failure: 'attempt 1', stop: 'failed' },
      { failure: 'attempt 2', best: { content: 'text 1' } },
    ]);
  });

  test('stops before an attempt that nothing is left for', async () => {
    const { refined, contents } = await play([fail(0.5)], { hasBudget: () => false });
    expect([refined, contents]).toMatchObject([{ refinement: { stop: 'budget' } }, ['text 1']]);
  });

  test.each(['attempt', 'judge'] as const)(
    'keeps what there is when a cancelled %s throws',
    async (where) => {
      const cancel = new AbortController();
      const broken = (): never => {
        cancel.abort();
        throw cancel.signal.reason;
      };
      const result = { content: 'x', resultDigest: valueDigest('x'), durationMs: 0 };
      let tries = 0;
      const refining = (signal: AbortSignal | undefined) =>
        refine<Attempted, ReturnType<typeof judged>, never>({
          limit: 3,
          signal,
          attempt: (_, n) => (where === 'attempt' && n === 2 ? broken() : Promise.resolve({ result })),
          judge: () =>
            where === 'judge' && ++tries % 2 === 0 ? broken() : Promise.resolve(judged(fail(0.5))),
        });
      expect(await refining(cancel.signal)).toMatchObject({ refinement: { stop: 'cancelled', best: 1 } });
      await expect(refining(undefined)).rejects.toThrow();
    },
  );

  const anyScript: fc.Arbitrary<Script> = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        says: fc.constantFrom('pass' as const, 'fail' as const, 'error' as const, 'not-judged' as const),
        confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ ends: fc.constantFrom('budget' as const, 'failed' as const) }) },
  );

  test('ends within its limit, keeps the best, and stops at the first that passes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyScript, { minLength: 1, maxLength: 6 }),
        fc.oneof(fc.integer(), fc.double(), fc.constant(undefined)),
        async (scripts, limit) => {
          const { refined, contents, told } = await play(scripts, { limit });
          expect(told.length).toBeLessThanOrEqual(4);
          expect(told.length).toBeLessThanOrEqual(1 + refinementLimit(limit ?? 0));
          if (refined.best === undefined) {
            expect(contents).toEqual([]);
            return;
          }
          const { attempts, best, stop } = refined.refinement;
          expect(attempts.map(({ content }) => content)).toEqual(contents);
          expect(refined.best.content).toBe(contents[best - 1]);
          const passed = attempts.findIndex((one) => one.passed);
          expect([passed, stop === 'passed']).toEqual(
            stop === 'passed' ? [attempts.length - 1, true] : [-1, false],
          );
          const rank = (one: (typeof attempts)[number]): number =>
            (one.passed ? 4 : one.verdicts[0]!.outcome === 'not-judged' ? 2 : 0) + (one.confidence ?? 0);
          const ranks = attempts.map(rank);
          expect(best - 1).toBe(ranks.indexOf(Math.max(...ranks)));
        },
      ),
    );
  });
});

test.each([
  [3, 3],
  [0, 0],
  [1e6, 3],
  [Infinity, 3],
  [-1, 0],
  [NaN, 0],
  [1.9, 1],
])('refinementLimit() of %s is %s', (wanted, limit) => {
  expect(refinementLimit(wanted)).toBe(limit);
});
