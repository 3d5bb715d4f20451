import { expect, test } from 'vitest';
import { StatusLine } from './status-line.ts';

test.each([
  [undefined, 79],
  [0, 79],
  [20, 19],
])('a terminal of %s columns shows %s characters', (columns, shown) => {
  let text = '';
  const stream = {
    write: (part: string) => (text += part),
    isTTY: true,
    ...(columns !== undefined && { columns }),
  };
  new StatusLine(stream).show('x'.repeat(100));
  expect(text).toBe(`\r\u001b[2K${'x'.repeat(shown)}`);
});
