import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { AcceptedFile, ReviewFile, RunId } from '#shared/model/run.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource } from './document.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { hunksOf, withHunks } from './hunks.ts';
import type { Hunk } from './hunks.ts';
import { Latest } from './latest.svelte.ts';

interface ReviewViewOptions {
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  readonly run: () => RunId | undefined;
  readonly applied: (paths: readonly string[]) => void;
}

/** The files that a run proposes, and what the user thinks of each. Everything is accepted until rejected. */
export class ReviewView {
  readonly #options: ReviewViewOptions;
  readonly #latest: Latest<readonly ReviewFile[]>;
  readonly #rejectedFiles = new SvelteSet<string>();
  readonly #rejectedHunks = new SvelteMap<string, ReadonlySet<number>>();
  #selected = $state.raw<string>();
  #isApplying = $state.raw(false);
  #applyFailure = $state.raw<Failure>();

  readonly files = $derived.by(() => this.#latest.answer ?? []);
  /** Those that can still be applied. */
  readonly open = $derived.by(() =>
    this.files.filter(
      ({ operation, isApplied, hasConflict }) =>
        operation !== 'none' && operation !== 'unknown' && !isApplied && !hasConflict,
    ),
  );
  readonly accepted = $derived.by(() => this.open.filter((file) => this.#isWanted(file)));
  readonly current = $derived.by(
    () => this.files.find(({ path }) => path === this.#selected) ?? this.files[0],
  );
  /** Undefined where the file can only be taken whole. */
  readonly hunks = $derived.by((): readonly Hunk[] | undefined => {
    const file = this.current;
    return file?.isText && file.operation === 'modify'
      ? hunksOf(file.before ?? '', file.after ?? '')
      : undefined;
  });

  constructor(options: ReviewViewOptions) {
    this.#options = options;
    this.#latest = new Latest({ clock: options.clock, ask: (signal) => this.#read(signal) });
  }

  get failure(): Failure | undefined {
    return this.#applyFailure ?? this.#latest.failure;
  }

  get isApplying(): boolean {
    return this.#isApplying;
  }

  ask(): Promise<void> {
    this.#applyFailure = undefined;
    return this.#latest.ask();
  }

  /** Starts over for another run. */
  reset(): void {
    this.#latest.take([]);
    this.#rejectedFiles.clear();
    this.#rejectedHunks.clear();
    this.#applyFailure = undefined;
    this.#selected = undefined;
  }

  select(path: string): void {
    this.#selected = path;
  }

  isAccepted(path: string): boolean {
    return !this.#rejectedFiles.has(path);
  }

  /** How much of a file would be applied. */
  shareOf(file: ReviewFile): 'all' | 'some' | 'none' {
    if (!this.#isWanted(file)) return 'none';
    return this.hasRejectedHunks(file.path) ? 'some' : 'all';
  }

  hasRejectedHunks(path: string): boolean {
    return (this.#rejectedHunks.get(path)?.size ?? 0) > 0;
  }

  /** Rejects a file or takes it back, whole where none of its hunks was wanted. */
  toggleFile(path: string): void {
    const file = this.files.find((one) => one.path === path);
    if (!this.isAccepted(path)) this.#rejectedFiles.delete(path);
    else if (file && this.shareOf(file) !== 'none') this.#rejectedFiles.add(path);
    if (file && this.isAccepted(path) && this.shareOf(file) === 'none') this.#rejectedHunks.delete(path);
  }

  isHunkAccepted(path: string, hunk: number): boolean {
    return this.isAccepted(path) && this.#rejectedHunks.get(path)?.has(hunk) !== true;
  }

  toggleHunk(path: string, hunk: number): void {
    const rejected = new Set(this.#rejectedHunks.get(path));
    if (!rejected.delete(hunk)) rejected.add(hunk);
    this.#rejectedHunks.set(path, rejected);
  }

  /** Writes what is accepted, all or nothing. */
  async apply(): Promise<void> {
    const run = this.#options.run();
    const files = this.accepted.map((file) => this.#acceptedFile(file));
    if (run === undefined || files.length === 0 || this.#isApplying) return;
    this.#isApplying = true;
    this.#applyFailure = undefined;
    try {
      const { client, workspace } = this.#options.source();
      this.#latest.take(await client.run.apply({ workspace, run, files }));
      this.#options.applied(files.map(({ path }) => path));
    } catch (error) {
      this.#applyFailure = toFailure(error);
    } finally {
      this.#isApplying = false;
    }
  }

  /** A file of which every hunk is rejected is rejected. */
  #isWanted(file: ReviewFile): boolean {
    if (!this.isAccepted(file.path)) return false;
    const rejected = this.#rejectedHunks.get(file.path)?.size ?? 0;
    if (rejected === 0) return true;
    return rejected < (hunksOf(file.before ?? '', file.after ?? '')?.length ?? 1);
  }

  #acceptedFile({ path, before, after }: ReviewFile): AcceptedFile {
    const rejected = this.#rejectedHunks.get(path);
    if (!rejected || rejected.size === 0) return { path };
    const hunks = hunksOf(before ?? '', after ?? '') ?? [];
    return {
      path,
      text: withHunks(
        before ?? '',
        hunks.filter((_, i) => !rejected.has(i)),
      ),
    };
  }

  async #read(signal: AbortSignal): Promise<readonly ReviewFile[]> {
    const run = this.#options.run();
    if (run === undefined) return [];
    const { client, workspace } = this.#options.source();
    return client.run.review({ workspace, run }, { signal });
  }
}
