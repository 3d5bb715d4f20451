import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareLaunch } from '../bubblewrap.ts';
import { findBubblewrap } from '../find-bubblewrap.ts';
import { findInterpreter } from '../interpreters.ts';
import type { LaunchRequest } from '../launch.ts';
import { limitsFrom } from '../limits.ts';
import { runLaunch } from '../run-script.ts';
import { Sandbox } from '../sandbox.ts';
import { copyFile } from '../stage/copy.ts';
import { pythonPrelude } from './attack.ts';
import { inheritedAttack, runCareless } from './careless.ts';
import { AttackRig } from './rig.ts';

const isRoot = process.geteuid?.() === 0;
const limits = limitsFrom({ timeoutMs: 15_000 });

describe.runIf(process.platform === 'linux')('starting, rows 15, 24, 25, 52, 66, 67, 70 and 71', () => {
  let rig: AttackRig;
  let folder: string;
  beforeAll(async () => {
    rig = await AttackRig.open();
    folder = await mkdtemp(join(tmpdir(), 'sunwell-start-'));
    await chmod(folder, 0o755);
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('24, 25. a key file and the home folder left open in the studio are not open in the script', async () => {
    const request = requestFor(inheritedAttack.script);
    const stdout = await runCareless(rig, request);
    expect(stdout).toContain('attempted all');
    expect(stdout).not.toContain('ESCAPED');
    expect((await rig.runWithout(inheritedAttack)).escaped.length).toBeGreaterThanOrEqual(2);
  });

  test('23. the environment that bubblewrap itself was started with does not reach the script', async () => {
    const script = `attempt('key', lambda: os.environ['API_KEY'])\nattempt('all', lambda: b'CANARY' in read('/proc/2/environ'))`;
    const stdout = await runCareless(rig, requestFor(script));
    expect(stdout).toContain('attempted key');
    expect(stdout).not.toContain('ESCAPED');
  });

  test('15. a folder swapped for a link between listing and copying is left out', () => {
    const root = join(folder, 'swapped');
    const outside = join(folder, 'outside');
    mkdirSync(join(root, 'sub'), { recursive: true });
    mkdirSync(outside);
    writeFileSync(join(root, 'sub/a.txt'), 'harmless');
    // The very same file, so that its identity does not give the swap away.
    linkSync(join(root, 'sub/a.txt'), join(outside, 'a.txt'));
    const listed = lstatSync(join(root, 'sub/a.txt'));
    renameSync(join(root, 'sub'), join(root, 'was-sub'));
    symlinkSync(outside, join(root, 'sub'));
    const job = {
      root,
      path: 'sub/a.txt',
      listed,
      target: join(folder, 'copied'),
      identity: rig.world.identity,
    };
    expect(copyFile(job)).toBeUndefined();
    expect(existsSync(job.target)).toBe(false);
    expect(readFileSync(join(root, 'sub/a.txt'), 'utf8')).toBe('harmless');
  });

  test('15. a file swapped for a link, a pipe or another file is left out', () => {
    const root = join(folder, 'swapped-file');
    mkdirSync(root);
    writeFileSync(join(folder, 'key'), rig.world.secret);
    const swaps: ((path: string) => void)[] = [
      (path) => symlinkSync(join(folder, 'key'), path),
      (path) => void spawnSync('/usr/bin/mkfifo', [path]),
      (path) => linkSync(join(folder, 'key'), path),
    ];
    for (const [i, swap] of swaps.entries()) {
      const path = `file-${i}`;
      writeFileSync(join(root, path), 'harmless');
      const listed = lstatSync(join(root, path));
      renameSync(join(root, path), join(root, `${path}-was`));
      swap(join(root, path));
      const job = { root, path, listed, target: join(folder, `copied-${i}`), identity: rig.world.identity };
      expect(copyFile(job)).toBeUndefined();
    }
  });

  test('52. interpreters from writable folders, from the workspace or by a relative path are passed over', async () => {
    const hostile = join(folder, 'hostile');
    const inWorkspace = join(folder, 'workspace/bin');
    for (const place of [hostile, inWorkspace]) {
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'python3'), '#!/bin/sh\necho hostile\n', { mode: 0o755 });
    }
    await chmod(hostile, 0o777);
    const searchPath = ['bin', '.', hostile, inWorkspace].join(':');
    const workspaces = [join(folder, 'workspace')];
    const found = findInterpreter('python', { searchPath, identity: rig.world.identity, workspaces });
    expect(found.interpreter?.path.startsWith('/usr/')).toBe(true);
    expect(found.passedOver.map(({ path }) => path)).toEqual([
      join(hostile, 'python3'),
      join(inWorkspace, 'python3'),
    ]);
    const naive = spawnSync('/bin/sh', ['-c', 'command -v python3'], {
      env: { PATH: searchPath },
      encoding: 'utf8',
    });
    expect(naive.stdout.trim()).toBe(join(hostile, 'python3'));
  });

  test('71. a bubblewrap that is missing, too old, broken or writable for others is refused with the way out', async () => {
    const fake = async (name: string, script: string, owner = 0, mode = 0o755) => {
      const path = join(folder, name);
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      await chmod(path, mode);
      if (isRoot) await chown(path, owner, 0);
      return path;
    };
    const said = async (path: string) => {
      const found = await findBubblewrap([path]);
      return 'missing' in found ? found.missing : found.version;
    };
    expect(await said(join(folder, 'nowhere'))).toMatch(/not installed: install the package/);
    expect(await said(await fake('writable', 'echo bubblewrap 0.9.0', 0, 0o777))).toMatch(
      /can be changed by other users/,
    );
    expect(await said(await fake('of-another', 'echo bubblewrap 0.9.0', 1000))).toMatch(
      /can be changed by other users/,
    );
    if (!isRoot) return;
    expect(await said(await fake('old', 'echo bubblewrap 0.7.1'))).toMatch(/0\.7\.1 is too old/);
    expect(await said(await fake('mute', 'exit 1'))).toMatch(/does not say its version/);
    expect(await said(await fake('newer', 'echo bubblewrap 1.0.0'))).toBe('1.0.0');
  });

  test.runIf(isRoot)(
    '71. where user namespaces are off no script runs, and the report says what to do',
    async () => {
      const path = join(folder, 'no-namespaces');
      const marker = join(folder, 'was-run');
      const script = `#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.0 && exit\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n`;
      writeFileSync(path, script, { mode: 0o755 });
      using sandbox = new Sandbox({ folder: join(folder, 'own'), bubblewrapPlaces: [path] });
      const report = await sandbox.report();
      expect(report).toMatchObject({ available: false, version: '0.9.0', probes: [] });
      expect(report.problem).toMatch(/user namespaces: set kernel\.unprivileged_userns_clone=1/);
      const run = sandbox.run({
        script: { name: 'x.sh', language: 'bash', source: { content: `touch ${marker}` } },
        input: {},
      });
      await expect(run).rejects.toMatchObject({ code: 'sandbox.unavailable' });
      expect(existsSync(marker)).toBe(false);
    },
  );

  test.each<[string, (launch: LaunchRequest) => LaunchRequest]>([
    [
      'a folder to show is missing',
      (launch) => ({ ...launch, options: ['--ro-bind', '/nowhere', '/x', ...launch.options] }),
    ],
    [
      'the interpreter is missing',
      (launch) => ({
        ...launch,
        words: launch.words.map((word) => word.replace(/^.*python3.*$/, '/usr/bin/nothing')),
      }),
    ],
    ['the filter is damaged', (launch) => ({ ...launch, seccomp: Buffer.from('damaged!') })],
    ['bubblewrap is gone', (launch) => ({ ...launch, bwrap: '/nowhere/bwrap' })],
    [
      'user namespaces cannot be switched off',
      (launch) => ({ ...launch, options: launch.options.filter((word) => word !== '--disable-userns') }),
    ],
  ])('71. a start that fails because %s is no failed script', async (_why, breakIt) => {
    const launch = breakIt(requestFor(`open(files + '/ran', 'w')\nprint('attempted')`));
    await expect(runLaunch(launch, { limits })).rejects.toMatchObject({ code: 'sandbox.unavailable' });
  });

  test('71. a script that fails with the codes of a failed start is a failed script', async () => {
    for (const code of [1, 125, 126, 127]) {
      const outcome = await runLaunch(requestFor(`sys.exit(${code})`), { limits });
      expect(outcome.exitCode).toBe(code);
    }
  });

  test('66. killing the studio kills its scripts', async () => {
    const host = spawn(process.execPath, [join(import.meta.dirname, 'testdata/host.mjs'), rig.world.token], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => host.stdout.once('data', resolve));
    expect(rig.world.survivors().length).toBeGreaterThan(1);
    host.kill('SIGKILL');
    await expect.poll(() => rig.world.survivors(), { timeout: 5000 }).toEqual([]);
  });

  test('67. a worker thread cannot start a sandbox that would die with it', async () => {
    const host = spawn(
      process.execPath,
      [join(import.meta.dirname, 'testdata/host.mjs'), rig.world.token, 'worker'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    expect(await text(host.stdout)).toContain('can only be started from the main thread');
  });

  test('70. 300 runs, eight at a time, leave nothing behind', { timeout: 120_000 }, async () => {
    const left = () => ({
      descriptors: readdirSync('/proc/self/fd').length,
      mounts: readFileSync('/proc/self/mountinfo', 'utf8').split('\n').length,
      folders: readdirSync(rig.folder),
      zombies: zombiesOf(process.pid),
      survivors: rig.world.survivors(),
    });
    const runOne = (i: number) => runLaunch(requestFor(`print(${i})`, 'bash', `echo ${i}`), { limits });
    await Promise.all(Array.from({ length: 8 }, (_, i) => runOne(i)));
    const before = left();
    const queue = Array.from({ length: 300 }, (_, i) => i);
    const outputs: string[] = [];
    const worker = async () => {
      for (let i = queue.pop(); i !== undefined; i = queue.pop()) outputs[i] = (await runOne(i)).stdout;
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(outputs).toEqual(Array.from({ length: 300 }, (_, i) => `${i}\n`));
    // Sockets of a child are closed in the turn after it is gone.
    await expect.poll(left, { timeout: 5000 }).toEqual(before);
  });

  function requestFor(python: string, language: 'python' | 'bash' = 'python', bash = ''): LaunchRequest {
    const content = language === 'bash' ? bash : `${pythonPrelude}\n${python}`;
    const script = { name: 'x', language, source: { content }, args: [rig.world.facts] };
    return prepareLaunch(rig.bubblewrap, rig.interpreter(language), { script, input: {} }, limits);
  }
});

function zombiesOf(parent: number): number {
  const { stdout } = spawnSync('/usr/bin/ps', ['--ppid', String(parent), '-o', 'stat='], {
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((state) => state.startsWith('Z')).length;
}
