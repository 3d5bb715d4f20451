import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Sandbox } from '#engine/sandbox/sandbox.ts';
import { sandboxIdentity, type Identity } from '#engine/sandbox/identity.ts';
import { StageStore } from '#engine/sandbox/stage/stage-store.ts';
import { compare } from './lib/compare.ts';

const manyScripts = 60;

/** Starting a script against starting one without a wall, and staging against the least that could be read. */
export async function run(): Promise<void> {
  await compareStart();
  await compareStaging(10_000);
}

async function compareStart(): Promise<void> {
  const identity = sandboxIdentity();
  const sandbox = new Sandbox();
  const report = await sandbox.report();
  if (!report.available) throw new Error(report.problem);
  const workspace = await mkWorkspace(20);
  const snapshot = await sandbox.snapshot(workspace);
  const { folder } = await snapshot.view();
  const ours = (content: string) => () =>
    sandbox.run({
      script: { name: 'x.sh', language: 'bash', source: { content } },
      input: {},
      workspace: folder,
    });
  const plain = [
    '--unshare-all',
    '--die-with-parent',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
  ];
  const hardened = report.argv.slice(1, report.argv.indexOf('--chdir')).filter(isWithoutDescriptor);
  await compare({
    title: 'Start a bash script that does nothing',
    limit: 'plain bwrap',
    repetitions: 41,
    prepare: () => undefined,
    contenders: [
      { name: 'bare spawn', work: () => ended(['/usr/bin/bash', '-c', ':'], identity) },
      {
        name: 'plain bwrap',
        work: () => ended(['/usr/bin/bwrap', ...plain, '/usr/bin/bash', '-c', ':'], identity),
      },
      {
        name: 'the same mounts, no init, no filter',
        work: () => ended(['/usr/bin/bwrap', ...hardened, '/usr/bin/bash', '-c', ':'], identity),
      },
      { name: 'ours', work: ours(':') },
      { name: 'ours, with one artifact', work: ours('echo > $SUNWELL_FILES/a') },
    ],
  });
  // What no task runner on this sandbox can be quicker than, however little else it does.
  await compare({
    title: `Run ${manyScripts} scripts that print a line, ${availableParallelism()} at once`,
    limit: 'plain bwrap',
    prepare: () => undefined,
    contenders: [
      {
        name: 'plain bwrap',
        work: () => many(() => ended(['/usr/bin/bwrap', ...plain, '/usr/bin/sh', '-c', 'echo x'], identity)),
      },
      {
        name: 'the same mounts, no init, no filter',
        work: () =>
          many(() => ended(['/usr/bin/bwrap', ...hardened, '/usr/bin/bash', '-c', 'echo x'], identity)),
      },
      { name: 'ours', work: () => many(ours('echo x')) },
    ],
  });
  snapshot[Symbol.dispose]();
  sandbox[Symbol.dispose]();
  rmSync(workspace, { recursive: true });
}

async function many(work: () => Promise<unknown>): Promise<void> {
  let left = manyScripts;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
}

/** Options that need neither a descriptor nor a folder of the probe. */
function isWithoutDescriptor(word: string, i: number, words: readonly string[]): boolean {
  const near = words.slice(Math.max(0, i - 2), i + 1);
  if (near.includes('--file') || near.slice(-2).includes('--perms')) return false;
  return word !== '/out/files' && words[i + 1] !== '/out/files';
}

function ended([program = '', ...args]: readonly string[], identity: Identity): Promise<void> {
  const { uid, gid, isDropped } = identity;
  const child = spawn(program, args, {
    env: {},
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isDropped && { uid, gid }),
  });
  child.stderr.setEncoding('utf8');
  let said = '';
  child.stderr.on('data', (text: string) => (said += text));
  return new Promise((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(said))));
  });
}

async function compareStaging(count: number): Promise<void> {
  const workspace = await mkWorkspace(count);
  const parents: string[] = [];
  const makeStore = () => {
    parents.push(mkdtempSync('/var/tmp/sunwell-bench-'));
    return new StageStore(parents.at(-1)!, sandboxIdentity());
  };
  const known = makeStore();
  const folder = parents[0]!;
  const touched = makeStore();
  (await known.snapshot(workspace))[Symbol.dispose]();
  (await touched.snapshot(workspace))[Symbol.dispose]();
  const stage = async (store: StageStore) => (await store.snapshot(workspace))[Symbol.dispose]();
  let change = 0;
  await compare({
    title: `Stage a workspace of ${count.toLocaleString('en')} files`,
    limit: 'first time',
    repetitions: 7,
    prepare: () => {
      // Removed untimed, so that the disk does not fill up with the trees of earlier rounds.
      for (const parent of parents.splice(2)) rmSync(parent, { recursive: true, force: true });
      return makeStore();
    },
    contenders: [
      { name: 'limit: stat every file', work: () => statAll(workspace) },
      { name: 'limit: read and hash, reused buffer', work: () => hashAll(workspace) },
      { name: 'first time', work: stage },
      { name: 'unchanged, same process', work: () => stage(known) },
      { name: 'unchanged, new process', work: () => stage(new StageStore(folder, sandboxIdentity())) },
      {
        name: 'one file changed',
        work: () => {
          writeFileSync(join(workspace, 'folder-0/file-0.txt'), String(change++));
          return stage(touched);
        },
      },
    ],
  });
  for (const parent of [...parents, workspace]) rmSync(parent, { recursive: true, force: true });
}

async function mkWorkspace(count: number): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'sunwell-bench-'));
  for (let i = 0; i < count; i++) {
    const path = join(root, `folder-${i % 100}/file-${i}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${i}\n`.repeat(400));
  }
  // Files younger than a tick of the clock are read again, as they must be.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return root;
}

function* filesOf(root: string): Generator<string> {
  for (const folder of readdirSync(root))
    for (const name of readdirSync(join(root, folder))) yield join(root, folder, name);
}

function statAll(root: string): number {
  let bytes = 0;
  for (const path of filesOf(root)) bytes += lstatSync(path).size;
  return bytes;
}

const buffer = Buffer.allocUnsafe(1 << 20);

function hashAll(root: string): string[] {
  return [...filesOf(root)].map((path) => {
    const fd = openSync(path, 'r');
    const length = readSync(fd, buffer);
    closeSync(fd);
    return createHash('sha256').update(buffer.subarray(0, length)).digest('hex');
  });
}
