import { describe, expect, test } from 'vitest';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import type { TestReport } from '#shared/model/test-report.ts';
import type { ValidateDocument } from './validate/to-json.ts';
import { exampleNames, exampleRig } from './testing/example-rig.ts';

const isAvailable = await canRunScripts();

describe.each(await exampleNames())('the example "%s"', (name) => {
  test('has no problems', async () => {
    await using rig = await exampleRig(name);
    const { stdout } = await rig.run(['validate', '.', '--format', 'json']);
    const { errors, warnings, files } = JSON.parse(stdout) as ValidateDocument;
    expect({ errors, warnings, kinds: files.map(({ kind }) => kind).sort() }).toEqual({
      errors: 0,
      warnings: 0,
      kinds: ['fixtures', 'lens'],
    });
  });

  test.skipIf(!isAvailable)(
    'passes its own fixtures without a model',
    async () => {
      await using rig = await exampleRig(name);
      const { exitCode, stdout, stderr } = await rig.run(['test-skills', '--json']);
      const { reports } = JSON.parse(stdout) as { reports: TestReport[] };
      const against = reports.flatMap(({ results }) =>
        results
          .filter(({ state }) => state !== 'passed')
          .map(({ name: fixture, problem, expectations }) => [
            fixture,
            problem ?? expectations.filter(({ passed }) => !passed).map(({ message }) => message),
          ]),
      );
      // An answer that is not recorded means that what models are told has changed.
      const hint = JSON.stringify(against).includes('has no answer to this request')
        ? 'The recording is stale: run "npm run examples:record"'
        : stderr;
      expect([against, exitCode], hint).toEqual([[], 0]);
    },
    60_000,
  );
});
