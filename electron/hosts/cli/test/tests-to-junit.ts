import type { TestReport } from '#shared/model/test-report.ts';

/** Fixtures as a JUnit file: a suite for every lens, a case for every fixture. */
export async function testsToJunit(reports: readonly TestReport[]): Promise<string> {
  // Loaded here: it takes longer to load than most commands take.
  const { default: builder } = await import('junit-report-builder');
  const whole = builder.newBuilder();
  for (const report of reports) {
    const suite = whole
      .testSuite()
      .name(report.lensName)
      .time(report.durationMs / 1000);
    suite.timestamp(new Date(report.startedAt));
    for (const { name, at, state, durationMs, expectations, problem } of report.results) {
      const one = suite
        .testCase()
        .className(report.lens)
        .name(name)
        .time(durationMs / 1000);
      one.file(`${at.file}:${at.line}`);
      const against = expectations.filter(({ passed }) => !passed);
      if (state === 'error') one.error(problem ?? 'The fixture could not be tried', 'fixture');
      else if (state === 'cancelled') one.skipped();
      else if (against.length > 0) {
        const details = against.map(({ message, actual }) =>
          actual === undefined ? message : `${message}\n${actual}`,
        );
        one.failure(against.map(({ message }) => message).join('; '), against[0]!.kind);
        one.standardError(details.join('\n\n'));
      }
    }
  }
  return whole.build();
}
