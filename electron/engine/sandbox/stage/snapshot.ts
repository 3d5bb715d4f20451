import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { narrowFiles } from '#shared/narrow-files.ts';
import type { Identity } from '../identity.ts';
import { handOver } from '../private-folder.ts';
import { Pace } from '../../store/pace.ts';

/** What a skill sees of the workspace: a folder to mount, and exactly the files that are in it. */
export interface StagedView {
  /** Undefined when there is no file to see. */
  readonly folder: string | undefined;
  /** Path → what a script sees of it (`seenFile`), for the fingerprint. */
  readonly files: ReadonlyMap<string, string>;
}

/** An unchanging copy of a workspace. Dispose it when the run is over. */
export class Snapshot implements Disposable {
  readonly files: ReadonlyMap<string, string>;
  /** Paths that scripts never see, because of their names or because they are the same file as such a one. */
  readonly blocked: readonly string[];
  readonly #tree: string;
  readonly #identity: Identity;
  readonly #release: () => void;
  #isReleased = false;

  constructor(options: {
    tree: string;
    files: ReadonlyMap<string, string>;
    blocked: readonly string[];
    identity: Identity;
    release: () => void;
  }) {
    this.files = options.files;
    this.blocked = options.blocked;
    this.#tree = options.tree;
    this.#identity = options.identity;
    this.#release = options.release;
  }

  /** The part of the copy that matches each list of globs, such as a skill's `files`; a list that is not given narrows nothing. */
  async view(...narrowings: readonly (readonly string[] | undefined)[]): Promise<StagedView> {
    const files = narrowFiles(this.files, ...narrowings);
    if (files.size === 0) return { folder: undefined, files };
    if (files.size === this.files.size) return { folder: join(this.#tree, 'all'), files };
    const key = createHash('sha256')
      .update(JSON.stringify([...files.keys()]))
      .digest('hex')
      .slice(0, 32);
    const folder = join(this.#tree, `view-${key}`);
    if (!existsSync(folder)) await this.#build(folder, files);
    return { folder, files };
  }

  /** One file of the copy; undefined where it is not in it, or has more bytes than that. */
  read(path: string, maxBytes: number): Uint8Array | undefined {
    if (this.#isReleased || !this.files.has(path)) return undefined;
    const copy = join(this.#tree, 'all', path);
    const stats = lstatSync(copy, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size <= maxBytes ? readFileSync(copy) : undefined;
  }

  [Symbol.dispose](): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#release();
  }

  async #build(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
    const making = join(this.#tree, `making-${randomBytes(8).toString('hex')}`);
    const made = new Set<string>();
    const pace = new Pace();
    const makeFolder = (path: string) => {
      if (made.has(path)) return;
      if (path !== '.') makeFolder(dirname(path));
      mkdirSync(join(making, path), { mode: 0o700 });
      handOver(join(making, path), this.#identity);
      made.add(path);
    };
    for (const path of files.keys()) {
      makeFolder(dirname(path));
      linkSync(join(this.#tree, 'all', path), join(making, path));
      if (pace.isDue) await pace.rest();
    }
    try {
      renameSync(making, folder);
    } catch {
      rmSync(making, { recursive: true }); // Another run made the same view meanwhile.
    }
  }
}
