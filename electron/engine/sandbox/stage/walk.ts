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

const maxFiles = 100_000;
const maxDepth = 128;
const maxIgnoreBytes = 256 * 1024;

/** Lists regular files only: links, sockets, pipes and devices lead out of the workspace even from a read-only copy. */
export async function walkWorkspace(
  root: string,
  { withIgnored = false }: WalkOptions = {},
): Promise<Walked> {
  const files: VisibleFile[] = [];
  const blocked: string[] = [];
  const pace = new Pace();
  await visit([], withIgnored ? [] : ignoreFilesAbove(root));
  const shared = files.filter(({ stats }) => stats.nlink > 1);
  const secret = shared.length > 0 ? await blockedInodes(root, pace) : new Set<string>();
  const isAlias = ({ stats }: VisibleFile) => secret.has(inodeOf(stats));
  blocked.push(...shared.filter(isAlias).map(({ path }) => path));
  const visible =
    blocked.length > 0 ? files.filter((file) => file.stats.nlink === 1 || !isAlias(file)) : files;
  return { files: visible.sort((a, b) => (a.path < b.path ? -1 : 1)), blocked: blocked.sort() };

  async function visit(parts: readonly string[], above: readonly IgnoreFile[]): Promise<void> {
    const folder = join(root, ...parts);
    const entries = listFolder(folder);
    const own =
      withIgnored || !entries.some(({ name }) => name === '.gitignore')
        ? []
        : readIgnoreFile(folder, parts.length);
    const ignore = [...above, ...own];
    for (const entry of entries) {
      const at = [...parts, entry.name];
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      if (isBlocked(entry.name, isFolder)) {
        blocked.push(at.join('/'));
      } else if (isIgnored(ignore, at, isFolder)) {
        continue;
      } else if (isFolder) {
        if (at.length <= maxDepth) await visit(at, ignore);
      } else {
        add(at.join('/'));
      }
      if (pace.isDue) await pace.rest();
    }
  }

  function add(path: string): void {
    const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (stats?.isFile()) files.push({ path, stats });
    if (files.length > maxFiles) {
      throw new StudioError(
        'workspace.too-large',
        `Cannot stage "${root}": it has more than ${maxFiles} files that are not ignored`,
      );
    }
  }
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
