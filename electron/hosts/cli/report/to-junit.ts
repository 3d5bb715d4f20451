import { outcomeOf } from '#shared/judgment/overall.ts';
import { overallOf, overallText } from '#shared/judgment/verdict-words.ts';
import type { RunRecord, StepRecord } from '#shared/model/run.ts';
import { verdictLines } from '../run/verdict-lines.ts';

/** The run as a JUnit file: a test case for every skill, with its verdicts in the output. */
export async function toJunit(record: RunRecord): Promise<string> {
  // Loaded here: it takes longer to load than most commands take.
  const { default: builder } = await import('junit-report-builder');
  const report = builder.newBuilder();
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
      test.error(step.error?.message ?? `The step was ${step.state}`, step.error?.phase, step.error?.stderr);
    } else if (step.state === 'judged-failed') {
      test.failure(failedVerdicts(step).join('\n') || 'The result was judged as failed', 'verdict');
    } else if (step.state === 'blocked' || step.state === 'cancelled' || step.state === 'pending') {
      test.skipped();
    }
    if (step.cached) test.property('cached', 'true');
    const overall = overallOf(step);
    if (overall) test.property('judgment', overallText(overall));
    const said = verdictLines(step);
    if (said.length > 0) test.standardOutput(said.join('\n'));
  }
  return report.build();
}

function failedVerdicts({ verdicts }: StepRecord): string[] {
  return verdicts
    .filter((verdict) => /fail|error/.test(outcomeOf(verdict)))
    .map(({ judge, message }) => `${judge}: ${message}`);
}
