import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wallsAbove, type ControlGroup } from './cgroup/control-groups.ts';
import { sandboxIdentity } from './identity.ts';
import { encodeFrame } from './keeper-frames.ts';
import { keeperProgram } from './keeper-program.ts';
import { descriptors } from './keeper.ts';
import { Keepers } from './keepers.ts';
import { defaultLimits } from './limits.ts';
import { Sandbox } from './sandbox.ts';
import { filterFor } from './seccomp/filter.ts';

const walls = wallsAbove(defaultLimits);
const program = keeperProgram();

describe.runIf(process.platform === 'linux')('Keepers', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sunwell-keepers-'));
    chmodSync(folder, 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Groups that only count, because what is held is for the tests of groups. */
  function keepersWithGroups(): { keepers: Keepers; groups: { made: number; released: number } } {
    const groups = { made: 0, released: 0 };
    const makeGroup = (): ControlGroup => {
      groups.made++;
      return {
        doors: [],
        isOutOfMemory: () => false,
        release: () => void groups.released++,
      };
    };
    return { keepers: new Keepers({ program, identity: sandboxIdentity(), folder, makeGroup }), groups };
  }

  const childrenOf = (task: string) =>
    readFileSync(`/proc/${task}/children`, 'latin1')
      .split(' ')
      .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/comm`, 'latin1').startsWith('keeper'))
      .map(Number);
  const running = () =>
    childrenOf('thread-self').flatMap((pid) => [pid, ...childrenOf(`${pid}/task/${pid}`)]);

  test('hands out one keeper after another for the same walls, and another for others', async () => {
    const { keepers, groups } = keepersWithGroups();
    const first = await keepers.take(walls);
    keepers.give(first, walls);
    expect(await keepers.take(walls)).toBe(first);
    keepers.give(first, walls);
    expect(await keepers.take({ ...walls, processes: walls.processes - 1 })).not.toBe(first);
    expect(await keepers.take({ ...walls, memoryBytes: walls.memoryBytes + 1 })).not.toBe(first);
    expect(groups.made).toBe(3);
    keepers[Symbol.dispose]();
  });

  test('has some ready when they were asked for', async () => {
    const { keepers, groups } = keepersWithGroups();
    keepers.prepare(walls, 2);
    await Promise.all([keepers.take(walls), keepers.take(walls)]);
    expect(groups.made).toBe(2);
    keepers[Symbol.dispose]();
  });

  test('does not hand out one that has ended', async () => {
    const { keepers, groups } = keepersWithGroups();
    await expect.poll(running).toEqual([]);
    const first = await keepers.take(walls);
    keepers.give(first, walls);
    process.kill(running()[1]!, 'SIGKILL');
    await expect.poll(() => groups.released).toBe(1);
    expect(await keepers.take(walls)).not.toBe(first);
    keepers[Symbol.dispose]();
  });

  test('leaves no process, descriptor or group when it is disposed of', async () => {
    const descriptors = () => readdirSync('/proc/self/fd').length;
    await expect.poll(running).toEqual([]);
    const before = descriptors();
    const { keepers, groups } = keepersWithGroups();
    const busy = await keepers.take(walls);
    keepers.prepare(walls, 2);
    const hearer = { first: () => undefined, sent: () => undefined, printed: () => undefined };
    const ended = busy.run(
      {
        ...{ bwrap: '/usr/bin/sleep', command: [], options: [], words: [] },
        ...{ seccomp: Buffer.alloc(0), placed: [] },
      },
      hearer,
    );
    keepers[Symbol.dispose]();
    keepers.prepare(walls, 2);
    await ended;
    await expect.poll(() => groups, { timeout: 5000 }).toEqual({ made: 3, released: 3 });
    await expect.poll(running, { timeout: 5000 }).toEqual([]);
    await expect.poll(descriptors, { timeout: 5000 }).toBe(before);
  });

  test('keepers that were started together start sandboxes at the same moment', async () => {
    using sandbox = new Sandbox({ folder: join(folder, 'together') });
    const script = { name: 'x', language: 'bash' as const, source: { content: 'echo $PWD' } };
    await sandbox.report();
    for (let i = 0; i < 20; i++) {
      await sandbox.prepare();
      const both = await Promise.all([1, 2].map(() => sandbox.run({ script, input: {} })));
      expect(both.map(({ stdout }) => stdout)).toEqual(['/workspace\n', '/workspace\n']);
    }
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

  describe('the program', () => {
    const start = (uid: number, gid = uid) =>
      spawn(program, ['keeper', String(uid), String(gid), folder, '1'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      });
    const { uid, gid } = sandboxIdentity();

    test('never runs as root, nor as another user than it was told', async () => {
      expect(await once(start(0), 'exit')).toEqual([1, null]);
      if (process.geteuid?.() !== 0) expect(await once(start(uid + 1), 'exit')).toEqual([1, null]);
    });

    test('gives up every right of root', async () => {
      const child = start(uid, gid);
      const status = () => readFileSync(`/proc/${child.pid}/status`, 'latin1');
      await expect.poll(status).toMatch(`Uid:\t${Array(4).fill(uid).join('\t')}\n`);
      expect(status()).toMatch(/CapPrm:\t0+\nCapEff:\t0+\n/);
      if (process.geteuid?.() === 0) expect(status()).toMatch(/Groups:\t *\n/);
      child.stdio[3]!.destroy();
      expect(await once(child, 'exit')).toEqual([0, null]);
    });

    test.runIf(process.geteuid?.() === 0)('starts a script also for a user of very many groups', async () => {
      const identity = sandboxIdentity();
      const own = mkdtempSync(join(folder, 'groups-'));
      chownSync(own, identity.uid, identity.gid);
      const groups = Array.from({ length: 2000 }, (_, i) => 100_000 + i).join();
      const user = `--reuid=${identity.uid} --regid=${identity.gid} --groups=${groups}`;
      const wrapper = join(own, 'wrapper');
      writeFileSync(wrapper, `#!/bin/sh\nexec /usr/bin/setpriv ${user} -- ${program} "$@"\n`, {
        mode: 0o755,
      });
      using keepers = new Keepers({ program: wrapper, identity, folder: own });
      const keeper = await keepers.take(walls);
      const fds = [descriptors.status, descriptors.filter].map(String);
      const options = [
        ...['--die-with-parent', '--unshare-user', '--ro-bind', '/', '/'],
        ...['--json-status-fd', fds[0]!, '--seccomp', fds[1]!],
      ];
      const command = ['/usr/bin/bash', '-c', 'echo hello >&3; read -r count <&3; echo told $count'];
      const start = { bwrap: '/usr/bin/bwrap', command, options, words: ['a', 'b'] };
      let said = '';
      const printed = (_: string, bytes: Buffer) => void (said += bytes.toString());
      const hearer = { first: () => undefined, sent: () => undefined, printed };
      const end = await keeper.run({ ...start, seccomp: filterFor(process.arch)!, placed: [] }, hearer);
      expect({ said, ...end }).toEqual({ said: 'told 2\n', exitCode: 0 });
    });

    test('ends at what it does not understand', async () => {
      const frames = [
        encodeFrame('S', []),
        encodeFrame('S', [Buffer.from('/usr/bin/true\0')]),
        encodeFrame('S', Array<Buffer>(8).fill(Buffer.alloc(0))),
        Buffer.from([4, 0, 0, 0, 'S'.charCodeAt(0), 255, 255, 255, 255]),
        Buffer.from([255, 255, 255, 255, 'S'.charCodeAt(0)]),
        Buffer.from([0, 0, 0, 0, 'X'.charCodeAt(0)]),
      ];
      for (const frame of frames) {
        const child = start(uid, gid);
        (child.stdio[3] as Socket).on('error', () => undefined).write(frame);
        expect(await once(child, 'exit')).toEqual([1, null]);
      }
    });
  });
});

test('a program that cannot be started is told', async () => {
  using keepers = new Keepers({ program: '/nowhere', identity: sandboxIdentity(), folder: tmpdir() });
  keepers.prepare(walls, 1);
  await expect(keepers.take(walls)).rejects.toThrow(/ENOENT/);
});
