import { describe, expect, it } from 'vitest';
import { durationText, statusOf } from './status.ts';

describe('statusOf()', () => {
  it('says the decision until there is a state', () => {
    const plan = { decision: 'run', reason: 'script changed', durationMs: 2600 } as const;
    const decided = { kind: 'run', tone: 'run', word: 'run', detail: 'script changed', duration: '~2.6 s' };
    expect([statusOf(plan), statusOf({ ...plan, state: 'pending' })]).toEqual([decided, decided]);
    expect(statusOf({ ...plan, state: 'ran', durationMs: 1900, verdict: 'passed 0.94' })).toEqual({
      ...{ kind: 'ran', tone: 'ok', word: 'ran', detail: 'passed 0.94', duration: '1.9 s' },
    });
  });

  it('says nothing where nothing is known', () => {
    expect([statusOf(undefined), statusOf({})]).toEqual([undefined, undefined]);
  });
});

describe('durationText()', () => {
  it('is as exact as people need', () => {
    expect([40, 95, 9_940, 9_960, 59_400, 61_000].map(durationText)).toEqual([
      ...['40 ms', '0.1 s', '9.9 s', '10 s', '59 s', '1 min'],
    ]);
  });
});
