import { expect, test } from 'vitest';
import { aborted, Interrupt } from './interrupt.ts';

test('Interrupt takes a Ctrl+C that npm repeats as one, says what it was, and lets go of the process', async () => {
  const before = process.listenerCount('SIGINT');
  const interrupt = new Interrupt();
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGINT', 'SIGINT');
  expect([await aborted(interrupt.signal), process.listenerCount('SIGINT')]).toEqual(['Ctrl+C', before + 1]);
  interrupt[Symbol.dispose]();
  expect(process.listenerCount('SIGINT')).toBe(before);
});
