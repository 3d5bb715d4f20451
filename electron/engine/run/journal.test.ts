import * as realFs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { Journal } from './journal.ts';
import type { JournalLine } from './journal-line.ts';
import { journalName } from './run-places.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** How long the file was at each flush. */
const flushed = vi.hoisted((): number[] => []);
beforeEach(() => void flushed.splice(0));

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof realFs>();
  const fdatasync: typeof real.fdatasync = Object.assign(
    (fd: number, done: realFs.NoParamCallback) => {
      flushed.push(real.fstatSync(fd).size);
      real.fdatasync(fd, done);
    },
    { __promisify__: real.fdatasync.__promisify__ },
  );
  return { ...real, fdatasync };
});

async function openJournal() {
  const folder = join(await world.makeFolder(), 'run');
  const problems: string[] = [];
  const journal = new Journal(folder, (problem) => problems.push(problem));
  const written = () => realFs.readFileSync(join(folder, journalName), 'utf8');
  return { folder, journal, problems, written };
}

function lineOf(number: number): JournalLine {
  return { applied: { [`${number}.md`]: null } };
}

function textOf(...numbers: readonly number[]): string {
  return numbers.map((number) => `${JSON.stringify(lineOf(number))}\n`).join('');
}

test('what was written is there for whoever looks after this process was killed', async () => {
  const { journal, written } = await openJournal();
  journal.append(lineOf(1));
  journal.append(lineOf(2));
  journal.write();
  journal.append(lineOf(3));
  expect(written()).toBe(textOf(1, 2));
  await journal.close();
  expect([written(), journal.bytes, flushed]).toEqual([textOf(1, 2, 3), written().length, []]);
});

test('a line with which nothing ends is there soon, for others who look at a long step', async () => {
  vi.useFakeTimers();
  try {
    const { journal, written } = await openJournal();
    journal.append(lineOf(1));
    journal.write();
    journal.append(lineOf(2));
    vi.advanceTimersByTime(50);
    journal.append(lineOf(3));
    expect(written()).toBe(textOf(1));
    vi.advanceTimersByTime(50);
    expect(written()).toBe(textOf(1, 2, 3));
    await journal.close();
  } finally {
    vi.useRealTimers();
  }
});

test('steps that end soon after one another are flushed together, and all of them before the end', async () => {
  const { journal, written } = await openJournal();
  const numbers = Array.from({ length: 50 }, (_, number) => number);
  for (const number of numbers) {
    journal.append(lineOf(number));
    journal.commit();
  }
  await journal.close();
  expect([written(), flushed]).toEqual([textOf(...numbers), [written().length]]);
});

test('a line is written after the content it may tell of is whole', async () => {
  const { folder, journal, written } = await openJournal();
  journal.append(lineOf(1));
  journal.commit();
  journal.keep('hash', Buffer.from('content'));
  journal.append(lineOf(2));
  journal.commit();
  expect(written()).toBe(textOf(1));
  await journal.close();
  expect([written(), realFs.readFileSync(join(folder, 'artifacts/hash'), 'utf8')]).toEqual([
    textOf(1, 2),
    'content',
  ]);
});

test('a disk that refuses is told once, and nothing more is written', async () => {
  const { folder, journal, problems } = await openJournal();
  realFs.writeFileSync(folder, 'no folder');
  for (const number of [1, 2]) {
    journal.append(lineOf(number));
    journal.commit();
  }
  await journal.close();
  expect([problems.length, journal.isWhole]).toEqual([1, false]);
});
