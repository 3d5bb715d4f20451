import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SkillMountError } from './skill-errors.ts';
import { digestOf } from '../store/digest.ts';
import { keptMode, skillLimits } from './skill-tree.ts';
import type { SkillTree } from './skill-tree.ts';

/** A skill under the name of the folder it shall have. */
export interface NamedTree {
  readonly name: string;
  readonly tree: SkillTree;
}

export type FileOperation = 'new' | 'changed' | 'same';

/** One file as a preview shows it; the path starts with the skill's folder. */
export interface PlannedFile {
  readonly path: string;
  readonly operation: FileOperation;
  readonly size: number;
  readonly isExecutable: boolean;
}

/** What writing skills into a folder will do, down to the byte; it is carried out as it is or not at all. */
export interface WritePlan {
  /** The folder that gets a folder for each skill. */
  readonly folder: string;
  readonly writes: readonly PlannedWrite[];
  readonly emptyFolders: readonly string[];
}

interface PlannedWrite extends PlannedFile {
  readonly skill: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
  /** What is there now: undefined for nothing. */
  readonly before: Before | undefined;
}

interface Before {
  readonly hash: string;
  readonly mode: number;
  readonly bytes: Uint8Array;
}

/** Compares skills with what is in a folder. Refuses a folder in which one of them would go through a link. */
export async function planWrite(folder: string, skills: readonly NamedTree[]): Promise<WritePlan> {
  const writes: PlannedWrite[] = [];
  const emptyFolders: string[] = [];
  for (const { name, tree } of skills) {
    await refuseLink(folder, name, name);
    const checked = new Set<string>();
    // SKILL.md is written last: without it nobody takes what a killed process left for a skill.
    const ordered = [...tree.files.filter(isNotSkillMd), ...tree.files.filter((file) => !isNotSkillMd(file))];
    for (const { path, bytes, mode } of ordered) {
      await refuseLinks(folder, `${name}/${path}`, name, checked);
      const before = await current(join(folder, name, path), name);
      const isSame = before?.hash === digestOf(bytes) && before.mode === mode;
      writes.push({
        skill: name,
        path: `${name}/${path}`,
        operation: before === undefined ? 'new' : isSame ? 'same' : 'changed',
        size: bytes.length,
        isExecutable: (mode & 0o100) !== 0,
        bytes,
        mode,
        before,
      });
    }
    emptyFolders.push(...tree.emptyFolders.map((path) => `${name}/${path}`));
  }
  return { folder, writes, emptyFolders };
}

/** The plan without the bytes, for people and for other processes. */
export function previewOf({ writes }: WritePlan): PlannedFile[] {
  return writes.map(({ path, operation, size, isExecutable }) => ({ path, operation, size, isExecutable }));
}

/** Carries out a plan. Where anything fails, or the folder is no longer as it was planned on, all is as it was before. */
export async function executeWrite(plan: WritePlan): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  let skill = plan.writes[0]?.skill ?? '';
  try {
    for (const folder of plan.emptyFolders) await makeFolder(join(plan.folder, folder), undo);
    for (const write of plan.writes) {
      ({ skill } = write);
      await checkUnchanged(plan.folder, write);
      if (write.operation !== 'same') await writeOne(plan.folder, write, undo);
    }
  } catch (error) {
    const left = await undone(undo);
    if (left.length === 0 && error instanceof SkillMountError) throw error;
    const why = [(error as Error).message, ...left].join('; ');
    throw new SkillMountError('io', `Failed to copy skill "${skill}": ${why}`, { skill });
  }
}

/** Takes back what was done, as far as it goes; says what could not be taken back. */
async function undone(steps: readonly (() => Promise<void>)[]): Promise<string[]> {
  const left: string[] = [];
  for (const step of steps.toReversed()) {
    await step().catch((error: Error) => left.push(`cannot clean up: ${error.message}`));
  }
  return left;
}

async function writeOne(
  folder: string,
  { path, bytes, mode, before }: PlannedWrite,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const target = join(folder, path);
  await makeFolder(dirname(target), undo);
  undo.push(before ? () => put(target, before.bytes, before.mode) : () => rm(target, { force: true }));
  await put(target, bytes, mode);
}

/** A reader sees the old file or the new one, never half of it; a link in its place is replaced, not followed. */
async function put(target: string, bytes: Uint8Array, mode: number): Promise<void> {
  const aside = `${target}.sunwell-${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(aside, bytes, { flag: 'wx', mode: 0o600 });
    await chmod(aside, mode);
    await rename(aside, target);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

async function makeFolder(path: string, undo: (() => Promise<void>)[]): Promise<void> {
  const made = await mkdir(path, { recursive: true });
  if (made === undefined) return;
  const folders = [path];
  while (folders[0] !== made) folders.unshift(dirname(folders[0]!));
  // Undone from the last to the first: the deepest goes before those around it.
  undo.push(...folders.map((folder) => () => rmdir(folder)));
}

async function checkUnchanged(folder: string, { skill, path, before }: PlannedWrite): Promise<void> {
  const now = await current(join(folder, path), skill);
  if (now?.hash === before?.hash && now?.mode === before?.mode) return;
  const message = `Cannot write "${path}": it changed since the preview, which is no longer true; look again`;
  throw new SkillMountError('changed', message, { skill, path });
}

async function current(path: string, skill: string): Promise<Before | undefined> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new SkillMountError('io', `Failed to copy skill "${skill}": ${error.message}`, { skill });
  });
  if (found === undefined) return undefined;
  if (!found.isFile()) {
    const message = `Cannot write "${path}": something that is no file is there; remove it first`;
    throw new SkillMountError('unsafe', message, { skill });
  }
  // It is kept in memory until the plan is carried out, to be put back if that fails.
  if (found.size > skillLimits.bytes) {
    const message = `Cannot write "${path}": a file larger than any of a skill is there; remove it first`;
    throw new SkillMountError('too_large', message, { skill });
  }
  const bytes = await readFile(path);
  return { bytes, hash: digestOf(bytes), mode: found.mode & keptMode };
}

async function refuseLinks(folder: string, path: string, skill: string, checked: Set<string>): Promise<void> {
  const parts = path.split('/').slice(0, -1);
  for (let length = 2; length <= parts.length; length++) {
    const inside = parts.slice(0, length).join('/');
    if (checked.has(inside)) continue;
    checked.add(inside);
    await refuseLink(folder, inside, skill);
  }
}

/** Another installer's link leads to a copy that several agents share: writing through it would change them all. */
async function refuseLink(folder: string, inside: string, skill: string): Promise<void> {
  const found = await lstat(join(folder, inside)).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return;
  const what = found.isSymbolicLink() ? 'a link' : 'no folder';
  const message = `Cannot write skill "${skill}": "${join(folder, inside)}" is ${what}; remove it first`;
  throw new SkillMountError('unsafe', message, { skill });
}

function isNotSkillMd({ path }: { readonly path: string }): boolean {
  return path !== 'SKILL.md';
}
