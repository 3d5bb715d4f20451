import type { Overall } from '#shared/judgment/overall.ts';
import type { VerdictOutcome } from '#shared/model/verdict.ts';

/** The glyph of a verdict and the custom property of its colour; the word is said beside them. */
export interface Look {
  readonly glyph: string;
  readonly tone: 'ok' | 'fail' | 'unknown';
}

export const outcomeLooks: Readonly<Record<VerdictOutcome, Look>> = {
  pass: { glyph: '✓', tone: 'ok' },
  fail: { glyph: '✕', tone: 'fail' },
  error: { glyph: '!', tone: 'fail' },
  'not-judged': { glyph: '–', tone: 'unknown' },
};

export const overallLooks: Readonly<Record<Overall['outcome'], Look>> = {
  passed: { glyph: '✓', tone: 'ok' },
  failed: { glyph: '✕', tone: 'fail' },
  'not-judged': { glyph: '–', tone: 'unknown' },
};
