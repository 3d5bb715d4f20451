import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isBlocked } from '#shared/blocked-names.ts';
import { StudioError } from '#shared/errors.ts';
import type {
  FileId,
  Revision,
  TextFile,
  WorkspaceEntry,
  WorkspaceEvent,
  WorkspaceId,
  WorkspaceSnapshot,
} from '#shared/model/workspace.ts';
import { headText } from '../git/head-text.ts';
import { createLensFile } from './create-lens.ts';
import { defaultLimits, discover, listFiles } from './discovery.ts';
import type { Limits } from './discovery.ts';
import { readEntry, readOutlineOnly } from './entry.ts';
import type { OutlineReader } from './entry.ts';
import { EventLog } from './event-log.ts';
import { readTextFile, removeTextFile, requireFolder, saveTextFile } from './text-file.ts';
import { watchWorkspace } from './watch.ts';

const readersAtOnce = 16;
/** Of more files that changed at once nobody needs the names. */
const mostNamed = 100;

interface WorkspaceOptions {
  readonly limits?: Limits;
  readonly outline?: OutlineReader;
}

/** One folder of lenses, libraries and skills, kept in step with the disk until it is disposed. */
export class Workspace implements AsyncDisposable {
  readonly id = randomUUID() as string as WorkspaceId;
  readonly root: string;
  readonly #limits: Limits;
  readonly #outline: OutlineReader;
  readonly #entries = new Map<FileId, WorkspaceEntry>();
  /** What was made here, as it was made. */
  readonly #made = new Map<FileId, Revision>();
  readonly #log = new EventLog<WorkspaceEvent>();
  readonly #pending = new Set<FileId>();
  #refreshing: Promise<void> | undefined;
  #leftOut: string | undefined;
  #notWatching: string | undefined;
  #takenBack: string | undefined;
  #watcher: AsyncDisposable | undefined;
  #isLost = false;

  private constructor(root: string, { limits = defaultLimits, outline = readOutlineOnly }: WorkspaceOptions) {
    this.root = root;
    this.#limits = limits;
    this.#outline = outline;
  }

  /** Reads the folder and starts to watch it; refuses one that is missing or unreadable. */
  static async open(folder: string, options: WorkspaceOptions = {}): Promise<Workspace> {
    const workspace = new Workspace(resolve(folder), options);
    requireFolder(workspace.root);
    await workspace.#scan();
    return workspace;
  }

  /** Starts to follow the disk. Looks once more afterwards: a file written while the watch was set up would be missed. */
  async watch(): Promise<void> {
    const watcher = watchWorkspace({
      root: this.root,
      depth: this.#limits.depth,
      changed: (file) => this.#refresh([file]),
      otherChanged: (files) => this.#filesChanged(files),
      lost: () => this.#lost(),
      failed: (error) => this.#watchFailed(error),
    });
    this.#watcher = watcher;
    await watcher.ready;
    // Nobody was told of what happened before there was a watch.
    if (!existsSync(this.root)) this.#lost();
    if (this.#isLost) return;
    const { files } = await discover(this.root, this.#limits);
    this.#refresh([...new Set([...files, ...this.#entries.keys()])]);
    await this.settled();
  }

  /** Whether the folder is gone; a lost workspace answers no more changes and must be opened again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves when every change seen so far is in the snapshot. */
  async settled(): Promise<void> {
    while (this.#refreshing) await this.#refreshing;
  }

  snapshot(): WorkspaceSnapshot {
    const entries = [...this.#entries.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
    return {
      workspace: this.id,
      name: basename(this.root),
      location: this.root,
      seq: this.#log.seq,
      entries,
      leftOut: this.#leftOut,
      notWatching: this.#notWatching,
      takenBack: this.#takenBack,
    };
  }

  events(after: number, signal?: AbortSignal): AsyncGenerator<WorkspaceEvent, void> {
    return this.#log.after(after, signal, (seq) => ({ seq, type: 'snapshot-needed' }));
  }

  /** Every file that may be opened; what nobody looks for by name, such as dependencies, is left out. */
  async files(): Promise<FileId[]> {
    return [...(await listFiles(this.root))];
  }

  /** Reads an entry, or another text of the workspace that lenses use, such as a script. */
  async read(file: FileId): Promise<TextFile> {
    this.#requireText(file);
    return readTextFile(this.root, file);
  }

  /** The text of such a file as the last commit of its git repository has it. */
  async headText(file: FileId): Promise<{ text: string; commit: string }> {
    this.#requireText(file);
    return headText(this.root, file);
  }

  async save(file: FileId, text: string, base: Revision): Promise<Revision> {
    this.#requireText(file);
    const revision = await saveTextFile(this.root, file, text, base);
    if (this.#entries.has(file)) this.#refresh([file]);
    else this.#filesChanged([file]);
    await this.settled();
    return revision;
  }

  /** Writes a new lens; refuses a name that is none of a lens, and to write over anything. */
  async create(file: FileId, text: string): Promise<Revision> {
    const revision = await createLensFile(this.root, file, text);
    this.#made.set(file, revision);
    this.#refresh([file]);
    await this.settled();
    return revision;
  }

  /** Takes back a file that was made here; refuses every other, and one that has other bytes by now. */
  async remove(file: FileId): Promise<void> {
    const made = this.#made.get(file);
    if (made === undefined) {
      throw new StudioError('file.not-new', `Cannot remove "${file}": the studio did not make it just now`, {
        file,
      });
    }
    await removeTextFile(this.root, file, made);
    this.#made.delete(file);
    this.#refresh([file]);
    await this.settled();
  }

  /** Tells whoever follows the workspace what was taken back in it, and whoever opens it from now on. */
  tellTakenBack(sentence: string): void {
    this.#takenBack = sentence;
    this.#log.append((seq) => ({ seq, type: 'snapshot-needed' }));
  }

  /** Tells whoever follows the workspace that its runs are not what they were. */
  runsChanged(): void {
    this.#log.append((seq) => ({ seq, type: 'runs-changed' }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#log.close();
    await this.#watcher?.[Symbol.asyncDispose]();
    await this.settled();
  }

  /** Refuses a file that is not one of the workspace's entries. */
  requireEntry(file: FileId): void {
    if (this.#entries.has(file)) return;
    throw new StudioError(
      'file.not-in-workspace',
      `Cannot open "${file}": it is not a lens, library or skill of this workspace`,
      {
        file,
      },
    );
  }

  /** A page may ask for any text of the workspace but not for keys and passwords. */
  #requireText(file: FileId): void {
    const parts = file.split('/');
    const isSecret = parts.some((part, i) => isBlocked(part, i < parts.length - 1));
    if (this.#entries.has(file) || !isSecret) return;
    throw new StudioError('file.not-in-workspace', `Cannot open "${file}": files of this name stay closed`, {
      file,
    });
  }

  #filesChanged(files: readonly FileId[]): void {
    this.#log.append((seq) => ({ seq, type: 'files-changed', files: files.slice(0, mostNamed) }));
  }

  async #scan(): Promise<void> {
    try {
      const { files, leftOut } = await discover(this.root, this.#limits);
      this.#leftOut = leftOut;
      await this.#readAll(files, (entry) => this.#entries.set(entry.file, entry));
    } catch (error) {
      const { message } = error as Error;
      throw new StudioError('workspace.unreadable', `Cannot read folder "${this.root}": ${message}`, {
        folder: this.root,
      });
    }
  }

  /** Reads changed files again, each once however often it was named meanwhile. */
  #refresh(files: readonly FileId[]): void {
    for (const file of files) this.#pending.add(file);
    this.#refreshing ??= this.#drain().finally(() => {
      this.#refreshing = undefined;
      if (this.#pending.size > 0) this.#refresh([]);
    });
  }

  async #drain(): Promise<void> {
    while (this.#pending.size > 0) {
      const files = [...this.#pending];
      this.#pending.clear();
      await this.#readAll(
        files,
        (entry) => this.#put(entry),
        (file) => this.#remove(file),
      );
    }
  }

  async #readAll(
    files: readonly FileId[],
    found: (entry: WorkspaceEntry) => void,
    gone: (file: FileId) => void = () => undefined,
  ): Promise<void> {
    const queue = files.values();
    const reader = async (): Promise<void> => {
      for (const file of queue) {
        const known = this.#entries.get(file);
        const entry = await readEntry(this.root, file, { known, outline: this.#outline });
        if (entry) found(entry);
        else gone(file);
      }
    };
    await Promise.all(Array.from({ length: readersAtOnce }, reader));
  }

  #put(entry: WorkspaceEntry): void {
    const old = this.#entries.get(entry.file);
    if (old && old.revision === entry.revision && old.problem === entry.problem) return;
    if (!old && this.#entries.size >= this.#limits.entries) return;
    this.#entries.set(entry.file, entry);
    this.#log.append((seq) => ({ seq, type: 'entry-changed', entry }));
  }

  #remove(file: FileId): void {
    if (this.#entries.delete(file)) this.#log.append((seq) => ({ seq, type: 'entry-removed', file }));
  }

  #lost(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    const reason = `The folder "${this.root}" was deleted or moved`;
    this.#log.append((seq) => ({ seq, type: 'workspace-lost', reason }));
  }

  #watchFailed(error: Error): void {
    if (this.#notWatching !== undefined) return;
    const reason = `Changes on disk are not seen: ${error.message}`;
    this.#notWatching = reason;
    this.#log.append((seq) => ({ seq, type: 'watch-lost', reason }));
  }
}
