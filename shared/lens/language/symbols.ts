import { lookupName, lookupSkillName } from '../names.ts';
import { factsOf } from './file-facts.ts';
import type { FileFacts, LanguageFile } from './file-facts.ts';
import { Groups } from './groups.ts';
import { joinSkills } from './join-skills.ts';
import type { Mention, SymbolKind } from './mention.ts';
import { WorkspaceLinks } from './workspace-links.ts';

/** The form under which a name of this kind is looked up. */
export function lookupOf(kind: SymbolKind, name: string): string {
  if (kind === 'skill') return lookupSkillName(name);
  return kind === 'key' ? name : lookupName(name);
}

interface Joined {
  readonly groups: Groups<Mention>;
  readonly tested: ReadonlyMap<Mention, readonly Mention[]>;
}

/** Everything that the lenses, libraries and fixtures of a workspace name, and which of those names mean the same. */
export class Symbols {
  readonly files: ReadonlyMap<string, FileFacts>;
  readonly links: WorkspaceLinks;
  readonly mentions: readonly Mention[];
  #joined: Joined | undefined;

  constructor(files: readonly LanguageFile[]) {
    this.files = new Map(files.map((file) => [file.file, factsOf(file)]));
    this.links = new WorkspaceLinks(this.files);
    this.mentions = [...this.files.values()].flatMap(({ mentions }) => mentions);
  }

  /** Who only wants to know which names there are should not wait until all are compared. */
  get #all(): Joined {
    if (this.#joined) return this.#joined;
    const groups = new Groups<Mention>();
    this.#joined = { groups, tested: joinSkills(this.files, this.links, groups) };
    this.#joinLenses(groups);
    for (const file of this.files.values()) this.#joinNames(file, groups);
    return this.#joined;
  }

  /** The skills that each reference of fixtures means, one for every lens that they belong to where those differ. */
  get tested(): ReadonlyMap<Mention, readonly Mention[]> {
    return this.#all.tested;
  }

  /** The mention whose name holds an offset, its end included. */
  at(file: string, offset: number): Mention | undefined {
    const all = this.files.get(file)?.mentions ?? [];
    return all.find(({ span }) => span !== undefined && span.start <= offset && offset <= span.end);
  }

  /** Every mention of what this one names, itself included. */
  same(mention: Mention): readonly Mention[] {
    return this.#all.groups.of(mention, this.mentions);
  }

  /**
   * What the names of one kind mean in lenses and libraries: each group as the places of its mentions. Two equal answers:
   * no name changed its meaning.
   */
  meaning(kind: SymbolKind): string {
    const own = this.mentions.filter(
      (mention) => mention.kind === kind && this.files.get(mention.file)!.kind !== 'fixtures',
    );
    const groups = this.#all.groups.partition(own);
    const told = groups
      .filter(({ length }) => length > 1)
      .map((group) => group.map(({ file, place, role }) => `${file} ${place} ${role}`).sort());
    return JSON.stringify(told.sort((a, b) => (a[0]! < b[0]! ? -1 : 1)));
  }

  /** A lens is called by the name in its metadata. */
  #joinLenses(groups: Groups<Mention>): void {
    for (const mention of this.mentions) {
      if (mention.kind !== 'lens' || mention.role !== 'reference') continue;
      const found = this.links.lensesNamed(mention.name);
      const definition = found[0]?.mentions.find(
        ({ kind, role }) => kind === 'lens' && role === 'definition',
      );
      const isByName = definition && lookupName(definition.name) === lookupName(mention.name);
      if (found.length === 1 && isByName) groups.join(definition, mention);
    }
  }

  /** Keys, validators, personas and presets are one where one file brings them together. */
  #joinNames(file: FileFacts, groups: Groups<Mention>): void {
    const first = new Map<string, Mention>();
    for (const { mentions } of this.links.reach(file)) {
      for (const mention of mentions) {
        if (mention.kind === 'skill' || mention.kind === 'lens') continue;
        const key = `${mention.kind} ${lookupOf(mention.kind, mention.name)}`;
        const known = first.get(key);
        if (known) groups.join(known, mention);
        else first.set(key, mention);
      }
    }
  }
}
