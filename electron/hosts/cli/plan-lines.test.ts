import { expect, test } from 'vitest';
import { newRunId } from '#engine/run/run-id.ts';
import { reasonText } from './plan-lines.ts';

const run = newRunId(1_700_000_000_000);

test.each([
  [{ id: 'problem', subject: 'model' }, 'said in config.yaml, or use --manual or --replay FILE'],
  [{ id: 'problem', subject: 'files' }, 'said'],
  [{ id: 'needs-input', subject: 'model' }, 'said with --input or --input-file'],
  [{ id: 'last-failed', subject: run }, `said, see "sunwell run show ${run}"`],
  [{ id: 'last-failed', subject: 'clear, brief' }, 'said'],
] as const)('reasonText() says of %o what the command line has for it', (reason, text) => {
  expect(reasonText({ ...reason, sentence: 'said' })).toBe(text);
});
