import type { FixtureResult, LensComparison } from '#shared/model/test-report.ts';
import { countText, durationText } from '#shared/quantities.ts';

/** What the lens makes of it, as a table: figures, then every fixture. */
export function comparisonRows({ with: own, without }: LensComparison): string[][] {
  const pairs = own.results.map((result, i) => [result, without.results[i]] as const);
  const compared = pairs.filter(([, other]) => other && isAsked(other));
  const [mine, others] = [compared.map(([result]) => result), compared.map(([, other]) => other!)];
  const time = own.durationMs - without.durationMs;
  return [
    ['', 'with the lens', 'without', 'difference'],
    compared.length === 0
      ? ['passed', '–', '–', '–']
      : ['passed', `${rate(mine)} %`, `${rate(others)} %`, `${signed(rate(mine) - rate(others))} %`],
    [
      'time',
      durationText(own.durationMs),
      durationText(without.durationMs),
      `${time < 0 ? '−' : '+'}${durationText(Math.abs(time))}`,
    ],
    ['tokens', String(tokens(mine)), String(tokens(others)), signed(tokens(mine) - tokens(others))],
    ...pairs.map(([{ name, state }, other]) => {
      if (other && !isAsked(other)) return [name, state, 'not recorded', ''];
      const bare = other?.state ?? '';
      return [name, state, bare, state === bare ? '' : state === 'passed' ? 'better' : 'worse'];
    }),
  ];
}

/** The sentence on what the table leaves out of its figures; undefined where it is nothing. */
export function notCompared({ without }: LensComparison): string | undefined {
  const count = without.results.filter((result) => !isAsked(result)).length;
  if (count === 0) return undefined;
  return `${countText(count, 'fixture')} not compared: the recording has no answer without the lens; record both with --ab --record FILE`;
}

/** A model that a recording stands for was never asked: that says nothing about the lens, least of all in its favour. */
function isAsked({ steps }: FixtureResult): boolean {
  return !steps.some(({ error }) => error?.details?.['kind'] === 'not-recorded');
}

function rate(results: readonly FixtureResult[]): number {
  const passed = results.filter(({ state }) => state === 'passed').length;
  return Math.round((passed / results.length) * 100);
}

function tokens(results: readonly FixtureResult[]): number {
  return results.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
}

function signed(number: number): string {
  return number < 0 ? `−${-number}` : `+${number}`;
}
