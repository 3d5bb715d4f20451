import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AttackRig } from '../attacks/rig.ts';
import { prepareLaunch } from '../bubblewrap.ts';
import { sandboxIdentity } from '../identity.ts';
import { keeperProgram } from '../keeper-program.ts';
import { Keepers } from '../keepers.ts';
import { limitsFrom, type Limits } from '../limits.ts';
import { openPrivateFolder } from '../private-folder.ts';
import { runLaunch, type ScriptOutcome } from '../run-script.ts';
import { Sandbox } from '../sandbox.ts';
import { ControlGroups, type Walls } from './control-groups.ts';
import { GroupRecords, groupPrefix } from './group-records.ts';
import { placeOfVersion1, placeOfVersion2, placesHere } from './own-groups.ts';
import { ownMark } from '../../store/process-mark.ts';

const [place] = process.platform === 'linux' ? placesHere() : [];
const owner = `${ownMark()}-test`;
const megabyte = 1024 * 1024;

const groupsLeft = (of = owner) =>
  place!.hierarchies.flatMap(({ folder }) =>
    readdirSync(folder).filter((name) => name.startsWith(groupPrefix(of))),
  );

describe.runIf(place)('ControlGroups of this machine', () => {
  let rig: AttackRig;
  beforeAll(async () => {
    rig = await AttackRig.open();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  const groups = new ControlGroups(place!, groupPrefix(owner));

  async function run(content: string, walls?: Walls, wanted: Partial<Limits> = {}): Promise<ScriptOutcome> {
    const limits = limitsFrom({ timeoutMs: 15_000, ...wanted });
    const script = { name: 'x', language: 'python' as const, source: { content } };
    const launch = prepareLaunch(rig.bubblewrap, rig.interpreter('python'), { script, input: {} }, limits);
    const makeGroup = walls && (() => groups.take(walls));
    return runLaunch({ ...launch, ...(makeGroup && { makeGroup }) }, { limits });
  }

  const hoard = (children: number) => `
import os, socket
for child in range(${children}):
    if os.fork() == 0:
        pairs = [socket.socketpair() for i in range(100)]
        for end in [end for pair in pairs for end in pair]:
            end.setblocking(False)
            try:
                while True: end.send(b'x' * 65536)
            except BlockingIOError: pass
        open('/tmp/full-%d' % child, 'w').close()
        os.read(0, 1); __import__('time').sleep(1); os._exit(0)
import time
for i in range(600):
    if len([n for n in os.listdir('/tmp') if n.startswith('full')]) == ${children}: print('ESCAPED'); break
    time.sleep(0.01)`;

  test('a script that hides memory in sockets is ended by the kernel, and only by it', async () => {
    const held = await run(hoard(5), { memoryBytes: 96 * megabyte, processes: 64 });
    expect(held).toMatchObject({ exitCode: undefined, limitsHit: ['memory'], artifacts: [] });
    expect(held.stdout).not.toContain('ESCAPED');
    expect(await run(hoard(5))).toMatchObject({ exitCode: 0, limitsHit: [], stdout: 'ESCAPED\n' });
  });

  test('a script that loses a process to the kernel is over, whatever it says itself', async () => {
    const script = `
import os
child = os.fork()
if child == 0: held = bytearray(b'x') * (200 << 20); os._exit(0)
print('child ended with', os.waitpid(child, 0)[1], flush=True)`;
    const outcome = await run(script, { memoryBytes: 96 * megabyte, processes: 64 });
    expect(outcome).toMatchObject({ exitCode: undefined, limitsHit: ['memory'] });
  });

  test('a script cannot start more processes than the group holds', async () => {
    const script = `
import os, time
made = 0
try:
    while made < 50:
        if os.fork() == 0: time.sleep(20); os._exit(0)
        made += 1
except BlockingIOError: pass
print(made)`;
    const walls = { memoryBytes: 512 * megabyte, processes: 20 };
    expect(Number((await run(script, walls)).stdout)).toBeLessThan(20);
    expect((await run(script)).stdout).toBe('50\n');
  });

  test('a script sees nothing of its group, and cannot leave it', async () => {
    const script = `
import os
print(sorted(set(line.strip().split(':', 2)[2] for line in open('/proc/self/cgroup'))))
print(os.path.exists('/sys/fs/cgroup'), 'cgroup' in open('/proc/self/mountinfo').read())`;
    const outcome = await run(script, { memoryBytes: 512 * megabyte, processes: 64 });
    expect(outcome.stdout).toBe("['/']\nFalse False\n");
  });

  test('a sandbox that cannot be put into its group does not start', async () => {
    const limits = limitsFrom({});
    const script = { name: 'x', language: 'bash' as const, source: { content: 'echo > $SUNWELL_FILES/ran' } };
    const launch = prepareLaunch(rig.bubblewrap, rig.interpreter('bash'), { script, input: {} }, limits);
    const refusing = () => {
      const group = groups.take({ memoryBytes: 512 * megabyte, processes: 64 });
      return { ...group, doors: [group.doors[0]!, '/proc/self/status'] };
    };
    await expect(runLaunch({ ...launch, makeGroup: refusing }, { limits })).rejects.toMatchObject({
      code: 'sandbox.unavailable',
      message: 'Cannot start the sandbox: the program that starts bubblewrap has ended',
    });
    const unmade = () => groups.take({ memoryBytes: -5, processes: 64 });
    await expect(runLaunch({ ...launch, makeGroup: unmade }, { limits })).rejects.toMatchObject({
      code: 'sandbox.unavailable',
    });
  });

  test('a script does nothing before every process of its sandbox is held', async () => {
    const limits = limitsFrom({});
    const script = { name: 'x', language: 'bash' as const, source: { content: 'echo started' } };
    const launch = prepareLaunch(rig.bubblewrap, rig.interpreter('bash'), { script, input: {} }, limits);
    const said: string[] = [];
    const door = join(rig.folder, 'slow-door');
    spawnSync('/usr/bin/mkfifo', [door]);
    const slow = () => {
      const group = groups.take({ memoryBytes: 512 * megabyte, processes: 64 });
      // Whoever opens it waits until somebody else does.
      return { ...group, doors: [...group.doors, door] };
    };
    const onOutput = (_stream: string, text: string) => void said.push(text);
    const ended = runLaunch({ ...launch, makeGroup: slow }, { limits, onOutput });
    await new Promise((resolve) => setTimeout(resolve, 100));
    said.push(`held by "${await readFile(door, 'latin1')}"`);
    await ended;
    expect(said).toEqual(['held by "0"', 'started\n']);
  });

  test('a group is used again, unless the kernel ended a process of it', async () => {
    const walls = { memoryBytes: 64 * megabyte, processes: 32 };
    const before = groupsLeft().length;
    using keepers = new Keepers({
      program: keeperProgram(),
      identity: sandboxIdentity(),
      folder: rig.folder,
      makeGroup: (wanted) => groups.take(wanted),
    });
    const run = (content: string): Promise<ScriptOutcome> => {
      const limits = limitsFrom({ timeoutMs: 15_000 });
      const script = { name: 'x', language: 'python' as const, source: { content } };
      const launch = prepareLaunch(rig.bubblewrap, rig.interpreter('python'), { script, input: {} }, limits);
      return runLaunch({ ...launch, keepers, walls }, { limits });
    };
    for (let i = 0; i < 3; i++) expect((await run(`print(${i})`)).stdout).toBe(`${i}\n`);
    expect(groupsLeft().length).toBe(before + place!.hierarchies.length);
    const hungry = `held = bytearray(b'x') * (200 << 20)`;
    for (let i = 0; i < 2; i++) expect((await run(hungry)).limitsHit).toEqual(['memory']);
    expect((await run('print(4)')).limitsHit).toEqual([]);
  });

  test('no group stays behind', async () => {
    groups[Symbol.dispose]();
    await expect.poll(() => groupsLeft(), { timeout: 5000 }).toEqual([]);
  });

  test('GroupRecords sweeps what a studio left that was killed, and leaves the living alone', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sunwell-records-'));
    const records = new GroupRecords(folder);
    const dead = '4194305-1-test';
    const made = (of: string) =>
      new ControlGroups(place!, groupPrefix(of)).take({ memoryBytes: 1e8, processes: 9 });
    for (const each of [dead, owner]) {
      records.note(each, place!);
      made(each);
    }
    new GroupRecords(folder).sweep();
    expect([readdirSync(folder), groupsLeft().length]).toEqual([[owner], place!.hierarchies.length]);
    expect(groupsLeft(dead)).toEqual([]);
    records.clear(owner);
    expect([readdirSync(folder), groupsLeft()]).toEqual([[], []]);
    rmSync(folder, { recursive: true });
  });

  test('66. the groups of a studio that was killed go with the next one that starts', async () => {
    const host = spawn(process.execPath, [join(import.meta.dirname, '../attacks/testdata/host.mjs'), 'x'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => host.stdout.once('data', resolve));
    const records = join(openPrivateFolder(sandboxIdentity()), 'groups');
    const of = readdirSync(records).find((name) => name.startsWith(`${host.pid}-`))!;
    const left = () => groupsLeft(of);
    expect(left().length).toBe(place!.hierarchies.length);
    host.kill('SIGKILL');
    await new Promise((resolve) => host.once('close', resolve));
    const sweep = () => {
      new Sandbox()[Symbol.dispose]();
      return left();
    };
    await expect.poll(sweep, { timeout: 5000 }).toEqual([]);
  });

  test('Sandbox proves the walls, says so, and uses them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sunwell-walls-'));
    chmodSync(folder, 0o755);
    using sandbox = new Sandbox({ folder });
    const { limits, notContained } = await sandbox.report();
    expect(limits).toEqual([
      expect.stringMatching(/^Memory: 512 MB .* at 720 MB the kernel ends it.* \(cgroup v\d\)$/),
      expect.stringMatching(/^Processes: 64, .* at 77 the kernel starts no more \(cgroup v\d\)$/),
    ]);
    expect(notContained.join()).not.toContain('sockets');
    expect(JSON.parse(readFileSync(join(folder, 'proven-groups.json'), 'utf8'))).toMatchObject({
      versions: [place!.version],
    });
    const outcome = await sandbox.run({
      script: { name: 'x', language: 'python', source: { content: hoard(10) } },
      input: {},
      limits: { memoryBytes: 128 * megabyte, artifactBytes: megabyte },
    });
    expect(outcome.limitsHit).toEqual(['memory']);
    expect(outcome.peakMemoryBytes).toBeLessThan(128 * megabyte);
    rmSync(folder, { recursive: true });
  });
});

describe('ControlGroups on paper', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sunwell-groups-'));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test.each([
    ['cgroup v1', placeOfVersion1],
    ['cgroup v2', placeOfVersion2],
  ] as const)('%s never takes a file of its own making for a wall', (_version, placeOf) => {
    const folder = mkdtempSync(join(root, 'plain-'));
    const paper = new ControlGroups(placeOf(folder, folder), 'x');
    expect(() => paper.take({ memoryBytes: 1, processes: 1 })).toThrow(/ENOENT|EEXIST/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('cgroup v2 writes memory, swap and processes into one group', () => {
    const settings = placeOfVersion2('/x').hierarchies[0]!.settings({ memoryBytes: 5, processes: 7 });
    expect(settings).toEqual([
      { file: 'memory.max', value: 5 },
      { file: 'memory.swap.max', value: 0, isOptional: true },
      { file: 'pids.max', value: 7 },
    ]);
  });
});
