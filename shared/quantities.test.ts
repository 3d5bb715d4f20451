import { expect, test } from 'vitest';
import { agoText, bytesText, countText, durationText } from './quantities.ts';

test('durationText() never shows 60 of a unit', () => {
  const texts = [0, 340.4, 999.4, 999.6, 14_230, 59_949, 59_960, 185_000, 3_599_700, 7_800_000, 86_400_000];
  expect(texts.map(durationText)).toEqual([
    '0 ms',
    '340 ms',
    '999 ms',
    '1.0 s',
    '14.2 s',
    '59.9 s',
    '1 min',
    '3 min 5 s',
    '1 h',
    '2 h 10 min',
    '24 h',
  ]);
});

test('agoText() uses the largest unit that fits, and a clock that went back is now', () => {
  const now = 1_000_000_000_000;
  const minutes = [-5, 0, 1, 59, 60, 1439, 1440, 4500];
  expect(minutes.map((ago) => agoText(now - ago * 60_000, now))).toEqual([
    'just now',
    'just now',
    '1 min ago',
    '59 min ago',
    '1 h ago',
    '23 h ago',
    '1 day ago',
    '3 days ago',
  ]);
});

test('bytesText() keeps a digit behind the point only for small amounts', () => {
  expect([0, 812, 1000, 4200, 10_240, 12_582_912, 5e12].map(bytesText)).toEqual([
    '0 B',
    '812 B',
    '1.0 KB',
    '4.1 KB',
    '10 KB',
    '12 MB',
    '4657 GB',
  ]);
});

test('countText() adds an s to all but one', () => {
  expect([0, 1, 2].map((number) => countText(number, 'skill'))).toEqual(['0 skills', '1 skill', '2 skills']);
});
