import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { GatheredWrites } from './gathered-writes.ts';

function streams(isTTY = false) {
  const written: string[] = [];
  const writes = new GatheredWrites();
  const [out, err] = ['out', 'err'].map((name) =>
    writes.sinkOf({ write: (text) => written.push(`${name}: ${text}`), isTTY }),
  );
  return { written, writes, out: out!, err: err! };
}

test('what is said in one go is written once, and in the order in which it was said', async () => {
  const { written, out, err } = streams();
  err.write('a\n');
  err.write('b\n');
  out.write('c\n');
  err.write('d\n');
  expect(written).toEqual(['err: a\nb\n', 'out: c\n']);
  await setImmediate();
  expect(written).toEqual(['err: a\nb\n', 'out: c\n', 'err: d\n']);
  err.write('e\n');
  await setImmediate();
  expect(written.at(-1)).toBe('err: e\n');
});

test('flush() leaves nothing behind for a process that ends', () => {
  const { written, writes, out } = streams();
  out.write('a');
  writes.flush();
  writes.flush();
  expect(written).toEqual(['out: a']);
});

test('a terminal gets each line at once', () => {
  const { written, out } = streams(true);
  out.write('a');
  expect(written).toEqual(['out: a']);
});
