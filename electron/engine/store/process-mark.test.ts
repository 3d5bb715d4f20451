import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { describeMark, isMarkAlive, ownMark } from './process-mark.ts';

const elsewhere = ['--unshare-pid', '--dev-bind', '/', '/', '--proc', '/proc', '--die-with-parent'];
const hasNamespaces = spawnSync('bwrap', [...elsewhere, 'true']).status === 0;

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  const [own = '', machine = '', boot = '', namespace = ''] = ownMark().split('.');
  const other = '00000000';

  test('isMarkAlive() goes by the number of a process only where that number means something', () => {
    const ended = `${process.pid}-1`;
    const marks = {
      itself: ownMark(),
      'its name of earlier versions': own,
      'with something behind it': `${ownMark()}-x1`,
      'another of its number': `${ended}.${machine}.${boot}.${namespace}`,
      'another of its number, of earlier versions': ended,
      'in another namespace': `${ended}.${machine}.${boot}.${other}`,
      'on another machine': `${ended}.${other}.${other}.${namespace}`,
      'on a machine that says nothing of itself': `${ended}.0.${other}.${namespace}`,
      'no mark': 'garbage',
    };
    expect(Object.entries(marks).filter(([, mark]) => isMarkAlive(mark))).toEqual(
      Object.entries(marks).filter(([name]) =>
        [
          'itself',
          'its name of earlier versions',
          'with something behind it',
          'in another namespace',
          'on another machine',
          'on a machine that says nothing of itself',
        ].includes(name),
      ),
    );
  });

  test('what another container left counts as its own for as long as its sign is good', async () => {
    await using world = new DiskWorld();
    const path = join(await world.makeWorkspace({ lock: '' }), 'lock');
    const mark = `${process.pid}-1.${machine}.${boot}.${other}`;
    const alive = (): boolean[] => [
      isMarkAlive(mark, { path, goodForMs: 60_000 }),
      isMarkAlive(ownMark(), { path, goodForMs: 60_000 }),
      isMarkAlive(mark, { path: `${path}.gone`, goodForMs: 60_000 }),
    ];
    const fresh = alive();
    const long = new Date(Date.now() - 120_000);
    utimesSync(path, long, long);
    expect([fresh, alive()]).toEqual([
      [true, true, false],
      [false, true, false],
    ]);
  });

  test('a name stays short enough for a file', () => {
    expect(ownMark()).toMatch(/^\d+-\d+(\.[0-9a-f]{1,8}){3}$/);
  });

  test.skipIf(machine === '0')('a process of an earlier boot of this machine is dead', () => {
    expect(isMarkAlive(`${own}.${machine}.${other}.${namespace}`)).toBe(false);
  });

  test.skipIf(!hasNamespaces)('a process in another container counts as alive and is named so', async () => {
    const worker = fileURLToPath(new URL('testing/mark-worker.mjs', import.meta.url));
    const child = spawn('bwrap', [...elsewhere, process.execPath, worker], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [said] = (await once(child.stdout, 'data')) as [Buffer];
      const mark = said.toString().trim();
      expect([isMarkAlive(mark), describeMark(mark)]).toEqual([
        true,
        `process ${Number.parseInt(mark)} of another machine or container`,
      ]);
    } finally {
      child.kill();
    }
  });
});
