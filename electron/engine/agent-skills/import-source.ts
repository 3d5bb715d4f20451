import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { readSkillArchive } from './read-archive.ts';
import { readSkillFolder } from './read-folder.ts';
import { SkillMountError, SkillNotFoundError, SkillValidationError } from './skill-errors.ts';
import { skillLimits } from './skill-tree.ts';
import type { LeftOut, SkillTree } from './skill-tree.ts';

/** What to import: a folder or archive on disk, or the bytes of an archive or the files of a folder that somebody handed over. */
export type ImportSource =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'archive'; readonly fileName: string; readonly bytes: Uint8Array }
  | { readonly kind: 'tree'; readonly folderName: string; readonly tree: SkillTree };

/** A skill to import, as it lies there. */
export interface ImportedTree {
  readonly tree: SkillTree;
  readonly folderName: string;
  readonly leftOut: readonly LeftOut[];
}

/** Reads a skill to import, bounded; refuses links and whatever else could reach beyond its folder. */
export async function readImport(source: ImportSource): Promise<ImportedTree> {
  if (source.kind === 'archive') return readArchiveAs(source.fileName, source.bytes);
  if (source.kind === 'tree') return { tree: source.tree, folderName: source.folderName, leftOut: [] };
  const { path } = source;
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')
      throw new SkillMountError('io', `Cannot read "${path}": ${error.message}`, { path });
    throw new SkillNotFoundError(`Cannot find skill "${path}": there is nothing`, { path });
  });
  if (found.isFile() && basename(path) === 'SKILL.md') return readFolderAs(dirname(path));
  if (found.isDirectory()) return readFolderAs(path);
  if (found.isFile() && /\.(zip|skill)$/i.test(path)) {
    if (found.size > 2 * skillLimits.bytes) throw tooLarge(path);
    return readArchiveAs(basename(path), await readFile(path));
  }
  const message = `Cannot import "${path}": it is neither a folder with SKILL.md nor a ".zip" or ".skill" archive`;
  throw new SkillValidationError('not_directory', message, { path });
}

async function readFolderAs(path: string): Promise<ImportedTree> {
  const label = basename(await realpath(path));
  const options = { label, links: 'refuse', leaveOut: ['.git'] } as const;
  return { ...(await readSkillFolder(path, options)), folderName: label };
}

async function readArchiveAs(fileName: string, bytes: Uint8Array): Promise<ImportedTree> {
  const { tree, folderName, leftOut } = await readSkillArchive(bytes, fileName);
  return { tree, leftOut, folderName: folderName ?? fileName.replace(/\.(zip|skill)$/i, '') };
}

function tooLarge(path: string): SkillMountError {
  return new SkillMountError('too_large', `Skill "${path}" exceeds total size limit of 10 MiB`, { path });
}
