import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  type Dirent,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { isBlocked } from './blocked.ts';
import { isIgnored, parseIgnoreFile, type IgnoreFile } from './gitignore.ts';
import { Pace } from './pace.ts';

/** A file of the workspace that scripts may see. */
export interface VisibleFile {
  readonly path: string;
  readonly stats: Stats;
}

/** What of a workspace scripts may see, and what was kept from them. */
export interface Walked {
  /** By path, in order. */
  readonly files: readonly VisibleFile[];
  readonly blocked: readonly string[];
}

export interface WalkOptions {
  /** Show files that git ignores too. */
  readonly withIgnored?: boolean;
}

/** A regular file that was listed and perhaps not yet looked at. */
export interface ListedFile {
  readonly path: string;
  readonly stats: Stats | undefined;
}

/** What a listing found: the files may still hold other names of blocked ones. */
export interface Listing {
  readonly files: readonly ListedFile[];
  readonly blocked: readonly string[];
}

const maxFiles = 100_000;
const maxDepth = 128;
const maxIgnoreBytes = 256 * 1024;

/** Lists regular files only: links, sockets, pipes and devices lead out of the workspace even from a read-only copy. */
export async function walkWorkspace(root: string, options: WalkOptions = {}): Promise<Walked> {
  const { files, blocked } = await listWorkspace(root, options, () => true);
  return withoutAliases(root, { files: files as readonly VisibleFile[], blocked });
}

/** The regular files by their names alone; those that `isWanted` are looked at, and left out if they are gone. */
export async function listWorkspace(
  root: string,
  { withIgnored = false }: WalkOptions,
  isWanted: (path: string) => boolean,
): Promise<Listing> {
  const files: ListedFile[] = [];
  const blocked: string[] = [];
  const pace = new Pace();
  const parts: string[] = [];
  let seen = 0;
  await visit('', withIgnored ? [] : ignoreFilesAbove(root));
  return { files, blocked };

  async function visit(lead: string, above: readonly IgnoreFile[]): Promise<void> {
    const folder = `${root}/${lead}`;
    const entries = listFolder(folder);
    const own =
      withIgnored || !entries.some(({ name }) => name === '.gitignore')
        ? []
        : readIgnoreFile(folder, parts.length);
    const ignore = own.length > 0 ? [...above, ...own] : above;
    for (const { name, isFolder } of inPathOrder(entries)) {
      parts.push(name);
      if (isBlocked(name, isFolder)) {
        blocked.push(lead + name);
      } else if (ignore.length === 0 || !isIgnored(ignore, parts, isFolder)) {
        if (!isFolder) add(lead + name);
        else if (parts.length <= maxDepth) await visit(`${lead}${name}/`, ignore);
      }
      parts.pop();
      // Asking the clock takes longer than the rest of the step.
      if (++seen % 64 === 0 && pace.isDue) await pace.rest();
    }
  }

  function add(path: string): void {
    const isLookedAt = isWanted(path);
    const stats = isLookedAt ? lstatSync(`${root}/${path}`, { throwIfNoEntry: false }) : undefined;
    if (!isLookedAt || stats?.isFile()) files.push({ path, stats });
    if (files.length > maxFiles) {
      throw new StudioError(
        'workspace.too-large',
        `Cannot stage "${root}": it has more than ${maxFiles} files that are not ignored`,
      );
    }
  }
}

/** Files and folders in the order of the paths below them, so that no list of all paths needs sorting. */
function inPathOrder(entries: readonly Dirent[]): { name: string; isFolder: boolean }[] {
  const listed: { name: string; isFolder: boolean; key: string }[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (entry.isFile()) listed.push({ name, isFolder: false, key: name });
    else if (entry.isDirectory()) listed.push({ name, isFolder: true, key: `${name}/` });
  }
  return listed.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Leaves out files that are another name of a blocked one. */
export async function withoutAliases<File extends VisibleFile>(
  root: string,
  { files, blocked }: { readonly files: readonly File[]; readonly blocked: readonly string[] },
): Promise<{ files: readonly File[]; blocked: readonly string[] }> {
  const shared = files.filter(({ stats }) => stats.nlink > 1);
  const secret = shared.length > 0 ? await blockedInodes(root, new Pace()) : new Set<string>();
  const aliases = new Set(shared.filter(({ stats }) => secret.has(inodeOf(stats))).map(({ path }) => path));
  return {
    files: aliases.size > 0 ? files.filter(({ path }) => !aliases.has(path)) : files,
    blocked: [...blocked, ...aliases].sort(),
  };
}
/** Device and inode: the identity of a file under all its names. */
function inodeOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`;
}

/** The identities of all blocked files that have another name somewhere. */
async function blockedInodes(root: string, pace: Pace): Promise<Set<string>> {
  const found = new Set<string>();
  const folders: { path: string; isSecret: boolean }[] = [{ path: root, isSecret: false }];
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    for (const entry of listFolder(folder.path)) {
      const path = join(folder.path, entry.name);
      const isSecret = folder.isSecret || isBlocked(entry.name, entry.isDirectory());
      if (entry.isDirectory()) folders.push({ path, isSecret });
      else if (isSecret && entry.isFile()) {
        const stats = lstatSync(path, { throwIfNoEntry: false });
        if (stats && stats.nlink > 1) found.add(inodeOf(stats));
      }
      if (pace.isDue) await pace.rest();
    }
  }
  return found;
}

function listFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Gone since it was listed, or not readable: nothing in it can be shown.
  }
}

/** The .gitignore files between the top of the repository and the workspace. */
function ignoreFilesAbove(root: string): IgnoreFile[] {
  const found: IgnoreFile[][] = [];
  const lead: string[] = [];
  for (let folder = root; dirname(folder) !== folder && !hasGit(folder); folder = dirname(folder)) {
    lead.unshift(basename(folder));
    found.unshift(readIgnoreFile(dirname(folder), 0, [...lead]));
    if (hasGit(dirname(folder))) return found.flat();
  }
  return [];
}

function hasGit(folder: string): boolean {
  return lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined;
}

function readIgnoreFile(folder: string, depth: number, lead: readonly string[] = []): IgnoreFile[] {
  let fd: number | undefined;
  try {
    fd = openSync(
      join(folder, '.gitignore'),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size > maxIgnoreBytes) return [];
    return [parseIgnoreFile(readFileSync(fd, 'utf8'), depth, lead)];
  } catch {
    return []; // A link or unreadable: git itself takes no rules from a linked file.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
