import { expect, test } from 'vitest';
import { placeCard } from './place.ts';

const card = { width: 320, height: 160 };
const window = { width: 1280, height: 800 };

test('placeCard() stands above its anchor where there is room, else below', () => {
  const low = { left: 300, top: 600, width: 60, height: 24 };
  const high = { ...low, top: 40 };
  expect([placeCard(low, card, window, undefined), placeCard(high, card, window, undefined)]).toEqual([
    { left: 300, top: 428 },
    { left: 300, top: 76 },
  ]);
});

test('placeCard() stands beside a narrow anchor at the edge of the window', () => {
  expect(placeCard({ left: 6, top: 90, width: 36, height: 36 }, card, window, undefined)).toEqual({
    left: 54,
    top: 90,
  });
});

test('placeCard() stays within the window', () => {
  expect(placeCard({ left: 1200, top: 100, width: 80, height: 600 }, card, window, undefined)).toEqual({
    left: 952,
    top: 632,
  });
});

test('placeCard() never stands over what must stay free', () => {
  const run = { left: 500, top: 520, width: 500, height: 46 };
  const anchor = { left: 280, top: 590, width: 60, height: 24 };
  expect(placeCard(anchor, card, window, run)).toEqual({ left: 280, top: 348 });
});
