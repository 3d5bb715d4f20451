import { expect, test } from 'vitest';
import type { AppEvent } from '#shared/model/app.ts';
import { WindowEvents } from './window-events.ts';

const command = (name: string): AppEvent => ({ type: 'command', command: name });

async function take(stream: AsyncIterable<AppEvent>, count: number): Promise<AppEvent[]> {
  const taken: AppEvent[] = [];
  for await (const event of stream) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

test('WindowEvents keeps what is said before the page listens, and says it once', async () => {
  const events = new WindowEvents();
  events.publish(command('early'));
  const first = take(events.forThisPage()(undefined), 2);
  const second = take(events.forThisPage()(undefined), 1);
  events.publish(command('late'));
  expect(await Promise.all([first, second])).toEqual([
    [command('early'), command('late')],
    [command('late')],
  ]);
});

test('WindowEvents ends the streams of a page that left and keeps events for the next', async () => {
  const events = new WindowEvents();
  const old = take(events.forThisPage()(undefined), 2);
  events.publish(command('one'));
  events.pageLeft();
  events.publish(command('two'));
  expect([await old, await take(events.forThisPage()(undefined), 1)]).toEqual([
    [command('one')],
    [command('two')],
  ]);
});

test('WindowEvents ends without an error when the signal aborts', async () => {
  const events = new WindowEvents();
  const abort = new AbortController();
  const all = take(events.forThisPage()(abort.signal), 1);
  abort.abort();
  expect(await all).toEqual([]);
});

test('WindowEvents keeps only the latest events for a page that never comes', async () => {
  const events = new WindowEvents();
  for (let i = 0; i < 100; i++) events.publish(command(String(i)));
  expect((await take(events.forThisPage()(undefined), 20))[0]).toEqual(command('80'));
});

test('WindowEvents gives nothing to a late call of a page that left', async () => {
  const events = new WindowEvents();
  const late = events.forThisPage();
  events.pageLeft();
  events.publish(command('one'));
  expect([await take(late(undefined), 1), await take(events.forThisPage()(undefined), 1)]).toEqual([
    [],
    [command('one')],
  ]);
});

test('WindowEvents keeps what is said after the last stream ended', async () => {
  const events = new WindowEvents();
  const stream = events.forThisPage();
  events.publish(command('one'));
  await take(stream(undefined), 1);
  events.publish(command('two'));
  expect(await take(stream(undefined), 1)).toEqual([command('two')]);
});
