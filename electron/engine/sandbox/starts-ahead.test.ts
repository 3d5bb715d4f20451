import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wallsAbove, type ControlGroup } from './cgroup/control-groups.ts';
import { sandboxIdentity } from './identity.ts';
import { initCommand } from './init.ts';
import { defaultLimits } from './limits.ts';
import { PipePool } from './pipes.ts';
import { Sandbox } from './sandbox.ts';
import { StartsAhead } from './starts-ahead.ts';
import { giveUp, type WaitingStart } from './waiting-start.ts';

const walls = wallsAbove(defaultLimits);

describe.runIf(process.platform === 'linux')('StartsAhead', () => {
  let folder: string;
  let pipes: PipePool;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sunwell-ahead-'));
    chmodSync(folder, 0o755);
    pipes = new PipePool(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Groups that only count, because what is held is for the tests of groups. */
  function startsAhead(): { starts: StartsAhead; groups: { made: number; removed: number } } {
    const groups = { made: 0, removed: 0 };
    const makeGroup = (): ControlGroup => {
      groups.made++;
      return {
        add: () => Promise.resolve(),
        isOutOfMemory: () => false,
        release: () => void groups.removed++,
      };
    };
    const parts = { bwrap: '/usr/bin/bwrap', identity: sandboxIdentity(), pipes, command: initCommand };
    return { starts: new StartsAhead({ ...parts, walls, makeGroup }), groups };
  }

  async function taken(starts: StartsAhead): Promise<WaitingStart> {
    let start: WaitingStart | undefined;
    await expect.poll(() => (start ??= starts.take(walls))).toBeDefined();
    return start!;
  }

  test('hands out a bubblewrap that has built nothing, once', async () => {
    const { starts } = startsAhead();
    expect(starts.take(walls)).toBeUndefined();
    starts.prepare();
    const start = await taken(starts);
    const namespaceOf = (pid: number | string) => readFileSync(`/proc/${pid}/mountinfo`, 'utf8');
    expect(namespaceOf(start.child.pid!)).toBe(namespaceOf('self'));
    expect(readFileSync(`/proc/${start.child.pid}/task/${start.child.pid}/children`, 'utf8')).toBe('');
    giveUp(start);
    starts[Symbol.dispose]();
  });

  test('does not hand out one whose walls are others', async () => {
    const { starts } = startsAhead();
    starts.prepare();
    expect(starts.take({ ...walls, memoryBytes: walls.memoryBytes + 1 })).toBeUndefined();
    expect(starts.take({ ...walls, processes: walls.processes - 1 })).toBeUndefined();
    giveUp(await taken(starts));
    starts[Symbol.dispose]();
  });

  test('does not hand out one that ended while it waited', async () => {
    const { starts, groups } = startsAhead();
    const isOurs = (pid: string): boolean => readFileSync(`/proc/${pid}/comm`, 'latin1') === 'bwrap\n';
    const children = () =>
      readFileSync('/proc/thread-self/children', 'latin1').split(' ').filter(Boolean).filter(isOurs);
    // Those of the tests before.
    await expect.poll(children).toEqual([]);
    starts.prepare();
    await expect.poll(children).toHaveLength(1);
    process.kill(Number(children()[0]), 'SIGKILL');
    await expect.poll(children).toEqual([]);
    expect(starts.take(walls)).toBeUndefined();
    expect(groups).toEqual({ made: 1, removed: 1 });
    starts[Symbol.dispose]();
  });

  test('leaves no process, descriptor or group when it is disposed of', async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length;
    const before = descriptors();
    const { starts, groups } = startsAhead();
    starts.prepare();
    await expect.poll(descriptors).toBeGreaterThan(before);
    starts[Symbol.dispose]();
    starts.prepare();
    await expect.poll(() => groups, { timeout: 5000 }).toEqual({ made: 1, removed: 1 });
    await expect.poll(descriptors, { timeout: 5000 }).toBe(before);
  });

  test('many scripts one after another and at once each get a sandbox of their own', async () => {
    using sandbox = new Sandbox({ folder: join(folder, 'own') });
    const run = async (i: number): Promise<string> => {
      const content = `echo ${i}; [[ -e /tmp/seen ]] && echo again; : > /tmp/seen`;
      const script = { name: 'x', language: 'bash' as const, source: { content } };
      const limits = i % 3 === 0 ? { memoryBytes: 256 * 1024 * 1024 } : {};
      return (await sandbox.run({ script, input: {}, limits })).stdout;
    };
    for (let i = 0; i < 6; i++) expect(await run(i)).toBe(`${i}\n`);
    const many = Array.from({ length: 12 }, (_, i) => i);
    expect(await Promise.all(many.map(run))).toEqual(many.map((i) => `${i}\n`));
  });
});
