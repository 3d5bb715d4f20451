import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { inflateSync } from 'node:zlib';
import { StudioError } from '#shared/errors.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { maxObjectBytes } from './limits.ts';
import { readPacked } from './pack.ts';
import type { GitObject } from './pack.ts';

const maxTextBytes = 1024 * 1024;

/**
 * The text of a file as the last commit has it. Reads the repository's own files and starts nothing: git itself would
 * run what the configuration of a stranger's repository says.
 */
export async function headText(root: string, file: FileId): Promise<{ text: string; commit: string }> {
  const repository = await findRepository(root);
  if (!repository) {
    throw new StudioError(
      'git.no-repository',
      `Cannot compare "${file}": its folder is in no git repository`,
    );
  }
  const path = [...relative(repository.folder, root).split(sep), ...file.split('/')].filter(
    (part) => part !== '',
  );
  const objects = new Objects(join(repository.common, 'objects'));
  try {
    const commit = await headOf(repository);
    const blob = commit === undefined ? undefined : await objects.follow(commit, path);
    if (commit === undefined || blob === undefined) {
      throw new StudioError(
        'git.not-committed',
        `Cannot compare "${file}": the last commit does not have it`,
      );
    }
    if (blob.length > maxTextBytes)
      throw new StudioError(
        'file.too-large',
        `Cannot compare "${file}": the committed text is larger than 1 MiB`,
      );
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(blob), commit };
  } catch (error) {
    if (error instanceof StudioError) throw error;
    // Damaged, of a newer format, or borrowed from elsewhere: the text on disk is not in danger, so say so and stop.
    throw new StudioError('git.unreadable', `Cannot compare "${file}": ${(error as Error).message}`);
  }
}

interface Repository {
  /** The folder that paths in trees are relative to. */
  readonly folder: string;
  /** Where HEAD is; of a linked worktree its own. */
  readonly own: string;
  /** Where objects and branches are. */
  readonly common: string;
}

async function findRepository(start: string): Promise<Repository | undefined> {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const found = await stat(join(folder, '.git')).catch(() => undefined);
    if (found) {
      const own = found.isDirectory()
        ? join(folder, '.git')
        : await pointedAt(folder, join(folder, '.git'), 'gitdir: ');
      return { folder, own, common: await pointedAt(own, join(own, 'commondir'), '').catch(() => own) };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

async function pointedAt(from: string, file: string, prefix: string): Promise<string> {
  const path = (await readFile(file, 'utf8')).trim().slice(prefix.length);
  return isAbsolute(path) ? path : resolve(from, path);
}

async function headOf({ own, common }: Repository): Promise<string | undefined> {
  let name = (await readFile(join(own, 'HEAD'), 'utf8')).trim();
  for (let step = 0; step < 5; step++) {
    if (/^[0-9a-f]{40}$/.test(name)) return name;
    const branch = /^ref: (refs\/[^\0]+)$/.exec(name)?.[1];
    if (branch === undefined || branch.split('/').includes('..')) throw new Error('HEAD cannot be read');
    const loose = await readFile(join(common, branch), 'utf8').catch(() => undefined);
    const packed = loose ?? (await packedReference(common, branch));
    if (packed === undefined) return undefined; // A branch without a commit yet.
    name = packed.trim();
  }
  throw new Error('HEAD leads in a circle');
}

async function packedReference(common: string, branch: string): Promise<string | undefined> {
  const packed = await readFile(join(common, 'packed-refs'), 'utf8').catch(() => '');
  return packed
    .split('\n')
    .find((line) => line.endsWith(` ${branch}`))
    ?.slice(0, 40);
}

class Objects {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The content at a path of a commit; undefined where there is no file. */
  async follow(commit: string, path: readonly string[]): Promise<Buffer | undefined> {
    const { body } = await this.#must(commit, 'commit');
    let id = /^tree ([0-9a-f]{40})\n/.exec(body.toString('latin1'))?.[1];
    for (const [depth, name] of path.entries()) {
      if (id === undefined) return undefined;
      const isLast = depth === path.length - 1;
      const entry = entryOf((await this.#must(id, 'tree')).body, name);
      if (!entry || entry.isFolder === isLast) return undefined;
      id = entry.id;
    }
    return id === undefined ? undefined : (await this.#must(id, 'blob')).body;
  }

  async #must(id: string, type: GitObject['type']): Promise<GitObject> {
    const object = await this.#find(id);
    if (object?.type !== type)
      throw new Error(`the repository has no ${type} ${id.slice(0, 8)} that can be read here`);
    const { body } = object;
    const named = createHash('sha1').update(`${type} ${body.length}\0`).update(body).digest('hex');
    if (named !== id) throw new Error(`the ${type} ${id.slice(0, 8)} of the repository is damaged`);
    return object;
  }

  async #find(id: string): Promise<GitObject | undefined> {
    const path = join(this.#folder, id.slice(0, 2), id.slice(2));
    const loose = await readFile(path).catch(() => undefined);
    if (loose) return looseObject(loose);
    const packs = await readdir(join(this.#folder, 'pack')).catch(() => []);
    for (const name of packs.filter((file) => file.endsWith('.idx'))) {
      const pack = join(this.#folder, 'pack', name.slice(0, -'.idx'.length));
      const found = await readPacked(pack, id, (base) => this.#find(base));
      if (found) return found;
    }
    return undefined;
  }
}

function looseObject(stored: Buffer): GitObject | undefined {
  const whole = inflateSync(stored, { maxOutputLength: maxObjectBytes });
  const head = /^(commit|tree|blob|tag) \d+\0/.exec(whole.subarray(0, 40).toString('latin1'));
  return head ? { type: head[1] as GitObject['type'], body: whole.subarray(head[0].length) } : undefined;
}

/** An entry of a tree: mode, name and id, one behind the other. */
function entryOf(tree: Buffer, wanted: string): { id: string; isFolder: boolean } | undefined {
  for (let at = 0; at < tree.length;) {
    const space = tree.indexOf(0x20, at);
    const end = tree.indexOf(0, space);
    if (space < 0 || end < 0) return undefined;
    const name = tree.subarray(space + 1, end).toString('utf8');
    const id = tree.subarray(end + 1, end + 21).toString('hex');
    if (name === wanted) return { id, isFolder: tree.subarray(at, space).toString('latin1') === '40000' };
    at = end + 21;
  }
  return undefined;
}
