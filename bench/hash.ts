import { hash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sandboxIdentity } from '#engine/sandbox/identity.ts';
import { StageStore } from '#engine/sandbox/stage/stage-store.ts';
import { compare } from './lib/compare.ts';

const fileCount = 10_000;

function writeFiles(root: string): void {
  for (let i = 0; i < fileCount; i++) {
    const folder = join(root, 'src', `part-${Math.floor(i / 1000)}`, `folder-${Math.floor(i / 100)}`);
    if (i % 100 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${i}.ts`), `export const value${i} = ${i};\n`.repeat(20 + (i % 150)));
  }
  writeFileSync(join(root, '.gitignore'), 'node_modules\n*.log\ndist/\n');
}

function listFiles(folder: string, found: string[] = []): string[] {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) listFiles(path, found);
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

const buffer = Buffer.allocUnsafe(1024 * 1024);

function hashReused(root: string): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const path of listFiles(root)) {
    const fd = openSync(path, 'r');
    const length = readSync(fd, buffer);
    closeSync(fd);
    hashes.set(path, hash('sha256', buffer.subarray(0, length)));
  }
  return hashes;
}

/** The same, with what has to be known of a file so that it need not be read again. */
function hashAndStat(root: string): Map<string, readonly [string, Stats]> {
  const hashes = new Map<string, readonly [string, Stats]>();
  for (const path of listFiles(root)) {
    const fd = openSync(path, 'r');
    const stats = fstatSync(fd);
    const length = readSync(fd, buffer);
    closeSync(fd);
    hashes.set(path, [hash('sha256', buffer.subarray(0, length)), stats]);
  }
  return hashes;
}

function hashReadFile(root: string): Map<string, string> {
  return new Map(listFiles(root).map((path) => [path, hash('sha256', readFileSync(path))]));
}

function statCache(root: string, known: ReadonlyMap<string, Stats>): number {
  let same = 0;
  for (const path of listFiles(root)) {
    const { size, mtimeMs, ctimeMs, ino } = lstatSync(path);
    const before = known.get(path);
    if (
      before?.size === size &&
      before.mtimeMs === mtimeMs &&
      before.ctimeMs === ctimeMs &&
      before.ino === ino
    )
      same++;
  }
  return same;
}

/** Hashing what scripts may see of a large workspace: the first time, and again when nothing changed. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-'));
  try {
    const root = join(folder, 'workspace');
    writeFiles(root);
    const known = new Map(listFiles(root).map((path) => [path, lstatSync(path)]));
    // Files that were just written are read again, because another change could look the same.
    await setTimeout(100);
    const identity = sandboxIdentity();
    let stores = 0;
    const fresh = () => new StageStore(join(folder, `store-${stores++}`), identity);
    const kept = join(folder, 'kept');
    mkdirSync(kept);
    const resident = new StageStore(kept, identity);
    await resident.hash(root);
    await compare({
      title: `Hash a workspace of ${fileCount} files`,
      limit: 'reused buffer + sha256',
      prepare: fresh,
      contenders: [
        { name: 'reused buffer + sha256', work: () => hashReused(root) },
        { name: 'reused buffer + stat + sha256', work: () => hashAndStat(root) },
        { name: 'readFile + sha256', work: () => hashReadFile(root) },
        {
          name: 'git hash-object',
          work: () =>
            execFileSync('git', ['hash-object', '--stdin-paths'], {
              input: listFiles(root).join('\n'),
              maxBuffer: 2 ** 26,
            }),
        },
        { name: 'sunwell, first', work: (store) => store.hash(root) },
      ],
    });
    await compare({
      title: `Hash an unchanged workspace of ${fileCount} files`,
      limit: 'stat cache in memory',
      prepare: () => undefined,
      contenders: [
        { name: 'stat cache in memory', work: () => statCache(root, known) },
        { name: 'sunwell, resident', work: () => resident.hash(root) },
        {
          name: 'sunwell, index read from disk',
          work: () => new StageStore(kept, identity).hash(root),
        },
      ],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
