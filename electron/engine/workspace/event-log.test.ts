import { expect, test } from 'vitest';
import { EventLog } from './event-log.ts';

interface Numbered {
  seq: number;
  text: string;
}

const lost = (seq: number): Numbered => ({ seq, text: 'lost' });

async function collect(log: EventLog<Numbered>, after: number): Promise<string[]> {
  const texts: string[] = [];
  for await (const event of log.after(after, undefined, lost)) texts.push(event.text);
  return texts;
}

test('after() replays from the number, goes on live and ends when the log closes', async () => {
  const log = new EventLog<Numbered>();
  log.append((seq) => ({ seq, text: 'one' }));
  log.append((seq) => ({ seq, text: 'two' }));
  const reading = collect(log, 1);
  log.append((seq) => ({ seq, text: 'three' }));
  log.close();
  expect(await reading).toEqual(['two', 'three']);
});

test('after() tells a reader that fell behind what was kept that events are lost', async () => {
  const log = new EventLog<Numbered>(4);
  for (let i = 0; i < 10; i++) log.append((seq) => ({ seq, text: String(seq) }));
  expect(await collect(log, 2)).toEqual(['lost']);
});

test('after() tells a reader from another life of the engine that events are lost', async () => {
  const log = new EventLog<Numbered>();
  expect(await collect(log, 7)).toEqual(['lost']);
});

test('after() ends for an aborted reader only', async () => {
  const log = new EventLog<Numbered>();
  const stop = new AbortController();
  const events = log.after(0, stop.signal, lost);
  const waiting = events.next();
  stop.abort();
  expect((await waiting).done).toBe(true);
  const other = log.after(0, undefined, lost);
  log.append((seq) => ({ seq, text: 'still here' }));
  expect((await other.next()).value).toEqual({ seq: 1, text: 'still here' });
});
