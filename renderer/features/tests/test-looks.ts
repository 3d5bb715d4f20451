import type { ExpectationResult } from '#shared/model/test-report.ts';
import type { TestState } from '#renderer/state/tests.svelte.ts';
import type { Status } from '../graph/status.ts';

/** Glyph, colour and word of a fixture's state. */
export const testLooks: Readonly<Record<TestState, Pick<Status, 'kind' | 'tone' | 'word'>>> = {
  'not-run': { kind: 'pending', tone: 'unknown', word: 'not run' },
  waiting: { kind: 'pending', tone: 'unknown', word: 'waiting' },
  running: { kind: 'running', tone: 'live', word: 'running' },
  passed: { kind: 'ran', tone: 'ok', word: 'passed' },
  failed: { kind: 'failed', tone: 'fail', word: 'failed' },
  error: { kind: 'undecided', tone: 'fail', word: 'not tried' },
  cancelled: { kind: 'cancelled', tone: 'unknown', word: 'cancelled' },
};

const kindTitles: Readonly<Record<ExpectationResult['kind'], string>> = {
  ...{ run: 'The run', contains: 'Contains', not_contains: 'Does not contain', outputs: 'Output' },
  ...{ artifacts: 'Proposes', validators_pass: 'Judged', error: 'Fails' },
};

/** What an expectation is about, as a heading. */
export function expectationTitle({ kind, subject }: ExpectationResult): string {
  return subject === '' ? kindTitles[kind] : `${kindTitles[kind]} ${subject}`;
}
