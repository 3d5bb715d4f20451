import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Skill } from '#shared/model/skill.ts';
import type { FootprintRecord } from './footprint.ts';
import type { Merged, MergedLens } from './merge.ts';
import { packSkill, unpackSkill } from './packed-skill.ts';
import type { PackedSkill } from './packed-skill.ts';
import type { SourceFile } from './place.ts';
import type { Resolution } from './resolve.ts';
import { graphOf } from './resolved-graph.ts';

/** A resolution of an earlier time; whether it still holds is for the caller to find out. */
export interface KeptResolution {
  readonly footprint: FootprintRecord;
  readonly resolution: () => Resolution;
}

export interface ResolutionStoreOptions {
  /** The user's folder. */
  readonly home: string;
  /** Signs what is kept: a file that somebody else put there is not ours. */
  readonly key: Buffer;
  /** What the program is: another version may resolve the same files differently. */
  readonly build: string;
}

interface Body extends Omit<Resolution, 'lens' | 'graph' | 'shortcuts' | 'skills'> {
  readonly shortcuts: readonly (readonly [string, { skill: string; id?: string }])[];
  readonly sources: readonly SourceFile[];
  readonly skills: readonly PackedSkill[];
  readonly lens?: Omit<MergedLens, 'skills'>;
}

/** The skills of the lens itself: most are those of the graph, by their number there. */
type PackedLensSkills = readonly (readonly [item: Omit<Merged<Skill>, 'value'>, value: number | Skill])[];

const maxFiles = 64;
const maxBytes = 64 * 1024 * 1024;
const signatureLength = 64;

/**
 * Finished resolutions in `$SUNWELL_HOME/resolved`, so that a new process need not parse what an earlier one did. A file
 * is four lines, so that a reader takes only what it needs: signature, footprint, all but the lens's skills, those.
 */
export class ResolutionStore {
  readonly #folder: string;
  readonly #key: Buffer;
  readonly #build: string;

  constructor({ home, key, build }: ResolutionStoreOptions) {
    this.#folder = join(home, 'resolved');
    this.#key = key;
    this.#build = build;
  }

  /** Undefined when there is none, or one that is damaged, foreign or of another version of the program. */
  read(name: string): KeptResolution | undefined {
    try {
      const bytes = readFileSync(this.#pathOf(name));
      const signed = bytes.subarray(signatureLength + 1);
      const signature = Buffer.from(bytes.toString('latin1', 0, signatureLength), 'hex');
      if (!timingSafeEqual(signature, this.#sign(name, signed))) return undefined;
      const text = signed.toString();
      const bodyAt = text.indexOf('\n') + 1;
      const ownAt = text.indexOf('\n', bodyAt) + 1;
      const footprint = JSON.parse(text.slice(0, bodyAt)) as FootprintRecord;
      return { footprint, resolution: () => unpack(text.slice(bodyAt, ownAt), text.slice(ownAt)) };
    } catch {
      return undefined; // None yet, or too short to be one: it is resolved anew.
    }
  }

  /** Keeps a resolution if it can be kept; a full or read-only disk costs time later and nothing else. */
  write(name: string, footprint: FootprintRecord, resolution: Resolution): void {
    try {
      const text = [JSON.stringify(footprint), ...pack(resolution)].join('\n');
      const signed = Buffer.from(text);
      if (signed.length > maxBytes / 4) return;
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const temporary = `${this.#pathOf(name)}.${process.pid}`;
      writeFileSync(temporary, Buffer.concat([this.#signatureLine(name, signed), signed]), { mode: 0o600 });
      renameSync(temporary, this.#pathOf(name));
      this.#dropOldest();
    } catch (error) {
      if (error instanceof NotPlainError || isDiskProblem(error)) return;
      throw error;
    }
  }

  #signatureLine(name: string, signed: Buffer): Buffer {
    return Buffer.from(`${this.#sign(name, signed).toString('hex')}\n`);
  }

  /** The name is signed too: a resolution moved to another's place would answer for it. */
  #sign(name: string, signed: Buffer): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([this.#build, name]))
      .update(signed)
      .digest();
  }

  #pathOf(name: string): string {
    return join(this.#folder, createHash('sha256').update(name).digest('hex').slice(0, 32));
  }

  #dropOldest(): void {
    const files = readdirSync(this.#folder)
      .map((name) => ({ path: join(this.#folder, name), stats: statSync(join(this.#folder, name)) }))
      .sort((a, b) => b.stats.mtimeMs - a.stats.mtimeMs);
    let bytes = 0;
    for (const [i, { path, stats }] of files.entries()) {
      bytes += stats.size;
      if (i >= maxFiles || bytes > maxBytes) rmSync(path, { force: true });
    }
  }
}

function pack({ lens, graph: _graph, shortcuts, skills, ...rest }: Resolution): [string, string] {
  const sources: SourceFile[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (source: SourceFile): number => {
    const name = `${source.path}\0${source.file}`;
    const index = indexes.get(name) ?? sources.push(source) - 1;
    indexes.set(name, index);
    return index;
  };
  const nodes = new Map(skills.map(({ skill }, i) => [skill, i]));
  const { skills: ownSkills = [], ...restOfLens } = lens ?? {};
  const body = {
    ...rest,
    shortcuts: [...shortcuts],
    skills: skills.map((skill) => packSkill(skill, indexOf(skill.source))),
    sources,
    ...(lens && { lens: restOfLens }),
  };
  const own = ownSkills.map(({ value, ...item }) => [item, nodes.get(value) ?? value]);
  return [JSON.stringify(body, plain), JSON.stringify(own, plain)];
}

function unpack(bodyText: string, ownText: string): Resolution {
  const { sources, skills: packed, shortcuts, lens, ...rest } = JSON.parse(bodyText) as Body;
  const skills = packed.map((skill) => unpackSkill(skill, sources));
  let own: readonly Merged<Skill>[] | undefined;
  return {
    ...rest,
    lens: lens && {
      ...lens,
      // Most who ask for the lens want to know its name.
      get skills() {
        own ??= (JSON.parse(ownText) as PackedLensSkills).map(([item, value]) => ({
          value: typeof value === 'number' ? skills[value]!.skill : value,
          ...item,
        }));
        return own;
      },
    },
    skills,
    graph: graphOf(skills),
    shortcuts: new Map(shortcuts.map(([key, { skill, id }]) => [key, { skill, id }])),
  };
}

/** YAML can say what JSON cannot, such as `.nan`: what would come back as something else is not kept. */
class NotPlainError extends Error {}

function plain(this: unknown, key: string, value: unknown): unknown {
  // What was there before `toJSON` had its say.
  const given = (this as Record<string, unknown>)[key];
  if (isForeign(given) || (given === undefined && Array.isArray(this))) throw new NotPlainError();
  return value;
}

function isForeign(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value) || Object.is(value, -0);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype !== Object.prototype && prototype !== null;
  }
  return typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol';
}

function isDiskProblem(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
