import { unreachable } from '#shared/errors.ts';
import type { PageId } from '#shared/model/draft.ts';
import type {
  FileId,
  OpenRequest,
  WorkspaceEntry,
  WorkspaceEvent,
  WorkspaceSnapshot,
} from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { EngineConnection } from './connection.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

interface WorkspaceViewOptions {
  readonly engine: Pick<EngineConnection, 'client'>;
  readonly clock: Clock;
  /** Who follows, so that its unsaved text stays its own. */
  readonly page?: PageId;
  readonly entryChanged: (entry: WorkspaceEntry) => void;
  readonly filesChanged: (files: readonly FileId[]) => void;
  readonly entryRemoved: (file: FileId) => void;
  /** Runs of the workspace began or ended, or may have while nobody told. */
  readonly runsChanged: () => void;
  /** The stream of changes ended for a reason other than a lost connection. */
  readonly unfollowed: (failure: Failure) => void;
}

/** How often a folder that is gone is looked for. */
const lookAgainMs = 1_500;

/** The open workspace as last told by the engine, kept in step by its events. */
export class WorkspaceView {
  readonly #options: WorkspaceViewOptions;
  #snapshot = $state.raw<WorkspaceSnapshot>();
  #lost = $state.raw<string>();
  #isOpening = $state.raw(false);
  #following = new AbortController();

  readonly entries = $derived(this.#snapshot?.entries ?? []);

  constructor(options: WorkspaceViewOptions) {
    this.#options = options;
  }

  get snapshot(): WorkspaceSnapshot | undefined {
    return this.#snapshot;
  }

  /** Why the folder is gone, in a sentence. */
  get lost(): string | undefined {
    return this.#lost;
  }

  get isOpening(): boolean {
    return this.#isOpening;
  }

  entry(file: string): WorkspaceEntry | undefined {
    return this.entries.find((entry) => entry.file === file);
  }

  open(request: OpenRequest): Promise<Failure | undefined> {
    return this.#take(() => this.#options.engine.client.workspace.open(request));
  }

  /** Opens what the user picks in the host's dialog; nothing changes when they change their mind. */
  choose(): Promise<Failure | undefined> {
    return this.#take(() => this.#options.engine.client.workspace.choose());
  }

  /** Catches up after a lost connection, also with an engine that was started anew. */
  async resume(): Promise<Failure | undefined> {
    const before = this.#snapshot;
    if (!before) return undefined;
    const failure = await this.#take(() =>
      this.#options.engine.client.workspace.snapshot({ workspace: before.workspace }),
    );
    if (failure?.code !== 'workspace.not-open') return failure;
    return this.open({ from: 'folder', folder: before.location });
  }

  /** Applies one event; answers false when a new snapshot is needed instead. */
  apply(event: WorkspaceEvent): boolean {
    const snapshot = this.#snapshot;
    if (!snapshot || event.type === 'snapshot-needed' || event.seq > snapshot.seq + 1) return false;
    if (event.seq <= snapshot.seq) return true;
    const { seq } = event;
    switch (event.type) {
      case 'entry-changed':
        this.#snapshot = { ...snapshot, seq, entries: withEntry(snapshot.entries, event.entry) };
        this.#options.entryChanged(event.entry);
        return true;
      case 'entry-removed': {
        const entries = snapshot.entries.filter((entry) => entry.file !== event.file);
        this.#snapshot = { ...snapshot, seq, entries };
        this.#options.entryRemoved(event.file);
        return true;
      }
      case 'files-changed':
        this.#snapshot = { ...snapshot, seq };
        this.#options.filesChanged(event.files);
        return true;
      case 'runs-changed':
        this.#snapshot = { ...snapshot, seq };
        this.#options.runsChanged();
        return true;
      case 'watch-lost':
        this.#snapshot = { ...snapshot, seq, notWatching: event.reason };
        return true;
      case 'workspace-lost':
        this.#snapshot = { ...snapshot, seq };
        this.#lost = event.reason;
        this.#lookAgain(snapshot);
        return true;
      default:
        return unreachable(event);
    }
  }

  dispose(): void {
    this.#following.abort();
  }

  async #take(ask: () => Promise<WorkspaceSnapshot | null>): Promise<Failure | undefined> {
    this.#isOpening = true;
    try {
      const snapshot = await ask();
      if (snapshot) this.#adopt(snapshot);
      return undefined;
    } catch (error) {
      return toFailure(error);
    } finally {
      this.#isOpening = false;
    }
  }

  #adopt(snapshot: WorkspaceSnapshot): void {
    const before = this.#snapshot;
    this.#snapshot = snapshot;
    this.#lost = undefined;
    if (before?.location === snapshot.location) this.#tellDifferences(before.entries, snapshot.entries);
    this.#options.runsChanged();
    void this.#follow(snapshot);
  }

  /** A folder that comes back, as after a branch was switched or a disk put in again, is opened by itself. */
  #lookAgain(gone: WorkspaceSnapshot): void {
    this.#options.clock.after(lookAgainMs, () => {
      const isStillWanted = this.#lost !== undefined && this.#snapshot?.workspace === gone.workspace;
      if (!isStillWanted || this.#following.signal.aborted) return;
      void this.open({ from: 'folder', folder: gone.location }).then(() => {
        if (this.#lost !== undefined) this.#lookAgain(gone);
      });
    });
  }

  #tellDifferences(before: readonly WorkspaceEntry[], now: readonly WorkspaceEntry[]): void {
    const files = new Set(now.map((entry) => entry.file));
    for (const entry of now) this.#options.entryChanged(entry);
    for (const { file } of before) if (!files.has(file)) this.#options.entryRemoved(file);
  }

  async #follow({ workspace, seq }: WorkspaceSnapshot): Promise<void> {
    this.#following.abort();
    const { signal } = (this.#following = new AbortController());
    try {
      const { engine, page } = this.#options;
      const events = await engine.client.workspace.events(
        { workspace, after: seq, ...(page && { page }) },
        { signal },
      );
      for await (const event of events) {
        if (signal.aborted) return;
        if (!this.apply(event)) return await this.#resnapshot();
      }
    } catch (error) {
      const failure = toFailure(error);
      if (!signal.aborted && failure.code !== 'disconnected') this.#options.unfollowed(failure);
    }
  }

  async #resnapshot(): Promise<void> {
    const failure = await this.resume();
    if (failure && failure.code !== 'disconnected') this.#options.unfollowed(failure);
  }
}

function withEntry(entries: readonly WorkspaceEntry[], entry: WorkspaceEntry): WorkspaceEntry[] {
  const at = entries.findIndex(({ file }) => file >= entry.file);
  if (at < 0) return [...entries, entry];
  return entries.toSpliced(at, entries[at]?.file === entry.file ? 1 : 0, entry);
}
