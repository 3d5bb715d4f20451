import { expect, test } from 'vitest';
import type { AppEvent } from '#shared/model/app.ts';
import { AppEvents } from './app-events.ts';

const save: AppEvent = { type: 'command', command: 'save' };
const stopping: AppEvent = { type: 'stopping', reason: 'Ctrl+C' };

async function collect(stream: AsyncIterable<AppEvent>): Promise<AppEvent[]> {
  const events: AppEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test('AppEvents gives every listener what was emitted since it began to listen, then ends', async () => {
  const events = new AppEvents();
  const first = events.stream(undefined);
  events.emit(save);
  const second = events.stream(undefined);
  events.emit(stopping);
  events[Symbol.dispose]();
  const late = events.stream(undefined);
  expect(await Promise.all([first, second, late].map((stream) => collect(stream)))).toEqual([
    [save, stopping],
    [stopping],
    [],
  ]);
});

test('AppEvents ends a waiting stream when its signal aborts', async () => {
  const events = new AppEvents();
  const abort = new AbortController();
  const all = collect(events.stream(abort.signal));
  abort.abort();
  events.emit(save);
  expect(await all).toEqual([]);
});
