import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { CacheLine, DayLine, FailLine, GoneLine, PutLine } from './cache-line.ts';
import { digestOf } from '../store/digest.ts';
import { ShortTexts } from './short-texts.ts';

/** A kept result as the index knows it: the line that stored it, with what later lines say of its use. */
export interface KnownEntry extends Omit<PutLine, 'used' | 'by' | 'hits'> {
  used: number;
  by: string;
  hits: number;
}

/** What is left of a dropped result. */
export interface DroppedEntry {
  readonly key: Digest;
  readonly of: number;
  readonly past: NonNullable<GoneLine['past']> & { readonly fingerprint?: Fingerprint };
}

const maxDropped = 10_000;
const keptDays = 31;

/** What the lines of the index say together. */
export class CacheState {
  readonly entries = new Map<Digest, KnownEntry>();
  readonly days = new Map<string, DayLine>();
  /** Made when it is first asked for: where everything is found by its key, nobody asks. */
  #bySkill: Map<string, Set<KnownEntry>> | undefined;
  /** The same. */
  #texts: ShortTexts | undefined;
  readonly #blobs = new Map<Digest, { readonly bytes: number; uses: number }>();
  /** The last dropped result of each skill of a workspace. */
  readonly #dropped = new Map<string, DroppedEntry>();
  readonly #failures = new Map<string, FailLine>();
  #bytes = 0;

  /** Of all blobs, each counted once. */
  get bytes(): number {
    return this.#bytes;
  }

  blobBytes(digest: Digest): number | undefined {
    return this.#blobs.get(digest)?.bytes;
  }

  /** Whether an entry has a file or text with this digest. */
  keeps(digest: Digest): boolean {
    return this.#blobs.has(digest) || this.text(digest) !== undefined;
  }

  /** A text that a line holds. */
  text(digest: Digest): string | undefined {
    this.#texts ??= new ShortTexts(this.entries.values());
    return this.#texts.get(digest);
  }

  /** A text that the line of one entry holds; nothing else is looked through for it. */
  textOf(key: Digest, digest: Digest): string | undefined {
    return this.entries.get(key)?.texts?.find((text) => digestOf(text) === digest);
  }

  apply(line: CacheLine): void {
    switch (line.t) {
      case 'put':
        return this.#put(line);
      case 'gone':
        return this.#gone(line);
      case 'clear':
        return this.#clear();
      case 'use':
        for (const key of line.keys) this.#use(key, line.at, line.by);
        return;
      case 'fail':
        this.#failures.set(placeOf(line), line);
        return;
      case 'day':
        return this.#count(line);
      case 'seal':
        return;
    }
  }

  /** Entries of a skill: those of the workspace, else those of others, as after a folder was renamed. */
  ofSkill(workspace: string, skill: string): readonly KnownEntry[] {
    this.#bySkill ??= filed(this.entries.values());
    const all = [...(this.#bySkill.get(skill) ?? [])];
    const own = all.filter((entry) => entry.workspace === workspace);
    return own.length > 0 ? own : all;
  }

  dropped(workspace: string, skill: string): DroppedEntry | undefined {
    return this.#dropped.get(placeOf({ workspace, skill }));
  }

  failure(workspace: string, skill: string): FailLine | undefined {
    return this.#failures.get(placeOf({ workspace, skill }));
  }

  /** The fewest lines that say the same. Failures come last: a result behind one would make up for it. */
  lines(now: number): CacheLine[] {
    return [
      ...this.#daysUntil(dayOf(now - keptDays * 24 * 60 * 60 * 1000)),
      ...[...this.#dropped.values()].slice(-maxDropped).map(goneLine),
      ...this.entries.values(),
      ...this.#failures.values(),
    ];
  }

  /** Days by themselves, and one without a name for all that are older. */
  #daysUntil(oldest: string): DayLine[] {
    const folded = new CacheState();
    for (const line of this.days.values()) folded.#count(line.day < oldest ? { ...line, day: '' } : line);
    return [...folded.days.values()];
  }

  #put(line: PutLine): void {
    const before = this.entries.get(line.key);
    if (before) this.#drop(before);
    const entry: KnownEntry = line;
    const { kind, key, blobs } = entry;
    this.entries.set(key, entry);
    if (this.#bySkill) file(this.#bySkill, entry);
    this.#texts?.add(entry);
    for (const [digest, bytes] of blobs) {
      const blob = this.#blobs.get(digest);
      if (blob) blob.uses++;
      else {
        this.#blobs.set(digest, { bytes, uses: 1 });
        this.#bytes += bytes;
      }
    }
    // Its place is worth making only where somebody may have failed at it. By clocks, one that was set back would keep the
    // failure for good.
    if (kind === 'action' && this.#failures.size > 0) this.#failures.delete(placeOf(line));
  }

  #gone({ key, of, why, past }: GoneLine): void {
    const entry = this.entries.get(key);
    if (entry?.at === of) this.#drop(entry);
    if (why === 'cleared' || !past) return;
    const place = placeOf(past);
    if ((this.#dropped.get(place)?.past.used ?? 0) > past.used) return;
    this.#dropped.delete(place);
    this.#dropped.set(place, { key, of, past });
  }

  #clear(): void {
    for (const entry of [...this.entries.values()]) this.#drop(entry);
    this.#dropped.clear();
    this.#failures.clear();
  }

  #drop(entry: KnownEntry): void {
    this.entries.delete(entry.key);
    this.#bySkill?.get(entry.skill)?.delete(entry);
    this.#texts?.remove(entry);
    for (const [digest, bytes] of entry.blobs) {
      const blob = this.#blobs.get(digest);
      if (!blob || --blob.uses > 0) continue;
      this.#blobs.delete(digest);
      this.#bytes -= bytes;
    }
  }

  #use(key: Digest, at: number, by: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    entry.used = Math.max(entry.used, at);
    entry.by = by;
    entry.hits++;
  }

  #count({ day, hits, misses, saved }: DayLine): void {
    const before = this.days.get(day) ?? { t: 'day' as const, day, hits: 0, misses: 0, saved: 0 };
    this.days.set(day, {
      ...before,
      hits: before.hits + hits,
      misses: before.misses + misses,
      saved: before.saved + saved,
    });
  }
}

/** The day in UTC, as statistics name it. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** What stays of an entry that is dropped. */
export function pastOf(
  { skill, workspace, run, at, ms, used }: KnownEntry,
  fingerprint: Fingerprint | undefined,
): NonNullable<GoneLine['past']> {
  return { skill, workspace, run, at, ms, used, ...(fingerprint && { fingerprint }) };
}

function filed(entries: Iterable<KnownEntry>): Map<string, Set<KnownEntry>> {
  const bySkill = new Map<string, Set<KnownEntry>>();
  for (const entry of entries) file(bySkill, entry);
  return bySkill;
}

function file(bySkill: Map<string, Set<KnownEntry>>, entry: KnownEntry): void {
  if (entry.kind !== 'action') return;
  const others = bySkill.get(entry.skill);
  if (others) others.add(entry);
  else bySkill.set(entry.skill, new Set([entry]));
}

function goneLine(dropped: DroppedEntry): GoneLine {
  return { t: 'gone', why: 'evicted', ...dropped };
}

function placeOf({ workspace, skill }: { readonly workspace: string; readonly skill: string }): string {
  return JSON.stringify([workspace, skill]);
}
