import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../testing/as-ordinary-user.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { digestOf, valueDigest } from '../store/digest.ts';
import { ActionCache } from './action-cache.ts';
import { resultDigest } from './cached-result.ts';
import { sampleEntry, sampleResult } from './testing/sample-entry.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const day = 24 * 60 * 60 * 1000;

/** A cache whose time the test sets, and the same cache as another process sees it. */
async function openCache(options: Partial<Parameters<typeof ActionCache.open>[1]> = {}) {
  const home = await world.makeFolder();
  const clock = { now: Date.UTC(2026, 0, 1) };
  const open = () => ActionCache.open(home, { now: () => clock.now, ...options });
  return { home, clock, open, cache: open() };
}

test('find() gives back all that was put, in this process and in the next', async () => {
  const { cache, open, clock } = await openCache();
  const entry = sampleEntry(1);
  cache.put(entry);
  const hit = {
    key: entry.key,
    result: entry.result,
    resultDigest: resultDigest(entry.result),
    outputDigests: { out: valueDigest({ number: 1 }) },
    origin: { runId: 'run-1', at: clock.now, durationMs: 11 },
  };
  expect([cache.find(entry.key), open().find(entry.key), cache.takeWarning()]).toEqual([hit, hit, undefined]);
  expect(cache.find(sampleEntry(2).key)).toBe(undefined);
});

test('find() takes empty and false values for hits', async () => {
  const { open, cache } = await openCache();
  const result = { ...sampleResult(1), content: '', outputs: { a: false, b: '', c: null, d: 0 } };
  const entry = sampleEntry(1, { result, artifacts: new Map() });
  cache.put(entry);
  expect(open().find(entry.key)?.result).toEqual(result);
});

test('find() sees what another process put after this one opened', async () => {
  const { cache, open } = await openCache();
  open().put(sampleEntry(1));
  expect(cache.find(sampleEntry(1).key)?.result).toEqual(sampleEntry(1).result);
});

test('find() forgets what another process cleared since it was read', async () => {
  const clears: readonly ((home: string, other: ActionCache) => unknown)[] = [
    (_home, other) => other.clear(),
    (_home, other) => other.clear({ skill: 'skill-1' }),
    (home) => rmSync(join(home, 'cache'), { recursive: true }),
  ];
  for (const clear of clears) {
    const { home, cache, open } = await openCache();
    const entry = sampleEntry(1, { result: sampleResult(1), artifacts: new Map() });
    cache.put(entry);
    const before = cache.find(entry.key);
    cache.refresh();
    expect(cache.find(entry.key)).toBe(before);
    await clear(home, open());
    cache.refresh();
    expect([before?.result, cache.find(entry.key)]).toEqual([entry.result, undefined]);
    cache.put(entry);
    expect(open().find(entry.key)?.result).toEqual(entry.result);
  }
});

test('processes that put in turn all have what the others put, also when one writes the index anew', async () => {
  const { cache, open } = await openCache();
  const all = [cache, open(), open()];
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  for (const number of numbers) {
    all[number % 3]!.put(sampleEntry(number));
    all[number % 2]!.put(sampleEntry(number + 100));
    if (number % 5 === 4) await all[number % 3]!.verify();
  }
  for (const each of [...all, open()]) {
    each.flush();
    expect(numbers.map((number) => each.find(sampleEntry(number).key)?.result)).toEqual(
      numbers.map((number) => sampleEntry(number).result),
    );
    expect((await each.stats()).entries).toBe(24);
  }
});

test('artifact() and text() give kept bytes back by their digest', async () => {
  const { cache, open } = await openCache();
  cache.put(sampleEntry(1));
  const other = open();
  expect([
    other.text(digestOf('print(1)')),
    Buffer.from(other.artifact(digestOf('proposal 1'))!).toString(),
    other.text(digestOf('never kept')),
  ]).toEqual(['print(1)', 'proposal 1', undefined]);
});

test('a text that is no longer than its digest needs no file, and stays while a result has it', async () => {
  const { home, cache, open } = await openCache();
  const long = 'a text that is longer than the digest that a line of the index would have in its place';
  const texts = ['short', 'control \u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008 characters', long];
  for (const number of [1, 2]) cache.put(sampleEntry(number, { texts }));
  expect(texts.map((text) => [blobOf(home, text).length, cache.text(digestOf(text))])).toEqual([
    [0, texts[0]],
    [1, texts[1]],
    [1, long],
  ]);
  const keeps = () => [cache, open()].map((each) => texts.map((text) => each.keeps(digestOf(text))));
  const [all, none] = [
    [true, true, true],
    [false, false, false],
  ];
  expect(keeps()).toEqual([all, all]);
  await cache.clear({ key: sampleEntry(1).key });
  expect(keeps()).toEqual([all, all]);
  await cache.clear({ key: sampleEntry(2).key });
  expect(keeps()).toEqual([none, none]);
});

test.each([
  { name: 'a limit was hit', change: { limitsHit: ['output'] } },
  {
    name: 'a log was cut',
    change: { logs: [{ scriptName: 'a', stdout: '', stderr: '', truncated: true, durationMs: 1 }] },
  },
])('put() keeps nothing of a result of which $name', async ({ change }) => {
  const { cache } = await openCache();
  const entry = sampleEntry(1);
  cache.put({ ...entry, result: { ...entry.result, ...change } });
  expect([cache.find(entry.key), (await cache.stats()).entries, (await cache.stats()).misses]).toEqual([
    undefined,
    0,
    1,
  ]);
});

test('nearest() is the result that was used last, with its fingerprint', async () => {
  const { cache, clock, open } = await openCache();
  const [first, second] = [1, 2].map((number) => sampleEntry(number, { skillId: 'a:x' }));
  cache.put(first!);
  const firstAt = clock.now;
  clock.now += 1000;
  cache.put(second!);
  expect(cache.nearest('harbor', 'a:x')?.key).toBe(second!.key);
  clock.now += 1000;
  cache.noteHit(cache.find(first!.key)!);
  cache.flush();
  expect(open().nearest('harbor', 'a:x')).toEqual({
    key: first!.key,
    fingerprint: first!.fingerprint,
    isEvicted: false,
    runId: 'run-1',
    at: firstAt,
    durationMs: 11,
  });
});

test('nearest() falls back to another workspace, as after the folder got another name', async () => {
  const { cache } = await openCache();
  cache.put(sampleEntry(1, { skillId: 'a:x', workspace: 'old' }));
  cache.put(sampleEntry(2, { skillId: 'a:x', workspace: 'new' }));
  expect([
    cache.nearest('old', 'a:x')?.runId,
    cache.nearest('new', 'a:x')?.runId,
    typeof cache.nearest('other', 'a:x')?.runId,
    cache.nearest('old', 'a:y'),
  ]).toEqual(['run-1', 'run-2', 'string', undefined]);
});

test('lastFailure() holds until the skill succeeds', async () => {
  const { cache, clock, open } = await openCache();
  const entry = sampleEntry(1);
  cache.noteFailure({ ...entry, runId: 'run-0' });
  const failure = { key: entry.key, runId: 'run-0', at: clock.now };
  expect(open().lastFailure('harbor', entry.skillId)).toEqual(failure);
  expect(open().lastFailure('elsewhere', entry.skillId)).toBe(undefined);
  cache.put(entry);
  expect([cache, open()].map((one) => one.lastFailure('harbor', entry.skillId))).toEqual([
    undefined,
    undefined,
  ]);
});

test('lastFailure() goes by what came last, whatever the clock says', async () => {
  const { cache, clock, open } = await openCache();
  const entry = sampleEntry(1);
  const failures = () => [cache, open()].map((one) => one.lastFailure('harbor', entry.skillId)?.runId);
  cache.noteFailure({ ...entry, runId: 'run-0' });
  clock.now -= day;
  cache.put(entry);
  expect(failures()).toEqual([undefined, undefined]);
  clock.now -= day;
  cache.noteFailure({ ...entry, runId: 'run-2' });
  expect(failures()).toEqual(['run-2', 'run-2']);
  await cache.verify(); // Writes the index anew.
  expect(failures()).toEqual(['run-2', 'run-2']);
});

test('durations() are those of the skill, newest first', async () => {
  const { cache, clock } = await openCache();
  for (const number of [1, 2, 3]) {
    clock.now += 1;
    cache.put(sampleEntry(number, { skillId: 'a:x' }));
  }
  expect(cache.durations('harbor', 'a:x')).toEqual([13, 12, 11]);
});

test('judgments are kept apart from results', async () => {
  const { cache, open } = await openCache();
  const verdicts = [
    { judge: 'a', kind: 'deterministic', outcome: 'pass', severity: 'error', message: 'Fine' },
  ] as const;
  const judgment = { ...sampleEntry(1), key: digestOf('judgment'), verdicts };
  cache.putJudgment(judgment);
  cache.put(sampleEntry(2));
  expect([
    open().findJudgment(judgment.key),
    open().find(judgment.key),
    open().findJudgment(sampleEntry(2).key),
    cache.nearest('harbor', sampleEntry(1).skillId),
  ]).toEqual([verdicts, undefined, undefined, undefined]);
});

test('stats() counts by day what runs used and what they had to run', async () => {
  const { cache, clock, open } = await openCache({ maxBytes: 5000 });
  cache.put(sampleEntry(1));
  cache.noteFailure(sampleEntry(2));
  cache.flush();
  clock.now += day;
  cache.noteHit(cache.find(sampleEntry(1).key)!);
  cache.noteHit(cache.find(sampleEntry(1).key)!);
  cache.flush();
  const { bytes, ...stats } = await open().stats();
  expect(bytes).toBeGreaterThan(500);
  expect(stats).toEqual({
    entries: 1,
    maxBytes: 5000,
    hits: 2,
    misses: 2,
    hitRate: 0.5,
    savedMs: 22,
    days: [
      { day: '2026-01-01', hits: 0, misses: 2 },
      { day: '2026-01-02', hits: 2, misses: 0 },
    ],
  });
});

test('list() and show() say what is kept', async () => {
  const { cache, clock } = await openCache();
  const [first, second] = [sampleEntry(1), sampleEntry(2)];
  cache.put(first);
  clock.now += 1000;
  cache.put(second);
  const detail = cache.show(first.key);
  expect({ ...detail, bytes: 0 }).toEqual({
    key: first.key,
    skill: first.skillId,
    workspace: 'harbor',
    kind: 'action',
    bytes: 0,
    storedAt: clock.now - 1000,
    lastUsedAt: clock.now - 1000,
    hits: 0,
    durationMs: 11,
    runId: 'run-1',
    fingerprint: first.fingerprint,
    files: { 'a.md': '0'.repeat(64) },
    content: 'content 1',
    outputs: { out: { number: 1 } },
    artifacts: [{ path: '1.md', operation: 'write' }],
    log: 'run.py\nlog 1',
  });
  expect(cache.list().map(({ key }) => key)).toEqual([second.key, first.key]);
  expect(cache.list({ skill: 'skill-1' }).map(({ key }) => key)).toEqual([first.key]);
  expect(cache.show(digestOf('none'))).toBe(undefined);
});

test('the least recently used make room, and a plan can say that they did', async () => {
  const { cache, clock, open } = await openCache({ maxEntries: 10 });
  for (let number = 0; number < 10; number++) {
    clock.now += 1000;
    cache.put(sampleEntry(number));
  }
  clock.now += 1000;
  cache.noteHit(cache.find(sampleEntry(0).key)!);
  cache.flush();
  clock.now += 1000;
  cache.put(sampleEntry(10));
  cache.flush();
  const kept = (one: ActionCache) =>
    Array.from({ length: 11 }, (_, number) => number).filter((number) => one.find(sampleEntry(number).key));
  expect(kept(open())).toEqual([0, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(open().nearest('harbor', sampleEntry(1).skillId)).toMatchObject({
    key: sampleEntry(1).key,
    fingerprint: sampleEntry(1).fingerprint,
    isEvicted: true,
  });
  expect(open().text(digestOf('print(1)'))).toBe(undefined);
  expect(open().text(digestOf('print(0)'))).toBe('print(0)');
});

test('what is unused for a month is dropped', async () => {
  const { cache, clock, open } = await openCache();
  cache.put(sampleEntry(1));
  cache.put(sampleEntry(2));
  clock.now += 20 * day;
  cache.noteHit(cache.find(sampleEntry(2).key)!);
  cache.flush();
  clock.now += 11 * day;
  cache.flush();
  expect(
    open()
      .list()
      .map(({ skill }) => skill),
  ).toEqual([sampleEntry(2).skillId]);
});

test('bytes are bounded, but a result in use stays', async () => {
  const { cache, clock, open } = await openCache({ maxBytes: 20_000 });
  cache.put(sampleEntry(0));
  cache.noteHit(cache.find(sampleEntry(0).key)!);
  cache.flush();
  for (let number = 1; number <= 100; number++) {
    clock.now += 1000;
    cache.put(sampleEntry(number));
  }
  const { bytes, entries } = await open().stats();
  expect(bytes).toBeLessThanOrEqual(20_000);
  expect(entries).toBeLessThan(50);
  expect(open().find(sampleEntry(0).key)?.result).toEqual(sampleEntry(0).result);
  expect(cache.takeWarning()).toBe(undefined);
});

test('one result that is too large, or too deep to write, is not kept', async () => {
  const { cache } = await openCache({ maxEntryBytes: 10_000 });
  const large = sampleEntry(1, { result: { ...sampleResult(1), content: 'x'.repeat(20_000) } });
  cache.put(large);
  expect([cache.find(large.key), cache.takeWarning()]).toEqual([
    undefined,
    expect.stringMatching(/"lenses\/a\.lens:skill-1" is too large to keep/),
  ]);
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  cache.put(sampleEntry(2, { result: { ...sampleResult(2), outputs: { deep } } }));
  expect([cache.find(sampleEntry(2).key), typeof cache.takeWarning()]).toEqual([undefined, 'string']);
});

test('clear() drops what is meant and nothing else', async () => {
  const { cache, clock, open } = await openCache();
  cache.put(sampleEntry(1));
  clock.now += 8 * day;
  for (const number of [2, 3, 4]) cache.put(sampleEntry(number));
  const names = () =>
    open()
      .list()
      .map(({ skill }) => skill.slice(-1))
      .sort()
      .join('');
  expect(await cache.clear({ olderThanMs: 7 * day })).toBe(1);
  expect(names()).toBe('234');
  expect(await cache.clear({ key: sampleEntry(3).key })).toBe(1);
  expect(names()).toBe('24');
  expect(await cache.clear({ skill: 'skill-4' })).toBe(1);
  expect(names()).toBe('2');
  cache.noteFailure(sampleEntry(5));
  expect(await cache.clear()).toBe(1);
  expect([
    names(),
    open().nearest('harbor', sampleEntry(2).skillId),
    open().lastFailure('harbor', sampleEntry(5).skillId),
  ]).toEqual(['', undefined, undefined]);
  expect((await open().stats()).misses).toBe(5);
});

test('verify() sets damaged results aside and removes what belongs to nothing', async () => {
  const { cache, home } = await openCache();
  cache.put(sampleEntry(1));
  cache.put(sampleEntry(2));
  const [digest] = blobOf(home, 'content 1');
  writeFileSync(digest!, 'garbage');
  mkdirSync(join(home, 'cache/v1/tmp'), { recursive: true });
  writeFileSync(join(home, 'cache/v1/tmp/999999-1-7'), 'left by a crash');
  const check = await cache.verify();
  expect(check).toEqual({
    checked: 2,
    damaged: [sampleEntry(1).key],
    unreadable: [],
    bytes: (await cache.stats()).bytes,
  });
  expect([readdirSync(join(home, 'cache/v1/tmp')), readdirSync(join(home, 'cache/v1/aside')).length]).toEqual(
    [[], 1],
  );
  expect([cache.find(sampleEntry(1).key), cache.find(sampleEntry(2).key)?.result]).toEqual([
    undefined,
    sampleEntry(2).result,
  ]);
});

test('the index stays short, and nothing is lost when it is written anew', async () => {
  const { cache, home, open } = await openCache();
  for (let number = 0; number < 20; number++) {
    cache.put(sampleEntry(number, { result: sampleResult(number), artifacts: new Map() }));
  }
  const hits = Array.from({ length: 20 }, (_, number) => cache.find(sampleEntry(number).key)!);
  const other = open();
  for (let round = 0; round < 2000; round++) {
    for (const hit of hits) cache.noteHit(hit);
    cache.flush();
  }
  const size = lstatSync(join(home, 'cache/v1/index')).size;
  expect(size).toBeLessThan(1_200_000);
  expect([open().list()[0]!.hits, (await open().stats()).hits, (await other.stats()).hits]).toEqual([
    2000, 40_000, 40_000,
  ]);
});

test('folders and files are the user’s alone', async () => {
  const home = await world.makeFolder();
  mkdirSync(join(home, 'cache'), { mode: 0o755 });
  const cache = ActionCache.open(home);
  cache.put(sampleEntry(1));
  cache.flush();
  await cache.verify();
  const modes = readdirSync(join(home, 'cache'), { recursive: true, withFileTypes: true }).map((entry) => {
    const mode = lstatSync(join(entry.parentPath, entry.name)).mode & 0o777;
    return entry.isDirectory() ? mode === 0o700 : mode === 0o600;
  });
  expect(modes.length).toBeGreaterThan(4);
  expect([lstatSync(join(home, 'cache')).mode & 0o777, modes.every(Boolean)]).toEqual([0o700, true]);
});

test.each([
  { name: 'a link', spoil: (home: string) => symlinkSync('/tmp', join(home, 'cache')) },
  { name: 'a file', spoil: (home: string) => writeFileSync(join(home, 'cache'), '') },
  {
    name: 'a folder of links',
    spoil: (home: string) => {
      mkdirSync(join(home, 'cache/v1'), { recursive: true });
      symlinkSync('/tmp', join(home, 'cache/v1/blobs'));
    },
  },
  { name: 'below a file', spoil: (home: string) => home },
])('a cache that is $name never has anything and says so once', async ({ name, spoil }) => {
  const folder = await world.makeFolder();
  const home = name === 'below a file' ? join(folder, 'file') : folder;
  if (name === 'below a file') writeFileSync(home, '');
  spoil(home);
  const cache = ActionCache.open(home);
  cache.put(sampleEntry(1));
  cache.noteFailure(sampleEntry(2));
  cache.flush();
  expect([cache.find(sampleEntry(1).key), cache.takeWarning(), cache.takeWarning()]).toEqual([
    undefined,
    expect.stringMatching(/^Cannot use the cache in ".*", so that skills run again: /),
    undefined,
  ]);
  await expect(cache.clear()).rejects.toMatchObject({ code: 'cache.unwritable' });
});

test('an index that is a folder is set aside, and the cache works', async () => {
  const home = await world.makeFolder();
  mkdirSync(join(home, 'cache/v1/index/x'), { recursive: true });
  const cache = ActionCache.open(home);
  cache.put(sampleEntry(1));
  expect([cache.find(sampleEntry(1).key)?.result, cache.takeWarning()]).toEqual([
    sampleEntry(1).result,
    undefined,
  ]);
});

test('an index that is too long to be read is set aside, and told of once', async () => {
  const { home, cache, open } = await openCache();
  const index = join(home, 'cache/v1/index');
  cache.put(sampleEntry(1));
  for (const find of [() => open(), () => cache]) {
    truncateSync(index, 600 * 1024 ** 2);
    const one = find();
    one.refresh();
    expect([one.find(sampleEntry(1).key), one.takeWarning()]).toEqual([
      undefined,
      expect.stringMatching(/its index was too long, and is now ".*\/index\.corrupt-\d+"$/),
    ]);
    one.put(sampleEntry(1));
    one.flush();
    const later = open();
    expect([later.find(sampleEntry(1).key)?.result, later.takeWarning()]).toEqual([
      sampleEntry(1).result,
      undefined,
    ]);
    expect(await later.verify()).toMatchObject({ checked: 1, damaged: [] });
    expect([one.takeWarning(), one.find(sampleEntry(1).key)?.result]).toEqual([
      undefined,
      sampleEntry(1).result,
    ]);
  }
});

test('a cache that may only be read still gives what it has, and says once that it keeps nothing', async () => {
  const { home, cache } = await openCache();
  cache.put(sampleEntry(1));
  const folders = ['cache', 'cache/v1', 'cache/v1/tmp', 'cache/v1/blobs'].map((name) => join(home, name));
  await asOrdinaryUser(home, () => {
    chmodSync(join(home, 'cache/v1/index'), 0o400);
    for (const folder of folders) chmodSync(folder, 0o500);
    const other = ActionCache.open(home);
    other.put(sampleEntry(2));
    other.noteHit(other.find(sampleEntry(1).key)!);
    other.flush();
    expect([other.find(sampleEntry(1).key)?.result, other.find(sampleEntry(2).key)]).toEqual([
      sampleEntry(1).result,
      undefined,
    ]);
    expect([other.takeWarning(), other.takeWarning()]).toEqual([
      expect.stringMatching(/so that skills run again: .*(EACCES|may only be read)/),
      undefined,
    ]);
    for (const folder of folders) chmodSync(folder, 0o700);
  });
  expect(cache.find(sampleEntry(1).key)?.result).toEqual(sampleEntry(1).result);
});

/** Paths of the blobs that hold a text. */
function blobOf(home: string, text: string): string[] {
  return readdirSync(join(home, 'cache/v1/blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'utf8').includes(text));
}
