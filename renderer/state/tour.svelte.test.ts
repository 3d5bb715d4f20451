import { describe, expect, it } from 'vitest';
import { Tour, tourSteps } from './tour.svelte.ts';

function taken() {
  const shown: string[] = [];
  let ends = 0;
  const tour = new Tour({ show: ({ id }) => shown.push(id), ended: () => ends++ });
  return { tour, shown, ends: () => ends };
}

describe('Tour', () => {
  it('brings every step up in order and ends once after the last', () => {
    const { tour, shown, ends } = taken();
    tour.start();
    while (tour.step) tour.next();
    tour.next();
    expect([shown, ends()]).toEqual([['plan', 'run', 'reasons', 'review', 'history'], 1]);
  });

  it('goes back, not before its first step, and ends where the user wants', () => {
    const { tour, shown, ends } = taken();
    tour.start();
    tour.next();
    tour.back();
    tour.back();
    const at = [tour.step, tour.number];
    tour.end();
    expect([shown, at, tour.step, ends()]).toEqual([
      ['plan', 'run', 'plan'],
      [tourSteps[0], 1],
      undefined,
      1,
    ]);
  });

  it('does nothing before it starts', () => {
    const { tour, shown, ends } = taken();
    tour.next();
    tour.back();
    tour.end();
    expect([tour.step, shown, ends()]).toEqual([undefined, [], 0]);
  });
});
