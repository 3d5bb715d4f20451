import { lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { passingName } from '#shared/blocked-names.ts';
import { syncFolder } from '../../store/write-file.ts';

export interface NewFile {
  readonly content: Uint8Array;
  /** As the file there has it, or as new files have it, where nothing is said. */
  readonly mode?: number | undefined;
  /** Tells its passing file from those of the other files of one writing. */
  readonly index: number;
}

/**
 * Writes and removes files of a workspace, each at once. What is written here lasts through a power cut once `sync` is
 * over: a folder of a thousand files is flushed once and not a thousand times.
 */
export class WorkspaceFiles {
  readonly #root: string;
  readonly #id: string;
  readonly #touched = new Set<string>();

  /** The id is in the names of its passing files, so that those of a killed process can be found. */
  constructor(root: string, id: string) {
    this.#root = root;
    this.#id = id;
  }

  async put(path: string, { content, mode, index }: NewFile): Promise<void> {
    const target = join(this.#root, path);
    await this.#makeFolder(dirname(target));
    const there = await lstat(target).catch(() => undefined); // Looked at again only for its owner and its rights.
    const passing = join(dirname(target), passingName(this.#id, index));
    // Only a new file: a link that somebody put there would be written through.
    const file = await open(passing, 'wx', 0o666);
    try {
      try {
        await file.writeFile(content);
        // Refused to all but root; the file then is ours, as it would be after any editor.
        if (there) await file.chown(there.uid, there.gid).catch(() => undefined);
        const wanted = mode ?? there?.mode;
        // Where a file system knows no rights of single files, setting them is refused and they are already those.
        const isOther = wanted !== undefined && ((wanted ^ (await file.stat()).mode) & 0o7777) !== 0;
        if (isOther) await file.chmod(wanted & 0o7777);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(passing, target);
    } catch (error) {
      await unlink(passing).catch(() => undefined); // The failure that is told is the first one.
      throw error;
    }
    this.#touched.add(dirname(target));
  }

  async remove(path: string): Promise<void> {
    await unlink(join(this.#root, path));
    this.#touched.add(dirname(join(this.#root, path)));
  }

  async setMode(path: string, mode: number): Promise<void> {
    const file = await open(join(this.#root, path), 'r');
    try {
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Removes what a writing that was killed left beside a path. */
  async sweep(path: string, index: number): Promise<void> {
    const passing = join(this.#root, dirname(path), passingName(this.#id, index));
    await unlink(passing).catch(orGone);
  }

  /** Removes a folder that is empty; what somebody put into it stays. */
  async removeEmpty(path: string): Promise<void> {
    const folder = join(this.#root, path);
    try {
      await rmdir(folder);
      this.#touched.add(dirname(folder));
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
  }

  /** Resolves when all that was done is on the disk. */
  async sync(): Promise<void> {
    for (const folder of this.#touched) await syncFolder(folder).catch(orGone);
    this.#touched.clear();
  }

  async #makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true });
    if (first === undefined) return;
    // Each new folder is an entry of the one above it.
    for (let made = folder; made.length >= first.length; made = dirname(made))
      this.#touched.add(dirname(made));
  }
}

function orGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
