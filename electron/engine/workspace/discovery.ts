import { opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isBlocked } from '#shared/blocked-names.ts';
import type { FileId, WorkspaceEntry } from '#shared/model/workspace.ts';

export type EntryKind = WorkspaceEntry['kind'];

export interface Limits {
  /** Files and folders looked at. */
  readonly visited: number;
  /** Lenses, libraries and skills listed. */
  readonly entries: number;
  readonly depth: number;
}

const mostListed = 20_000;

export const defaultLimits: Limits = { visited: 200_000, entries: 5_000, depth: 24 };

const skippedFolders = new Set(['node_modules', 'venv', '__pycache__']);
const visibleDotFolders = new Set([
  '.claude',
  '.agents',
  '.codex',
  '.opencode',
  '.cursor',
  '.gemini',
  '.github',
]);

/** Whether a folder is never looked into: dependencies, caches, version control and other people's state. */
export function isSkippedFolder(name: string): boolean {
  return skippedFolders.has(name) || (name.startsWith('.') && !visibleDotFolders.has(name));
}

/** What a file is by its place and name; a YAML file in a `skills` folder is a library only if it has a top `skills:` key. */
export function classify(file: string): EntryKind | undefined {
  const parts = file.split('/');
  const name = parts[parts.length - 1] ?? '';
  if (name.endsWith('.lens') || name.endsWith('.lens.yaml')) return 'lens';
  if (name.endsWith('.skills.yaml')) return 'library';
  if (name === 'SKILL.md') return parts.slice(0, -2).includes('skills') ? 'agent-skill' : undefined;
  if (parts[parts.length - 2] === 'skills' && /\.ya?ml$/.test(name)) return 'library';
  return undefined;
}

export interface Discovery {
  readonly files: readonly FileId[];
  readonly leftOut: string | undefined;
}

/** The lenses, libraries and skills below a folder. */
export function discover(root: string, limits: Limits = defaultLimits): Promise<Discovery> {
  return walk(root, limits, (path) => classify(path) !== undefined);
}

/** Every file below a folder that a page may see, as far as one wants to look through them. */
export async function listFiles(root: string): Promise<readonly FileId[]> {
  const limits = { ...defaultLimits, entries: mostListed };
  const isBlockedPath = (path: string): boolean => {
    const parts = path.split('/');
    return parts.some((part, i) => isBlocked(part, i < parts.length - 1));
  };
  return (await walk(root, limits, (path) => !isBlockedPath(path))).files;
}

/** Walks the workspace, breadth first and in name order, without following links (a loop would never end). */
async function walk(root: string, limits: Limits, isWanted: (path: string) => boolean): Promise<Discovery> {
  const files: FileId[] = [];
  const queue: { folder: string; depth: number }[] = [{ folder: '', depth: 0 }];
  let visited = 0;
  let leftOut: string | undefined;
  for (let next = queue.shift(); next; next = queue.shift()) {
    const listed = await listFolder(join(root, next.folder), next.folder === '');
    if (!listed) leftOut = `"${next.folder}" cannot be read and was left out`;
    for (const entry of listed ?? []) {
      if (++visited > limits.visited) {
        return { files, leftOut: `Only the first ${limits.visited} files and folders were looked at` };
      }
      const path = next.folder === '' ? entry.name : `${next.folder}/${entry.name}`;
      if (entry.isFolder && !isSkippedFolder(entry.name)) {
        if (next.depth < limits.depth) queue.push({ folder: path, depth: next.depth + 1 });
        else leftOut = `Folders more than ${limits.depth} deep were left out`;
      } else if (entry.isFile && isWanted(path)) {
        if (files.length >= limits.entries) {
          return {
            files,
            leftOut: `Only the first ${limits.entries} lenses, libraries and skills are listed`,
          };
        }
        files.push(path as FileId);
      }
    }
  }
  return { files, leftOut };
}

interface Listed {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isFile: boolean;
}

/** What a folder holds; nothing where it vanished, undefined where it may not be read. */
async function listFolder(path: string, isRoot: boolean): Promise<Listed[] | undefined> {
  const listed: Listed[] = [];
  try {
    for await (const entry of await opendir(path)) {
      listed.push({ name: basename(entry.name), isFolder: entry.isDirectory(), isFile: entry.isFile() });
    }
  } catch (error) {
    // A folder below hides only itself; the workspace folder itself must be readable.
    if (isRoot) throw error;
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
  }
  return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
}
