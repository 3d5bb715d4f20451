import { Script } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { V8Pace } from './v8-pace.ts';

afterEach(() => void vi.useRealTimers());

const source = '(function double(value) { return value * 2; })';

let asked = 0;

/** Under a new name each time: what the process has compiled under the same one is taken from its memory. */
function isTaken(cachedData: Buffer): boolean {
  return new Script(source, { cachedData, filename: `${asked++}.js` }).cachedDataRejected === false;
}

test('usually() keeps code that a process takes whose flags were not changed, and takes such code itself', () => {
  vi.useFakeTimers();
  const before = new Script(source).createCachedData();
  const pace = new V8Pace();
  pace.follow();
  const keptAndTaken: unknown[] = [];
  const look = (): void => {
    const kept = pace.usually(() => new Script(source).createCachedData());
    const now = [isTaken(before), isTaken(kept)];
    keptAndTaken.push({ now, usual: pace.usually(() => [isTaken(before), isTaken(kept)]) });
  };
  look();
  vi.advanceTimersByTime(100);
  look();
  vi.advanceTimersByTime(200);
  look();
  const asBefore = { now: [true, true], usual: [true, true] };
  const withFlags = { now: [false, false], usual: [true, true] };
  // Elsewhere the optimizer is left alone, because nobody could say what takes that back.
  const isBudgetKnown = process.versions.v8.startsWith('11.3.');
  expect(keptAndTaken).toEqual([asBefore, withFlags, isBudgetKnown ? withFlags : asBefore]);
});
