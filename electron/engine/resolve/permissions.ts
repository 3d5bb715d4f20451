import { dirname, join } from 'node:path';
import { lookupName } from '#shared/lens/names.ts';
import { quote } from '#shared/lens/problems.ts';
import type { Preset } from '#shared/model/library.ts';
import type { Skill } from '#shared/model/skill.ts';
import { isPlainMap } from '#shared/plain-map.ts';
import type { Libraries, Library } from './libraries.ts';
import { sourceFile } from './place.ts';
import type { SourceFile } from './place.ts';
import type { Session } from './session.ts';

/** Finds presets for skills: in the libraries at hand, beside the defining file, and among the built-in ones. */
export class Presets {
  readonly #session: Session;
  readonly #libraries: Libraries;
  readonly #searched: readonly Library[];
  readonly #besideFolders = new Map<string, Promise<readonly Preset[]>>();

  constructor(session: Session, libraries: Libraries, searched: readonly Library[]) {
    this.#session = session;
    this.#libraries = libraries;
    this.#searched = searched;
  }

  /** The permissions a skill asks for: its preset's with its own laid over, in objects of its own. */
  async permissionsOf(skill: Skill, source: SourceFile): Promise<unknown> {
    if (skill.preset === undefined) return structuredClone(skill.permissions);
    const preset = await this.#find(skill.preset, source);
    if (!preset) {
      this.#session.report(
        'preset.not-found',
        skill.at,
        `Cannot find the permission preset ${quote(skill.preset)}`,
      );
    }
    // Two skills with one preset must not share an object: narrowing one would narrow the other.
    return layOver(structuredClone(preset?.permissions), structuredClone(skill.permissions));
  }

  async #find(name: string, source: SourceFile): Promise<Preset | undefined> {
    const wanted = lookupName(name);
    const isWanted = (preset: Preset): boolean => lookupName(preset.name) === wanted;
    const searched = this.#searched.flatMap((library) => library.presets.map(({ preset }) => preset));
    return (
      searched.find(isWanted) ??
      (await this.#beside(source)).find(isWanted) ??
      (await this.#builtin(source)).find(isWanted)
    );
  }

  async #builtin(source: SourceFile): Promise<readonly Preset[]> {
    const { label } = this.#session.options.builtin;
    const library = await this.#libraries.load({ kind: 'builtin', name: label }, source);
    return 'problem' in library ? [] : library.presets.map(({ preset }) => preset);
  }

  /** Presets of the defining file's folder. Those files are no part of the lens, so their problems are not its own. */
  #beside(source: SourceFile): Promise<readonly Preset[]> {
    const folder = dirname(source.path);
    let found = this.#besideFolders.get(folder);
    if (!found) {
      found = this.#readBeside(source, folder);
      this.#besideFolders.set(folder, found);
    }
    return found;
  }

  async #readBeside(source: SourceFile, folder: string): Promise<readonly Preset[]> {
    const presets: Preset[] = [];
    const names = await this.#session.namesIn(folder);
    for (const name of names.filter((candidate) => /\.ya?ml$/.test(candidate))) {
      const read = this.#session.text(join(folder, name));
      if ('problem' in read || !/^presets:/m.test(read.text)) continue;
      const file = sourceFile(source.place, join(folder, name));
      presets.push(...this.#session.options.cache.library(file, read.text).value.presets);
    }
    return presets;
  }
}

function layOver(base: unknown, over: unknown): unknown {
  if (!isPlainMap(base) || !isPlainMap(over)) return over ?? base;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, layOver(base[key], over[key])]));
}
