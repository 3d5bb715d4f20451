import type { Builder } from 'junit-report-builder';
import { linesAgainst, overallOf, overallText } from '#shared/judgment/verdict-words.ts';
import type { RunRecord } from '#shared/model/run.ts';
import { verdictLines } from '../run/verdict-lines.ts';

/** Runs as a JUnit file: a suite for every run, a test case for every skill, with its verdicts in the output. */
export async function toJunit(records: readonly RunRecord[]): Promise<string> {
  // Loaded here: it takes longer to load than most commands take.
  const { default: builder } = await import('junit-report-builder');
  const report = builder.newBuilder();
  for (const record of records) addSuite(report, record);
  return report.build();
}

function addSuite(report: Builder, record: RunRecord): void {
  const suite = report
    .testSuite()
    .name(record.lensName)
    .time(record.durationMs / 1000);
  suite.timestamp(new Date(record.startedAt));
  for (const step of record.steps) {
    const test = suite
      .testCase()
      .className(record.lens)
      .name(step.skill)
      .time(step.durationMs / 1000);
    if (step.state === 'failed' || step.state === 'interrupted') {
      const { message = `The step was ${step.state}`, phase, stderr = '', waysOut = [] } = step.error ?? {};
      const told = [stderr.trimEnd(), ...waysOut.map(({ sentence }) => sentence)].filter(Boolean).join('\n');
      test.error(message, phase, told);
    } else if (step.state === 'judged-failed') {
      test.failure(linesAgainst(step.verdicts).join('\n') || 'The result was judged as failed', 'verdict');
    } else if (step.state === 'blocked' && step.error) {
      // Nothing before it failed: without this a run in which nothing could run would look like a good one.
      test.error(step.error.message, step.error.phase);
    } else if (step.state === 'blocked' || step.state === 'cancelled' || step.state === 'pending') {
      test.skipped();
    }
    if (step.cached) test.property('cached', 'true');
    const overall = overallOf(step);
    if (overall) test.property('judgment', overallText(overall));
    const said = verdictLines(step);
    if (said.length > 0) test.standardOutput(said.join('\n'));
  }
}
