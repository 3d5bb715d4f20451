import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { digestOf } from '../../store/digest.ts';
import { bootId } from '../boot-id.ts';
import { handOverMode, type Identity } from '../identity.ts';
import { handOver } from '../private-folder.ts';

/** One of a skill's own files, as it was read and hashed when trust was decided. */
export interface SkillFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly isExecutable?: boolean;
}

const maxKept = 1000;
/** Longer than any script can run. */
const unusedMs = 60 * 60 * 1000;

/**
 * The folder for skills' files below `parent`, kept for later processes. Only until the machine restarts: nothing here is
 * forced to the disk, and after a power cut a file may be empty. Undefined where nobody can tell.
 */
export function openSkillFolder(parent: string, identity: Identity, boot = bootId()): string | undefined {
  if (boot === undefined) return undefined;
  const all = handOver(makeFolder(join(parent, 'skills')), identity);
  const name = digestOf(boot).slice(0, 16);
  for (const other of readdirSync(all)) {
    if (other !== name) rmSync(join(all, other), { recursive: true, force: true });
  }
  const folder = handOver(makeFolder(join(all, name)), identity);
  if (isSweepDue(join(parent, 'skills-swept'))) {
    const kept = readdirSync(folder);
    if (kept.length > maxKept) for (const skill of kept) dropUnused(join(folder, skill));
  }
  return folder;
}

/** Once in as long as something must be unused to be dropped: looking at a thousand folders takes longer than a start. */
function isSweepDue(stamp: string): boolean {
  const now = Date.now();
  const { mtimeMs = 0 } = statSync(stamp, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs > now - unusedMs && mtimeMs <= now) return false;
  writeFileSync(stamp, '', { mode: 0o600 });
  return true;
}

function dropUnused(path: string): void {
  const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs < Date.now() - unusedMs) rmSync(path, { recursive: true, force: true });
}

/** Writes a skill's files below `parent` and returns their folder; the same files are written once. */
export function stageSkill(parent: string, files: readonly SkillFile[], identity: Identity): string {
  const hash = createHash('sha256');
  for (const { path, content, isExecutable = false } of files) {
    hash.update(JSON.stringify([path, content.length, isExecutable])).update(content);
  }
  const folder = join(parent, `skill-${hash.digest('hex')}`);
  if (isStaged(folder)) return folder;
  const making = handOver(makeFolder(join(parent, `making-${randomBytes(8).toString('hex')}`)), identity);
  try {
    for (const file of files) placeFile(making, file, identity);
    renameSync(making, folder);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Another process staged the same files meanwhile.
    if (!isStaged(folder)) throw error;
  }
  return folder;
}

/** Says that it is used now, so that nobody drops it. */
function isStaged(folder: string): boolean {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

/** Writes one file below a folder, readable for the user of the sandbox and for nobody else. */
export function placeFile(
  folder: string,
  { path, content, isExecutable = false }: SkillFile,
  identity: Identity,
): void {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0'))) {
    throw new StudioError(
      'script.not-in-skill',
      `Cannot stage ${JSON.stringify(path)}: it is not a path within the skill`,
    );
  }
  for (let depth = 1; depth < parts.length; depth++) {
    handOver(makeFolder(join(folder, ...parts.slice(0, depth))), identity);
  }
  const target = join(folder, ...parts);
  writeFileSync(target, content, { flag: 'wx', mode: 0o600 });
  if (identity.isDropped) chownSync(target, 0, identity.gid);
  chmodSync(target, handOverMode(identity, isExecutable));
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
