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
import { isBlocked } from '#shared/blocked-names.ts';
import { isIgnored, parseIgnoreFile, type IgnoreFile } from './gitignore.ts';
import { Pace } from '../../store/pace.ts';

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
export async function walkWorkspace(root: string, options: WalkOptions = {}): Promise<Walked> {
  const files: VisibleFile[] = [];
  const blocked = await listWorkspace(root, options, (path) => {
    const stats = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
    if (stats?.isFile()) files.push({ path, stats });
  });
  const aliases = await aliasesOfBlocked(
    root,
    files.filter(({ stats }) => stats.nlink > 1),
  );
  return {
    files: aliases.size > 0 ? files.filter(({ path }) => !aliases.has(path)) : files,
    blocked: [...blocked, ...aliases].sort(),
  };
}

/**
 * Tells of every regular file by its name, in the order of the paths, and returns what is blocked. Other names of blocked
 * files are among those told: whoever looks at a file asks `aliasesOfBlocked`.
 */
export async function listWorkspace(
  root: string,
  { withIgnored = false }: WalkOptions,
  tell: (path: string) => void,
): Promise<readonly string[]> {
  const blocked: string[] = [];
  const pace = new Pace();
  const parts: string[] = [];
  let seen = 0;
  let told = 0;
  await visit('', withIgnored ? [] : ignoreFilesAbove(root));
  return blocked;

  async function visit(lead: string, above: readonly IgnoreFile[]): Promise<void> {
    const folder = `${root}/${lead}`;
    const entries = listFolder(folder);
    const own =
      withIgnored || !entries.some(({ name }) => name === '.gitignore')
        ? []
        : readIgnoreFile(folder, parts.length);
    const ignore = own.length > 0 ? [...above, ...own] : above;
    for (const key of inPathOrder(entries)) {
      const isFolder = key.endsWith('/');
      const name = isFolder ? key.slice(0, -1) : key;
      parts.push(name);
      if (isBlocked(name, isFolder)) {
        blocked.push(lead + name);
      } else if (ignore.length === 0 || !isIgnored(ignore, parts, isFolder)) {
        if (!isFolder) add(lead + name);
        else if (parts.length <= maxDepth) await visit(lead + key, ignore);
      }
      parts.pop();
      // Asking the clock takes longer than the rest of the step.
      if (++seen % 64 === 0 && pace.isDue) await pace.rest();
    }
  }

  function add(path: string): void {
    if (++told > maxFiles) {
      throw new StudioError(
        'workspace.too-large',
        `Cannot stage "${root}": it has more than ${maxFiles} files that are not ignored`,
      );
    }
    tell(path);
  }
}

/** Names of files, and of folders with a slash: so they come in the order of the paths, and no list of all needs sorting. */
function inPathOrder(entries: readonly Dirent[]): string[] {
  const keys: string[] = [];
  for (const entry of entries) {
    if (entry.isFile()) keys.push(entry.name);
    else if (entry.isDirectory()) keys.push(`${entry.name}/`);
  }
  return keys.sort();
}

/** Which of these files, all with several names, are the same as a blocked one. */
export async function aliasesOfBlocked(
  root: string,
  shared: readonly { readonly path: string; readonly stats: Stats }[],
): Promise<ReadonlySet<string>> {
  if (shared.length === 0) return new Set();
  const secret = await blockedInodes(root, new Pace());
  return new Set(shared.filter(({ stats }) => secret.has(inodeOf(stats))).map(({ path }) => path));
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
