import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
} from 'node:fs';
import type { Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { Pace } from '../store/pace.ts';
import { SkillMountError, SkillNotFoundError, SkillValidationError } from './skill-errors.ts';
import { TreeBuilder } from './skill-tree.ts';
import type { LeftOut, SkillTree } from './skill-tree.ts';

/** How a skill folder is copied. */
export interface ReadFolderOptions {
  /** How messages name the skill. */
  readonly label: string;
  /**
   * What becomes of links inside the folder: the whole skill is refused, the link stays behind, or it is followed where
   * it leads to a file inside.
   */
  readonly links: 'refuse' | 'leave-out' | 'follow-inside';
  /** Names of folders that stay behind. */
  readonly leaveOut: readonly string[];
}

export interface ReadFolder {
  readonly tree: SkillTree;
  readonly leftOut: readonly LeftOut[];
}

/** Reads a whole skill folder, bounded and without ever following a link out of it. */
export async function readSkillFolder(
  folder: string,
  options: ReadFolderOptions,
  pace = new Pace(),
): Promise<ReadFolder> {
  const builder = new TreeBuilder(options.label);
  const leftOut: LeftOut[] = [];
  // The folder itself may be a link, as installers make them; everything below is inside what it leads to.
  const root = realFolder(folder, options.label);
  for (const { path, target } of list(root, '', options, { builder, leftOut })) {
    if (pace.isDue) await pace.rest();
    const { bytes, mode, linkCount } = readRegular(target, builder, options, path);
    if (linkCount > 1 && options.links === 'refuse') throw builder.unsafe(path, 'it is a hard link');
    builder.addFile({ path, bytes, mode });
  }
  return { tree: builder.build(), leftOut };
}

interface Found {
  readonly path: string;
  readonly target: string;
}

function list(
  root: string,
  inside: string,
  options: ReadFolderOptions,
  into: { readonly builder: TreeBuilder; readonly leftOut: LeftOut[] },
): Found[] {
  const { builder, leftOut } = into;
  const found: Found[] = [];
  for (const entry of entriesOf(join(root, inside), options.label)) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    const target = join(root, path);
    if (entry.isDirectory()) {
      if (options.leaveOut.includes(entry.name)) leftOut.push({ path, why: 'it is never part of a skill' });
      else {
        builder.addFolder(path);
        found.push(...list(root, path, options, into));
      }
    } else if (entry.isFile()) {
      found.push({ path, target });
    } else if (entry.isSymbolicLink()) {
      const followed = followLink(root, path, options, builder);
      if (followed === undefined) leftOut.push({ path, why: 'it is a link' });
      else found.push({ path, target: followed });
    } else if (options.links === 'refuse') {
      throw builder.unsafe(path, 'it is neither a file nor a folder');
    } else {
      leftOut.push({ path, why: 'it is neither a file nor a folder' });
    }
  }
  return found;
}

/** The file inside the skill that a link leads to, where links may be followed and it does. */
function followLink(
  root: string,
  path: string,
  { links, label }: ReadFolderOptions,
  builder: TreeBuilder,
): string | undefined {
  if (path === 'SKILL.md') {
    const message = `Cannot use "${label}": its SKILL.md is a link; put the file itself there`;
    throw new SkillValidationError('missing_skill_md', message, { skill: label });
  }
  if (links === 'refuse') throw builder.unsafe(path, 'it is a link');
  if (links === 'leave-out') return undefined;
  try {
    const real = realpathSync(join(root, path));
    return real.startsWith(root + sep) && lstatSync(real).isFile() ? real : undefined;
  } catch {
    return undefined; // A link that leads nowhere.
  }
}

interface ReadBytes {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly linkCount: number;
}

/** The bytes of a regular file, no more of them than the skill may still hold, however the file grows meanwhile. */
function readRegular(
  path: string,
  builder: TreeBuilder,
  { label }: ReadFolderOptions,
  shown: string,
): ReadBytes {
  try {
    // A link or a pipe put in place of the file since the listing must neither be followed nor waited for.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    try {
      const found = fstatSync(file);
      if (!found.isFile()) throw builder.unsafe(shown, 'it is not a regular file');
      if (found.size > builder.bytesLeft) throw builder.tooLarge();
      return { bytes: readUpTo(file, found.size, builder), mode: found.mode, linkCount: found.nlink };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof SkillMountError || error instanceof SkillValidationError) throw error;
    throw ioError(label, error as Error);
  }
}

function readUpTo(file: number, size: number, builder: TreeBuilder): Buffer {
  const limit = builder.bytesLeft;
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    length += count;
    if (length > limit) throw builder.tooLarge();
    if (count === 0) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
}

function entriesOf(folder: string, label: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw ioError(label, error as Error);
  }
}

function realFolder(folder: string, label: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new SkillNotFoundError(`Cannot find skill "${label}": there is no such folder`, { skill: label });
    throw new SkillMountError('io', `Cannot read skill "${label}": ${message}`, { skill: label });
  }
}

function ioError(label: string, error: Error): SkillMountError {
  return new SkillMountError('io', `Cannot read skill "${label}": ${error.message}`, { skill: label });
}
