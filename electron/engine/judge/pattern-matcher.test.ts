import { afterAll, expect, test } from 'vitest';
import { PatternMatcher } from './pattern-matcher.ts';

const matcher = new PatternMatcher();
afterAll(() => matcher[Symbol.dispose]());

test('match() says where a pattern is', async () => {
  expect(await matcher.match('b+', 'abbc')).toEqual({ found: { index: 1, text: 'bb' } });
  expect(await matcher.match('x', 'abbc')).toEqual({ found: null });
  expect(await matcher.match('^', '')).toEqual({ found: { index: 0, text: '' } });
});

test('match() says what is not a pattern', async () => {
  expect(await matcher.match('(', 'a')).toEqual({
    problem: expect.stringContaining('it is not a regular expression') as string,
  });
});

test('match() gives up on a pattern that does not end, leaves our thread free, and goes on', async () => {
  let turns = 0;
  const beat = setInterval(() => turns++, 10);
  const [endless, next] = await Promise.all([
    matcher.match('^(a+)+$', `${'a'.repeat(64)}!`),
    matcher.match('z', 'xyz'),
  ]);
  clearInterval(beat);
  expect([endless, next]).toEqual([
    { problem: 'it takes too long to try' },
    { found: { index: 2, text: 'z' } },
  ]);
  expect(turns).toBeGreaterThan(5);
});

test('match() tries a megabyte', async () => {
  const text = `${'word '.repeat(200_000)}end`;
  expect(await matcher.match('end$', text)).toEqual({ found: { index: 1_000_000, text: 'end' } });
});
