import { lookupSkillName } from '../names.ts';
import type { Skill } from '../../model/skill.ts';
import type { FileFacts } from './file-facts.ts';
import { folderOf } from './file-paths.ts';
import type { Groups } from './groups.ts';
import type { Mention } from './mention.ts';
import type { WorkspaceLinks } from './workspace-links.ts';

type Skills = ReadonlyMap<string, readonly Mention[]>;

/**
 * Joins each reference to a skill with what it means by the rules of resolving, and entries that stand for one skill.
 * Answers what the references of fixtures may mean, which several lenses can share.
 */
export function joinSkills(
  files: ReadonlyMap<string, FileFacts>,
  links: WorkspaceLinks,
  groups: Groups<Mention>,
): ReadonlyMap<Mention, readonly Mention[]> {
  const joiner = new SkillJoiner(links, groups);
  const all = [...files.values()];
  joiner.joinAll(all.filter(({ kind }) => kind !== 'fixtures'));
  return joiner.joinFixtures(all.filter(({ kind }) => kind === 'fixtures'));
}

class SkillJoiner {
  readonly #links: WorkspaceLinks;
  readonly #groups: Groups<Mention>;
  readonly #defined = new Map<FileFacts, Skills>();

  constructor(links: WorkspaceLinks, groups: Groups<Mention>) {
    this.#links = links;
    this.#groups = groups;
  }

  joinAll(files: readonly FileFacts[]): void {
    for (const file of files) {
      for (const definitions of this.#definitions(file).values()) this.#groups.joinAll(definitions);
      for (const reference of references(file)) this.#joinQualified(reference, file);
      for (const skill of file.skills) this.#joinSource(skill, file);
      if (file.kind === 'lens') this.#joinLens(file);
      else this.#joinLibrary(file);
    }
  }

  joinFixtures(files: readonly FileFacts[]): ReadonlyMap<Mention, readonly Mention[]> {
    const tested = new Map<Mention, readonly Mention[]>();
    for (const file of files) {
      const users = this.#links.testedBy(file);
      for (const reference of references(file)) {
        const found = [...new Set(users.flatMap((user) => this.#tested(reference, user)))];
        tested.set(reference, found);
        this.#join(reference, found);
      }
    }
    return tested;
  }

  /** What a fixture means in the graph of a lens or library. */
  #tested({ name, library }: Mention, user: FileFacts): readonly Mention[] {
    if (library) return this.#inFiles(name, this.#links.library(library, '') ?? []);
    const family = this.#links.family(user);
    const around = this.#links
      .reach(user)
      .flatMap((one) => (one.kind === 'library' ? this.#links.librariesIn(folderOf(one.file)) : [one]));
    const nearest = [this.#inFiles(name, family), this.#included(name, family), this.#inFiles(name, around)];
    return nearest.find((found) => found.length > 0) ?? [];
  }

  #joinQualified(reference: Mention, { file }: FileFacts): void {
    if (!reference.library) return;
    this.#join(reference, this.#inFiles(reference.name, this.#links.library(reference.library, file) ?? []));
  }

  /** An entry that takes its definition from a skill of the same name is that skill, as far as names go. */
  #joinSource({ name, source }: Skill, file: FileFacts): void {
    const library = source?.library ?? source?.reference?.library;
    const target = source?.reference?.name ?? name;
    if (!library || lookupSkillName(target) !== lookupSkillName(name)) return;
    const found = this.#inFiles(target, this.#links.library(library, file.file) ?? []);
    const own = this.#definitions(file).get(lookupSkillName(name));
    if (own?.[0]) this.#join(own[0], found);
  }

  #joinLibrary(file: FileFacts): void {
    const siblings = this.#links.librariesIn(folderOf(file.file));
    for (const reference of bareReferences(file)) {
      const own = this.#inFiles(reference.name, [file]);
      this.#join(reference, own.length > 0 ? own : this.#inFiles(reference.name, siblings));
    }
  }

  /** Own and inherited skills first, then included ones, then those of the libraries it searches. */
  #joinLens(lens: FileFacts): void {
    const family = this.#links.family(lens);
    const own = (name: string): readonly Mention[] => this.#inFiles(name, family);
    // A skill that replaces an inherited one must keep its name, or it would replace nothing.
    for (const name of new Set(family.flatMap((file) => [...this.#definitions(file).keys()])))
      this.#groups.joinAll(own(name));
    for (const file of family) this.#joinReplacedIncludes(file, own);
    const searched = family.flatMap((file) =>
      file.links.flatMap((link) =>
        link.kind === 'search' ? (this.#links.library(link.library, file.file) ?? []) : [],
      ),
    );
    for (const file of family) {
      for (const reference of bareReferences(file)) {
        const { name } = reference;
        const nearest = [own(name), this.#included(name, family), this.#inFiles(name, searched)];
        this.#join(reference, nearest.find((found) => found.length > 0) ?? []);
      }
    }
  }

  #joinReplacedIncludes(file: FileFacts, own: (name: string) => readonly Mention[]): void {
    for (const { name, mentions } of this.#includedSkills(file)) {
      const replacing = own(name)[0];
      if (replacing) for (const mention of mentions) this.#groups.join(replacing, mention);
    }
  }

  #included(name: string, family: readonly FileFacts[]): readonly Mention[] {
    const wanted = lookupSkillName(name);
    return family.flatMap((file) =>
      this.#includedSkills(file).flatMap((skill) => (skill.name === wanted ? skill.mentions : [])),
    );
  }

  #includedSkills(file: FileFacts): { name: string; mentions: readonly Mention[] }[] {
    return file.links.flatMap((link) => {
      if (link.kind !== 'include') return [];
      const wanted = link.names && new Set(link.names.map(lookupSkillName));
      return (this.#links.library(link.library, file.file) ?? []).flatMap((library) =>
        [...this.#definitions(library)].flatMap(([name, mentions]) =>
          !wanted || wanted.has(name) ? [{ name, mentions }] : [],
        ),
      );
    });
  }

  /** A name that several files could mean is an error of its own, and belongs to none of them. */
  #join(one: Mention, meant: readonly Mention[]): void {
    const isOne = this.#groups.partition(meant).length === 1;
    if (isOne) this.#groups.join(meant[0]!, one);
  }

  #inFiles(name: string, files: readonly FileFacts[]): readonly Mention[] {
    const wanted = lookupSkillName(name);
    return [...new Set(files)].flatMap((file) => this.#definitions(file).get(wanted) ?? []);
  }

  #definitions(file: FileFacts): Skills {
    let defined = this.#defined.get(file);
    if (!defined) {
      const byName = new Map<string, Mention[]>();
      for (const mention of file.mentions) {
        if (mention.kind !== 'skill' || mention.role !== 'definition') continue;
        const name = lookupSkillName(mention.name);
        byName.set(name, [...(byName.get(name) ?? []), mention]);
      }
      this.#defined.set(file, (defined = byName));
    }
    return defined;
  }
}

function references({ mentions }: FileFacts): readonly Mention[] {
  return mentions.filter(({ kind, role }) => kind === 'skill' && role === 'reference');
}

function bareReferences(file: FileFacts): readonly Mention[] {
  return references(file).filter(({ library }) => library === undefined);
}
