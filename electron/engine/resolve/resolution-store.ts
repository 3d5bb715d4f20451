import { join } from 'node:path';
import type { Skill } from '#shared/model/skill.ts';
import { isPlainMap } from '#shared/plain-map.ts';
import { SignedFiles } from '../store/signed-files.ts';
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

/**
 * Finished resolutions in `$SUNWELL_HOME/resolved`, so that a new process need not parse what an earlier one did. A file
 * is four lines, so that a reader takes only what it needs: signature, footprint, all but the lens's skills, those.
 */
export class ResolutionStore {
  readonly #files: SignedFiles;

  constructor({ home, key, build }: ResolutionStoreOptions) {
    const limits = { maxFiles: 64, maxBytes: 64 * 1024 * 1024 };
    this.#files = new SignedFiles({ folder: join(home, 'resolved'), key, build, ...limits });
  }

  /** Undefined when there is none, or one that is damaged, foreign or of another version of the program. */
  read(name: string): KeptResolution | undefined {
    const text = this.#files.read(name)?.toString();
    if (text === undefined) return undefined;
    const bodyAt = text.indexOf('\n') + 1;
    const ownAt = text.indexOf('\n', bodyAt) + 1;
    const footprint = JSON.parse(text.slice(0, bodyAt)) as FootprintRecord;
    return { footprint, resolution: () => unpack(text.slice(bodyAt, ownAt), text.slice(ownAt)) };
  }

  /** Keeps a resolution if it can be kept. */
  write(name: string, footprint: FootprintRecord, resolution: Resolution): void {
    try {
      this.#files.write(name, [JSON.stringify(footprint), ...pack(resolution)].join('\n'));
    } catch (error) {
      if (!(error instanceof NotPlainError)) throw error;
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
  if (isPlainMap(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype !== Object.prototype && prototype !== null;
  }
  return typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol';
}
