import type {
  CacheCheck,
  CacheClear,
  CacheEntry,
  CacheEntryDetail,
  CacheStats,
} from '#shared/model/cache.ts';
import type { StudioClient } from '#shared/contract.ts';
import type { Clock } from './clock.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { Latest } from './latest.svelte.ts';

interface CacheViewOptions {
  readonly client: () => StudioClient;
  readonly clock: Clock;
}

/** What the cache keeps, and one entry of it in detail. */
export class CacheView {
  readonly #options: CacheViewOptions;
  readonly #stats: Latest<CacheStats>;
  readonly #entries: Latest<readonly CacheEntry[]>;
  readonly #detail: Latest<CacheEntryDetail>;
  #selected = $state.raw<string>();
  #check = $state.raw<CacheCheck>();
  #failure = $state.raw<Failure>();

  constructor(options: CacheViewOptions) {
    this.#options = options;
    const { clock, client } = options;
    this.#stats = new Latest({ clock, ask: (signal) => client().cache.stats(undefined, { signal }) });
    this.#entries = new Latest<readonly CacheEntry[]>({
      clock,
      ask: (signal) => client().cache.list({}, { signal }),
    });
    this.#detail = new Latest({
      clock,
      ask: (signal) => client().cache.show({ key: this.#selected ?? '' }, { signal }),
    });
  }

  get stats(): CacheStats | undefined {
    return this.#stats.answer;
  }

  get entries(): readonly CacheEntry[] | undefined {
    return this.#entries.answer;
  }

  get detail(): CacheEntryDetail | undefined {
    return this.#detail.answer?.key === this.#selected ? this.#detail.answer : undefined;
  }

  get selected(): string | undefined {
    return this.#selected;
  }

  /** What the last check found. */
  get check(): CacheCheck | undefined {
    return this.#check;
  }

  get failure(): Failure | undefined {
    return this.#failure ?? this.#entries.failure ?? this.#stats.failure ?? this.#detail.failure;
  }

  async ask(): Promise<void> {
    await Promise.all([this.#stats.ask(), this.#entries.ask()]);
  }

  askStats(): Promise<void> {
    return this.#stats.ask();
  }

  select(key: string | undefined): void {
    this.#selected = key;
    if (key !== undefined) void this.#detail.ask();
  }

  clear(what: CacheClear): Promise<void> {
    return this.#do(async (client) => {
      this.#stats.take(await client.cache.clear(what));
      await this.#entries.ask();
    });
  }

  verify(): Promise<void> {
    return this.#do(async (client) => {
      this.#check = await client.cache.verify();
      await this.ask();
    });
  }

  async #do(work: (client: StudioClient) => Promise<void>): Promise<void> {
    this.#failure = undefined;
    try {
      await work(this.#options.client());
    } catch (error) {
      this.#failure = toFailure(error);
    }
  }
}
