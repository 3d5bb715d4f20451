import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
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

const together = 16;

/** Reads a whole skill folder, bounded and without ever following a link out of it. */
export async function readSkillFolder(folder: string, options: ReadFolderOptions): Promise<ReadFolder> {
  const builder = new TreeBuilder(options.label);
  const leftOut: LeftOut[] = [];
  // The folder itself may be a link, as installers make them; everything below is inside what it leads to.
  const root = await realFolder(folder, options.label);
  const found = await list(root, '', options, { builder, leftOut });
  for (let at = 0; at < found.length; at += together) {
    const reading = found.slice(at, at + together).map(async (entry) => ({
      path: entry.path,
      ...(await readRegular(entry.target, builder, options, entry.path)),
    }));
    for (const { path, bytes, mode, linkCount } of await Promise.all(reading)) {
      if (linkCount > 1 && options.links === 'refuse') throw builder.unsafe(path, 'it is a hard link');
      builder.addFile({ path, bytes, mode });
    }
  }
  return { tree: builder.build(), leftOut };
}

interface Found {
  readonly path: string;
  readonly target: string;
}

async function list(
  root: string,
  inside: string,
  options: ReadFolderOptions,
  into: { readonly builder: TreeBuilder; readonly leftOut: LeftOut[] },
): Promise<Found[]> {
  const { builder, leftOut } = into;
  const found: Found[] = [];
  const entries = await readdir(join(root, inside), { withFileTypes: true }).catch((error: Error) => {
    throw ioError(options.label, error);
  });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    const target = join(root, path);
    if (entry.isDirectory()) {
      if (options.leaveOut.includes(entry.name)) leftOut.push({ path, why: 'it is never part of a skill' });
      else {
        builder.addFolder(path);
        found.push(...(await list(root, path, options, into)));
      }
    } else if (entry.isFile()) {
      found.push({ path, target });
    } else if (entry.isSymbolicLink()) {
      const followed = await followLink(root, path, options, builder);
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
async function followLink(
  root: string,
  path: string,
  { links, label }: ReadFolderOptions,
  builder: TreeBuilder,
): Promise<string | undefined> {
  if (path === 'SKILL.md') {
    const message = `Cannot use "${label}": its SKILL.md is a link; put the file itself there`;
    throw new SkillValidationError('missing_skill_md', message, { skill: label });
  }
  if (links === 'refuse') throw builder.unsafe(path, 'it is a link');
  if (links === 'leave-out') return undefined;
  const real = await realpath(join(root, path)).catch(() => undefined);
  if (real === undefined || !real.startsWith(root + sep)) return undefined;
  return (await lstat(real).catch(() => undefined))?.isFile() ? real : undefined;
}

interface ReadBytes {
  readonly bytes: Buffer;
  readonly mode: number;
  readonly linkCount: number;
}

/** The bytes of a regular file, no more of them than the skill may still hold, however the file grows meanwhile. */
async function readRegular(
  path: string,
  builder: TreeBuilder,
  { label }: ReadFolderOptions,
  shown: string,
): Promise<ReadBytes> {
  try {
    // A link or a pipe put in place of the file since the listing must neither be followed nor waited for.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw builder.unsafe(shown, 'it is not a regular file');
      if (found.size > builder.bytesLeft) throw builder.tooLarge();
      const bytes = await readUpTo(handle, found.size, builder);
      return { bytes, mode: found.mode, linkCount: found.nlink };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof SkillMountError || error instanceof SkillValidationError) throw error;
    throw ioError(label, error as Error);
  }
}

async function readUpTo(
  handle: Awaited<ReturnType<typeof open>>,
  size: number,
  builder: TreeBuilder,
): Promise<Buffer> {
  const limit = builder.bytesLeft;
  let buffer = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > limit) throw builder.tooLarge();
    if (bytesRead === 0) return buffer.subarray(0, length);
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
  }
}

async function realFolder(folder: string, label: string): Promise<string> {
  try {
    return await realpath(folder);
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
