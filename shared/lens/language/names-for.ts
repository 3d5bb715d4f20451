import type { Completion, LanguageContext } from './completion.ts';
import type { CursorPlace } from './cursor-place.ts';
import type { FileFacts, LanguageFile } from './file-facts.ts';
import { relativePath } from './file-paths.ts';
import type { Mention, SymbolKind } from './mention.ts';
import { namedAt } from './names-at.ts';
import { skillAt } from './skill-at.ts';
import { lookupOf, Symbols } from './symbols.ts';

/** The names that fit the value at the cursor: skills, keys, validators, files … */
export function namesFor(file: LanguageFile, place: CursorPlace, context: LanguageContext): Completion[] {
  const named = namedAt(place.path);
  if (named === undefined) return [];
  if (typeof named !== 'string') {
    return named.map((label, rank) => ({ label, kind: 'value', insert: label, rank }));
  }
  const names = new Names(file, context);
  const skill = skillAt(names.facts, place.path);
  const own = skill?.name;
  switch (named) {
    case 'skill-reference':
      return [...names.skills(own), ...names.qualifiedSkills()].filter(
        ({ label }) =>
          label === place.prefix ||
          !(place.others.includes(label) || skill?.dependsOn?.some(({ text }) => text === label)),
      );
    case 'skill':
      return names.skills(undefined);
    case 'library-or-skill':
      return [...names.qualifiedSkills(), ...names.libraries()];
    case 'library':
      return names.libraries();
    case 'include':
      return names.libraryFiles();
    case 'lens':
      return names.lenses();
    case 'needed-key':
      return names.keys('produces', 'inputs');
    case 'delivered-key':
      return names.keys('requires');
    case 'validator':
    case 'persona':
    case 'preset':
      return names.named(named);
    case 'tool':
      return names.tools();
    case 'file':
      return [];
  }
}

class Names {
  readonly facts: FileFacts;
  readonly #file: LanguageFile;
  readonly #context: LanguageContext;
  readonly #symbols: Symbols;
  readonly #reach: readonly FileFacts[];

  constructor(file: LanguageFile, context: LanguageContext) {
    this.#file = file;
    this.#context = context;
    const others = context.files.filter((other) => other.file !== file.file);
    this.#symbols = new Symbols([file, ...others]);
    this.facts = this.#symbols.files.get(file.file)!;
    this.#reach = this.#symbols.links.reach(this.facts);
  }

  /** Skills by their bare names: of the file and its family first, then of what it includes and searches. */
  skills(except: string | undefined): Completion[] {
    const { links } = this.#symbols;
    const family = this.#family();
    const searched = family.flatMap((file) =>
      file.links.flatMap((link) =>
        link.kind === 'search' || link.kind === 'include'
          ? (links.library(link.library, file.file) ?? [])
          : [],
      ),
    );
    const found = new Map<string, Completion>();
    for (const [rank, file] of [...family, ...searched].entries()) {
      for (const mention of definitions(file, 'skill')) {
        if (mention.name === except || found.has(lookupOf('skill', mention.name))) continue;
        found.set(lookupOf('skill', mention.name), skillItem(mention.name, mention, rank));
      }
    }
    return [...found.values()];
  }

  /** The files whose skills need no library before their names. */
  #family(): readonly FileFacts[] {
    const { links } = this.#symbols;
    const users = this.facts.kind === 'fixtures' ? links.testedBy(this.facts) : [this.facts];
    return users.flatMap((user) => (user.kind === 'lens' ? links.family(user) : [user]));
  }

  /** Skills of other libraries, with the library in front. */
  qualifiedSkills(): Completion[] {
    const { file } = this.#file;
    const workspace = [...this.#symbols.files.values()]
      .filter((other) => other.kind === 'library' && other.file !== file)
      .flatMap((other) =>
        definitions(other, 'skill').map((mention) =>
          skillItem(`${relativePath(file, other.file)}:${mention.name}`, mention, 200),
        ),
      );
    const others = (this.#context.libraries ?? []).flatMap(({ reference, skills }) =>
      skills.map(({ name, description }) =>
        skillItem(`${reference}:${name}`, { file: reference, detail: description }, 300),
      ),
    );
    return [...workspace, ...others];
  }

  libraries(): Completion[] {
    const others = (this.#context.libraries ?? []).map(({ reference }) => reference);
    return [
      ...this.libraryFiles(),
      ...others.map((label) => ({ label, kind: 'file' as const, insert: label, rank: 300 })),
    ];
  }

  libraryFiles(): Completion[] {
    return this.#files('library').map((label) => ({ label, kind: 'file', insert: label, rank: 100 }));
  }

  lenses(): Completion[] {
    const names = this.#symbols.mentions
      .filter(({ kind, role, file }) => kind === 'lens' && role === 'definition' && file !== this.#file.file)
      .map((mention) => nameItem(mention, 0));
    const files = this.#files('lens').map((label) => ({
      ...{ label, kind: 'file' as const, insert: label, rank: 100 },
    }));
    return [...names, ...files];
  }

  /** Context keys that stand under one of these fields, in the files that run together. */
  keys(...fields: readonly string[]): Completion[] {
    const found = new Map<string, Completion>();
    for (const { name, kind, field, skill, file } of this.#mentions()) {
      if (kind !== 'key' || !fields.includes(field) || found.has(name)) continue;
      const detail = skill === undefined ? `input of ${file}` : `${field} · ${skill}`;
      found.set(name, { label: name, kind: 'key', insert: name, detail, rank: 0 });
    }
    return [...found.values()];
  }

  named(kind: SymbolKind): Completion[] {
    const found = new Map<string, Completion>();
    for (const mention of this.#mentions()) {
      if (mention.kind !== kind || mention.role !== 'definition') continue;
      found.set(lookupOf(kind, mention.name), nameItem(mention, 0));
    }
    return [...found.values()];
  }

  tools(): Completion[] {
    const used = [...this.#symbols.files.values()].flatMap(({ skills }) =>
      skills.flatMap(({ allowedTools }) => allowedTools ?? []),
    );
    const tools = new Set([...(this.#context.tools ?? []), ...used]);
    return [...tools].map((label) => ({ label, kind: 'name', insert: label, rank: 0 }));
  }

  /** Of every file that this one takes something from, or that takes something from this one. */
  #mentions(): readonly Mention[] {
    const { files, links } = this.#symbols;
    const users = [...files.values()].filter((file) => links.reach(file).includes(this.facts));
    return [...new Set([...this.#reach, ...users])].flatMap(({ mentions }) => mentions);
  }

  #files(kind: 'lens' | 'library'): string[] {
    const { file } = this.#file;
    return [...this.#symbols.files.values()]
      .filter((other) => other.kind === kind && other.file !== file)
      .map((other) => relativePath(file, other.file));
  }
}

function definitions({ mentions }: FileFacts, wanted: SymbolKind): readonly Mention[] {
  return mentions.filter(({ kind, role }) => kind === wanted && role === 'definition');
}

function skillItem(
  label: string,
  { file, detail }: { file: string; detail?: string | undefined },
  rank: number,
): Completion {
  const told = detail === undefined ? {} : { documentation: detail };
  return { label, kind: 'skill', insert: label, detail: file, rank, ...told };
}

function nameItem({ name, file, detail }: Mention, rank: number): Completion {
  const told = detail === undefined ? {} : { documentation: detail };
  return { label: name, kind: 'name', insert: name, detail: file, rank, ...told };
}
