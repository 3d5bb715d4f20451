import { Script } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { OptimizerPace } from './optimizer-pace.ts';

afterEach(() => void vi.useRealTimers());

const source = '(function double(value) { return value * 2; })';

let asked = 0;

/** Under a new name each time: what the process has compiled under the same one is taken from its memory. */
function isTaken(cachedData: Buffer): boolean {
  return new Script(source, { cachedData, filename: `${asked++}.js` }).cachedDataRejected === false;
}

// Elsewhere nothing is changed, because nobody could change it back.
test.skipIf(!process.versions.v8.startsWith('11.3.'))(
  'usually() keeps code that a process takes that was not slowed down, and takes such code itself',
  () => {
    vi.useFakeTimers();
    const before = new Script(source).createCachedData();
    const pace = new OptimizerPace();
    pace.slowDown();
    expect(isTaken(before)).toBe(true);
    vi.runAllTimers();
    const kept = pace.usually(() => new Script(source).createCachedData());
    const slow = [isTaken(before), isTaken(kept)];
    const usual = pace.usually(() => [isTaken(before), isTaken(kept)]);
    expect({ slow, usual }).toEqual({ slow: [false, false], usual: [true, true] });
  },
);
