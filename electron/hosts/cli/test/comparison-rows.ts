import type { LensComparison, TestReport } from '#shared/model/test-report.ts';
import { durationText } from '#shared/quantities.ts';

/** What the lens makes of it, as a table: figures, then every fixture. */
export function comparisonRows({ with: own, without }: LensComparison): string[][] {
  const tokens = ({ usage }: TestReport): number => usage.inputTokens + usage.outputTokens;
  const rate = ({ passed, results }: TestReport): number =>
    results.length === 0 ? 0 : Math.round((passed / results.length) * 100);
  const time = own.durationMs - without.durationMs;
  return [
    ['', 'with the lens', 'without', 'difference'],
    ['passed', `${rate(own)} %`, `${rate(without)} %`, `${signed(rate(own) - rate(without))} %`],
    [
      'time',
      durationText(own.durationMs),
      durationText(without.durationMs),
      `${time < 0 ? '−' : '+'}${durationText(Math.abs(time))}`,
    ],
    ['tokens', String(tokens(own)), String(tokens(without)), signed(tokens(own) - tokens(without))],
    ...own.results.map(({ name, state }, i) => {
      const other = without.results[i]?.state ?? '';
      return [name, state, other, state === other ? '' : state === 'passed' ? 'better' : 'worse'];
    }),
  ];
}

function signed(number: number): string {
  return number < 0 ? `−${-number}` : `+${number}`;
}
