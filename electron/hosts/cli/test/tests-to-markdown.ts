import type { FixtureResult, TestReport } from '#shared/model/test-report.ts';
import { countText, durationText } from '#shared/quantities.ts';
import { plainText } from '../report/plain-text.ts';
import { comparisonRows, notCompared } from './comparison-rows.ts';

/** Fixtures as a Markdown page for a pull request or a job summary; nothing of a user's file becomes markup in it. */
export function testsToMarkdown(tested: {
  readonly reports: readonly TestReport[];
  readonly without: readonly TestReport[];
}): string {
  return tested.reports
    .map((report, i) => [...section(report), ...comparison(report, tested.without[i])].join('\n'))
    .join('\n');
}

function section(report: TestReport): string[] {
  const { lensName, results, passed, durationMs, files } = report;
  const isGood = passed === results.length;
  return [
    `# ${plainText(lensName)}: ${isGood ? 'passed' : 'failed'}`,
    '',
    `${passed} of ${countText(results.length, 'fixture')} passed in ${durationText(durationMs)} (${files.map(plainText).join(', ')}).`,
    '',
    '| Fixture | Skill | State | Time |',
    '| --- | --- | --- | ---: |',
    ...results.map(
      ({ name, skill = 'all', state, durationMs: took }) =>
        `| ${plainText(name)} | ${plainText(skill)} | ${state} | ${durationText(took)} |`,
    ),
    ...results.flatMap(failures),
    '',
  ];
}

function failures({ name, problem, expectations }: FixtureResult): string[] {
  const against = expectations.filter(({ passed }) => !passed).map(({ message }) => message);
  const all = problem === undefined ? against : [problem];
  if (all.length === 0) return [];
  return ['', `## ${plainText(name)}`, '', ...all.map((message) => `- ${plainText(message)}`)];
}

function comparison(report: TestReport, without: TestReport | undefined): string[] {
  if (!without) return [];
  const compared = { with: report, without };
  const [head, ...rows] = comparisonRows(compared);
  const leftOut = notCompared(compared);
  const line = (cells: readonly string[]): string => `| ${cells.map(plainText).join(' | ')} |`;
  return [
    '## With and without the lens',
    '',
    line(head!),
    '| --- | ---: | ---: | ---: |',
    ...rows.map(line),
    ...(leftOut === undefined ? [] : ['', plainText(leftOut)]),
    '',
  ];
}
