import type {
  CacheCheck,
  CacheClear,
  CacheEntry,
  CacheEntryDetail,
  CacheStats,
} from '#shared/model/cache.ts';
import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { ResultOrigin } from '#shared/model/plan.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import { digestOf } from '../store/digest.ts';
import { ownMark } from '../store/process-mark.ts';
import type { BlobRead } from './blob-store.ts';
import { LimitsReader, type CacheLimits } from './cache-limits.ts';
import type { BlobReference, CacheLine } from './cache-line.ts';
import { dayOf, pastOf, type KnownEntry } from './cache-state.ts';
import { CacheStore } from './cache-store.ts';
import {
  outputDigestsOf,
  resultDigest,
  type CachedResult,
  type CacheHit,
  type PastEntry,
} from './cached-result.ts';
import { clearEntries, dropOld, verifyEntries } from './cache-upkeep.ts';
import { describeCache, describeEntry, listEntries } from './describe-cache.ts';
import { blobStamp, type Standing, type StandingResult } from './kept-standing.ts';
import { fitsLine } from './short-texts.ts';
import { parseStored, type StoredResult, type StoredVerdicts } from './stored-result.ts';

/** A successful result to keep. Failed, cancelled and truncated ones have no place here. */
export interface NewEntry {
  readonly key: Digest;
  readonly fingerprint: Fingerprint;
  readonly workspace: string;
  readonly skillId: string;
  readonly runId: string;
  readonly result: CachedResult;
  /** The bytes of every `contentHash` among the changes. */
  readonly artifacts: ReadonlyMap<Digest, Uint8Array>;
  /** Texts behind digests of the fingerprint, so that a later plan can show what changed: scripts, the list of files. */
  readonly texts: Iterable<string>;
}

/** Which skill of which workspace something is about. */
export interface SkillPlace {
  readonly workspace: string;
  readonly skillId: string;
  readonly runId: string;
}

/** A result that is used; without what it holds where that proposes no files. */
export type UsedHit = Pick<CacheHit, 'key' | 'origin'> & Partial<Pick<CacheHit, 'result'>>;

export interface CacheOptions extends Partial<CacheLimits> {
  readonly now?: () => number;
}

const useDelayMs = 1000;
const maxRemembered = 16 * 1024 ** 2;

/**
 * Results of steps by the digest of everything that went into them, shared by all processes of a user. What comes out was
 * put in by this installation, whole and unchanged; whatever is wrong with the files is a miss. Nothing here throws.
 */
export class ActionCache implements Disposable {
  readonly #store: CacheStore;
  readonly #limits: LimitsReader;
  readonly #now: () => number;
  readonly #used: Digest[] = [];
  /** Results that were read and checked before, so that a run need not read again what its plan has read. */
  readonly #remembered = new Map<Digest, CacheHit>();
  #rememberedBytes = 0;
  /** Of files that looked as they should: one that is another since then only does not stand later. */
  readonly #stamps = new Map<Digest, string>();
  #counts = { hits: 0, misses: 0, saved: 0 };
  #timer: NodeJS.Timeout | undefined;

  /** Since room was last made. */
  #hasStored = false;

  private constructor(home: string, { now = Date.now, ...limits }: CacheOptions) {
    this.#store = new CacheStore(home);
    this.#limits = new LimitsReader(home, limits);
    this.#now = now;
  }

  /** Reads one file; the user's limits are read when something is stored. A folder that cannot be used gives a cache that never has anything, and a warning. */
  static open(home: string, options: CacheOptions = {}): ActionCache {
    return new ActionCache(home, options);
  }

  /** What the user should know about the cache itself; told once. */
  takeWarning(): string | undefined {
    return this.#store.takeWarning();
  }

  /** Takes in what other processes kept and cleared meanwhile. */
  refresh(): void {
    this.#store.refresh();
  }

  /** The result with this key, checked byte by byte. Asking counts neither as a hit nor as a use. */
  find(key: Digest): CacheHit | undefined {
    const entry = this.#entry(key, 'action');
    const remembered = this.#remembered.get(key);
    if (entry && remembered?.origin.runId === entry.run && remembered.origin.at === entry.at)
      return remembered;
    const stored = entry && this.#read<StoredResult>(entry);
    if (!entry || !stored || !this.#hasArtifacts(entry, stored.result)) return undefined;
    const { result, resultDigest: digest, outputDigests } = stored;
    const hit = { key, result, resultDigest: digest, outputDigests, origin: originOf(entry) };
    this.#remember(hit, entry);
    return hit;
  }

  /** What is known of the result that this skill had last, to say what differs from it. */
  nearest(workspace: string, skillId: string): PastEntry | undefined {
    const { state } = this.#store;
    const entry = state.ofSkill(workspace, skillId).reduce<KnownEntry | undefined>(newer, undefined);
    const dropped = state.dropped(workspace, skillId);
    if (dropped && dropped.past.used > (entry?.used ?? 0)) {
      const { run, at, ms, fingerprint } = dropped.past;
      const { key } = dropped;
      return { key, ...(fingerprint && { fingerprint }), isEvicted: true, runId: run, at, durationMs: ms };
    }
    const stored = entry && this.#read<StoredResult>(entry);
    if (!entry || !stored) return undefined;
    const { key, run, at, ms } = entry;
    return {
      key,
      fingerprint: stored.fingerprint,
      isEvicted: false,
      runId: run,
      at,
      durationMs: ms,
    };
  }

  /** That these results are kept, in a form that another process can check; undefined where one of them is not. */
  standing(keys: readonly Digest[]): Standing | undefined {
    const { position, state, folder } = this.#store;
    if (!position) return undefined;
    const results: StandingResult[] = [];
    for (const key of keys) {
      const entry = state.entries.get(key);
      if (entry?.kind !== 'action') return undefined;
      const [blob] = entry.blobs[0]!;
      const stamp = this.#stamps.get(blob) ?? blobStamp(folder, blob);
      if (stamp === 'none') return undefined;
      results.push({ origin: originOf(entry), blob, stamp });
    }
    return { position, results };
  }

  /** Where a kept result comes from, if its file is still this one and looks as it did; it is not read. */
  stillKept(key: Digest, blob: Digest, stamp: string): ResultOrigin | undefined {
    const { state, folder } = this.#store;
    const entry = state.entries.get(key);
    if (entry?.kind !== 'action' || entry.blobs[0]![0] !== blob) return undefined;
    if (blobStamp(folder, blob) !== stamp) return undefined;
    this.#stamps.set(blob, stamp);
    return originOf(entry);
  }

  /** The last failure of a skill that no later success made up for. */
  lastFailure(workspace: string, skillId: string): { key: Digest; runId: string; at: number } | undefined {
    const failure = this.#store.state.failure(workspace, skillId);
    return failure && { key: failure.key, runId: failure.run, at: failure.at };
  }

  /** How long the skill took, newest first. */
  durations(workspace: string, skillId: string): number[] {
    const entries = this.#store.state.ofSkill(workspace, skillId);
    return entries.toSorted((a, b) => b.at - a.at).map(({ ms }) => ms);
  }

  /** Keeps a result, if it can. */
  put(entry: NewEntry): void {
    const { key, fingerprint, result, artifacts } = entry;
    this.#counts.misses++;
    if (isCutShort(result)) return;
    this.#keep('action', entry, () => {
      const stored: StoredResult = {
        key,
        fingerprint,
        resultDigest: resultDigest(result),
        outputDigests: outputDigestsOf(result.outputs),
        result,
      };
      const texts = [...new Set(entry.texts)];
      const long = texts.filter((text) => !fitsLine(text)).map((text) => Buffer.from(text));
      const blobs = [Buffer.from(JSON.stringify(stored)), ...artifacts.values(), ...long];
      return { blobs, texts: texts.filter(fitsLine) };
    });
  }

  /** Remembers that the skill failed, so that a plan can say so. */
  noteFailure({ key, workspace, skillId, runId }: SkillPlace & { readonly key: Digest }): void {
    this.#counts.misses++;
    this.#store.append([{ t: 'fail', key, skill: skillId, workspace, run: runId, at: this.#now() }]);
  }

  /** Counts a result that a run used instead of running the skill; it will not be dropped for a while. */
  noteHit({ key, origin, result }: UsedHit): void {
    this.#counts.hits++;
    this.#counts.saved += origin.durationMs;
    this.#used.push(key);
    // Its proposed files are about to be read: another process that makes room must not take them before.
    if (result && result.changes.length > 0) this.#store.append([this.#useLine()]);
    // Others must know soon what is in use; a process that ends before has flushed.
    this.#timer ??= setTimeout(() => this.#write(), useDelayMs).unref();
  }

  /** The bytes of a proposed file. */
  artifact(contentHash: Digest): Uint8Array | undefined {
    const blob = this.#blob(contentHash);
    return typeof blob === 'string' ? undefined : blob;
  }

  /** A text that was kept for its digest, probably with the entry of this key: to look through all takes ten milliseconds. */
  text(digest: Digest, probably?: Digest): string | undefined {
    const { state } = this.#store;
    const own = probably === undefined ? undefined : state.textOf(probably, digest);
    if (own !== undefined) return own;
    const bytes = this.artifact(digest);
    if (!bytes) return state.text(digest);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  }

  /** Whether a kept result has a text or file with this digest beside it. */
  keeps(digest: Digest): boolean {
    if (this.#store.state.keeps(digest)) return true;
    this.#store.refresh(); // Another process may have run the skill meanwhile.
    return this.#store.state.keeps(digest);
  }

  findJudgment(key: Digest): readonly Verdict[] | undefined {
    const entry = this.#entry(key, 'judgment');
    return entry && this.#read<StoredVerdicts>(entry)?.verdicts;
  }

  putJudgment(judgment: SkillPlace & { readonly key: Digest; readonly verdicts: readonly Verdict[] }): void {
    const { key, verdicts } = judgment;
    const stored: StoredVerdicts = { key, verdicts };
    this.#keep('judgment', { ...judgment, result: { durationMs: 0 } }, () => ({
      blobs: [Buffer.from(JSON.stringify(stored))],
      texts: [],
    }));
  }

  async stats(): Promise<CacheStats> {
    const { maxBytes } = await this.#limits.read();
    this.flush();
    return describeCache(this.#store.state, maxBytes, this.#now());
  }

  /** Kept results, last used first; of one skill where its id or name is given. */
  list(filter: Pick<CacheClear, 'skill'> = {}): CacheEntry[] {
    this.flush();
    return listEntries(this.#store.state, filter);
  }

  /** One entry with all that led to it; undefined where there is none. */
  show(key: Digest): CacheEntryDetail | undefined {
    this.flush();
    const entry = this.#store.state.entries.get(key);
    const stored = entry && this.#read<StoredResult | StoredVerdicts>(entry);
    if (!entry || !stored) return undefined;
    return describeEntry(entry, stored, (digest) => this.text(digest));
  }

  /** Drops entries; says how many. */
  async clear(filter: CacheClear = {}): Promise<number> {
    this.flush();
    this.#forget();
    return clearEntries(this.#store, filter, this.#now());
  }

  /** Whether there is an entry that only cannot be read, as for want of the right to; it may be whole. */
  isUnreadable(key: Digest): boolean {
    const entry = this.#store.state.entries.get(key);
    return entry?.blobs.slice(0, 1).some(([digest]) => this.#blob(digest) === 'unreadable') ?? false;
  }

  /** Checks every byte that is kept, and removes what belongs to nothing. */
  async verify(): Promise<CacheCheck> {
    this.flush();
    this.#forget();
    return verifyEntries(this.#store, this.#now());
  }

  /** Resolves when the limits are known, where something was stored that they may be too small for; never rejects. */
  async settled(): Promise<void> {
    if (this.#hasStored) await this.#limits.read();
  }

  /** Writes down what was used and counted, and makes room. At the end of a run, and now and then in long ones. */
  flush(): void {
    this.#write();
    const now = this.#now();
    const limits = this.#limits.known();
    // By the usual limits, what a user wants to have kept for longer would go.
    if (limits) {
      dropOld(this.#store, limits, now);
      this.#hasStored = false;
    }
    this.#store.tidy(now);
  }

  [Symbol.dispose](): void {
    this.flush();
    this.#store[Symbol.dispose]();
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const at = this.#now();
    const { hits, misses, saved } = this.#counts;
    const lines: CacheLine[] = [];
    if (this.#used.length > 0) lines.push(this.#useLine());
    if (hits + misses > 0) lines.push({ t: 'day', day: dayOf(at), hits, misses, saved: Math.round(saved) });
    this.#counts = { hits: 0, misses: 0, saved: 0 };
    if (lines.length > 0) this.#store.append(lines);
    else this.#store.refresh();
  }

  #useLine(): CacheLine {
    return { t: 'use', at: this.#now(), by: ownMark(), keys: this.#used.splice(0) };
  }

  #entry(key: Digest, kind: KnownEntry['kind']): KnownEntry | undefined {
    const { entries } = this.#store.state;
    if (!entries.has(key)) this.#store.refresh(); // Another process may have run the skill meanwhile.
    const entry = this.#store.state.entries.get(key);
    return entry?.kind === kind ? entry : undefined;
  }

  /** What an entry holds; an entry that is damaged is dropped and will be a miss from now on. */
  #read<Stored extends StoredResult | StoredVerdicts>(entry: KnownEntry): Stored | undefined {
    const [digest, bytes] = entry.blobs[0]!;
    const text = this.#store.blobs.readText(digest, bytes);
    if (text !== undefined) return parseStored<Stored>(text, entry.key);
    const problem = this.#store.blobs.read(digest, bytes);
    if (problem === 'missing' || problem === 'damaged') this.#drop(entry);
    return undefined;
  }

  /** A result whose proposed files are not all there would be half of one. What only cannot be read now is not dropped. */
  #hasArtifacts(entry: KnownEntry, { changes }: CachedResult): boolean {
    for (const { contentHash } of changes) {
      if (contentHash === undefined) continue;
      const blob = this.#blob(contentHash);
      if (typeof blob !== 'string') continue;
      if (blob !== 'unreadable') this.#drop(entry);
      return false;
    }
    return true;
  }

  #blob(digest: Digest): BlobRead {
    const bytes = this.#store.state.blobBytes(digest);
    return bytes === undefined ? 'missing' : this.#store.blobs.read(digest, bytes);
  }

  #drop(entry: KnownEntry): void {
    const { key, at: of } = entry;
    const line = { t: 'gone', why: 'damaged', key, of, past: pastOf(entry, undefined) } as const;
    if (!this.#store.append([line])) this.#store.state.apply(line);
  }

  #keep(
    kind: KnownEntry['kind'],
    entry: SkillPlace & { readonly key: Digest; readonly result: { readonly durationMs: number } },
    contentsOf: () => { readonly blobs: readonly Uint8Array[]; readonly texts: readonly string[] },
  ): void {
    try {
      const contents = contentsOf();
      const blobs = new Map(contents.blobs.map((bytes) => [digestOf(bytes), bytes]));
      const references = [...blobs].map(([digest, bytes]): BlobReference => [digest, bytes.length]);
      const total = references.reduce((sum, [, bytes]) => sum + bytes, 0);
      if (total > this.#limits.maxEntryBytes) {
        return this.#store.warn(`the result of "${entry.skillId}" is too large to keep (${total} bytes)`);
      }
      this.#store.prepare();
      for (const [digest, bytes] of blobs) this.#store.blobs.write(digest, bytes);
      const at = this.#now();
      const { key, skillId: skill, workspace, runId: run } = entry;
      const ms = Math.round(entry.result.durationMs);
      const { texts } = contents;
      const kept = { blobs: references, ...(texts.length > 0 && { texts }) };
      const line = { kind, key, skill, workspace, run, at, ms, ...kept, used: at, by: ownMark(), hits: 0 };
      this.#store.append([{ t: 'put', ...line }]);
    } catch (error) {
      this.#store.warn((error as Error).message);
    }
    // Once a run: they may have been raised since the last one.
    if (!this.#hasStored) void this.#limits.read();
    this.#hasStored = true;
    const { last } = this.#limits;
    if (last && this.#store.state.bytes > last.maxBytes) dropOld(this.#store, last, this.#now());
  }

  #remember(hit: CacheHit, { blobs }: KnownEntry): void {
    const bytes = blobs[0]![1];
    // Proposed files may be dropped by another process meanwhile: those are looked at each time.
    if (hit.result.changes.length > 0 || bytes > maxRemembered / 4) return;
    if (this.#rememberedBytes + bytes > maxRemembered) this.#forget();
    this.#remembered.set(hit.key, hit);
    this.#rememberedBytes += bytes;
  }

  #forget(): void {
    this.#remembered.clear();
    this.#rememberedBytes = 0;
  }
}

/** What is kept must be all of it: a later run would take half of a result for the whole. */
function isCutShort({ limitsHit, logs }: CachedResult): boolean {
  return limitsHit.length > 0 || logs.some(({ truncated }) => truncated);
}

function originOf({ run, at, ms }: KnownEntry): ResultOrigin {
  return { runId: run, at, durationMs: ms };
}

function newer(best: KnownEntry | undefined, entry: KnownEntry): KnownEntry {
  return best && best.used > entry.used ? best : entry;
}
