import { afterAll, expect, test } from 'vitest';
import { join } from 'node:path';
import { Log } from '../store/log.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { LibraryDesk } from './library-desk.ts';
import { openResolver } from './open-resolver.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('list() has every built-in skill once, and show() writes its scripts into the entry to copy', async () => {
  const root = await world.makeWorkspace({ 'a.lens': 'metadata: { name: A, version: 1.0.0 }\n' });
  const home = await world.makeFolder();
  const resources = join(import.meta.dirname, '../../../resources');
  const { resolver } = openResolver({
    ...{ root, home, resources, log: new Log(join(home, 'logs')) },
    files: () => Promise.resolve([]),
  });
  const desk = new LibraryDesk({ root, entries: () => [], resolver });
  const { skills, problems } = await desk.list();
  expect(problems).toEqual([]);
  const names = skills.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['list-files', 'check-links', 'summarize']));
  const detail = await desk.show('sunwell/common', 'find-todos');
  expect(detail).toMatchObject({
    ...{ id: 'sunwell/common:find-todos', source: 'builtin', languages: ['node'] },
    dependsOn: [{ id: 'sunwell/common:list-files', name: 'list-files' }],
    entry: { name: 'find-todos', scripts: [{ content: expect.stringContaining('TODO') as string }] },
    leftOut: [],
  });
  await expect(desk.show('sunwell/common', 'nothing')).rejects.toMatchObject({ code: 'graph.unknown-skill' });
  await expect(desk.show('fount://no-such@1.0.0', 'x')).rejects.toMatchObject({
    code: 'file.unreadable',
    message: expect.stringContaining('Cannot read "fount://no-such@1.0.0"') as string,
  });
});
