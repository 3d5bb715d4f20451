import { isMap, isScalar, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import type { Fixture } from '../../model/fixtures.ts';
import type { Lens, WorkflowStep } from '../../model/lens.ts';
import type { Library } from '../../model/library.ts';
import type { Skill } from '../../model/skill.ts';
import { findPair, pairsOf } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import { parseReference } from '../reference.ts';
import type { LibraryReference } from '../reference.ts';
import type { Mention, SymbolKind } from './mention.ts';
import { scalarStyle, scalarText, spanIn } from './text-span.ts';

type Rest = Omit<Mention, 'file' | 'name' | 'place' | 'span' | 'style' | 'kind'>;

/** Collects what a lens, a library or fixtures name, from what the reader made of it. */
export class MentionReader {
  readonly #source: YamlSource;
  readonly #mentions = new Map<string, Mention>();

  constructor(source: YamlSource) {
    this.#source = source;
  }

  get mentions(): readonly Mention[] {
    return [...this.#mentions.values()];
  }

  lens(lens: Lens): void {
    const { path } = lens;
    const named = { role: 'definition', field: 'name', skill: undefined } as const;
    this.#add('lens', [...path, 'metadata', 'name'], {
      ...named,
      ...detail(lens.metadata.description),
    });
    for (const link of lens.extends ? [lens.extends, ...lens.compose] : lens.compose) {
      if (link.reference?.kind !== 'name') continue;
      const field = link === lens.extends ? 'extends' : 'compose';
      this.#add('lens', this.#inMap(link.path, 'lens'), { role: 'reference', field, skill: undefined });
    }
    for (const { path: at, description } of lens.personas)
      this.#add('persona', [...at, 'name'], { ...named, ...detail(description) });
    for (const validator of [...lens.validators.deterministic, ...lens.validators.heuristic]) {
      const says = validator.description ?? (validator.kind === 'heuristic' ? validator.prompt : undefined);
      this.#add('validator', [...validator.path, 'name'], { ...named, ...detail(says) });
    }
    this.#each('validator', [...path, 'quality_policy', 'required_validators'], 'required_validators');
    this.#keysOf('key', [...path, 'inputs'], 'inputs');
    for (const { path: at } of lens.router?.shortcuts ?? []) this.#reference(at, 'shortcuts');
    for (const { steps } of lens.workflows) for (const step of steps) this.#step(step);
    for (const { path: at, file, names } of lens.includes)
      if (names) this.#included([...at, 'include'], names, { kind: 'path', path: file });
    for (const skill of lens.skills) this.#skill(skill);
  }

  library(library: Library): void {
    for (const skill of library.skills) this.#skill(skill);
    this.#keysOf('preset', ['presets'], 'presets');
  }

  /** A fixture calls its skill by name or by id, which has the file before a colon. */
  fixtures(fixtures: readonly Fixture[]): void {
    for (const { path, skill: text } of fixtures) {
      if (text === undefined) continue;
      const from = text.lastIndexOf(':') + 1;
      const library = from === 0 ? {} : { library: { kind: 'path', path: text.slice(0, from - 1) } as const };
      const rest = { role: 'reference', field: 'skill', skill: undefined, ...library } as const;
      this.#add('skill', [...path, 'skill'], rest, { from, name: text.slice(from) });
    }
  }

  #skill(skill: Skill): void {
    const { path, name } = skill;
    const within = { role: 'reference', skill: name } as const;
    this.#add('skill', [...path, 'name'], {
      role: 'definition',
      field: 'name',
      skill: name,
      ...detail(skill.description),
    });
    for (const dependency of skill.dependsOn ?? []) this.#reference(dependency.path, 'depends_on', name);
    if (skill.source?.reference) this.#reference(skill.source.path, 'source', name);
    for (const field of ['requires', 'produces'] as const) {
      const role = field === 'produces' ? 'definition' : 'reference';
      for (const { path: at } of skill[field] ?? []) this.#add('key', at, { role, field, skill: name });
    }
    this.#each('validator', [...path, 'validate_with', 'validators'], 'validators', name);
    this.#each('persona', [...path, 'validate_with', 'personas'], 'personas', name);
    if (skill.preset !== undefined) this.#add('preset', [...path, 'preset'], { ...within, field: 'preset' });
    const keys = new Set((skill.requires ?? []).map(({ key }) => key));
    if (keys.size === 0) return;
    this.#placeholders([...path, 'instructions'], keys, name);
    skill.scripts?.forEach(({ path: at }) => this.#placeholders([...at, 'args'], keys, name));
    skill.templates?.forEach(({ path: at }) => this.#placeholders([...at, 'content'], keys, name));
  }

  #step(step: WorkflowStep): void {
    if (step.kind === 'skill') this.#reference(this.#inMap(step.path, 'skill'), 'skill');
    else if (step.kind === 'parallel') step.steps.forEach((inner) => this.#step(inner));
    else this.#each('validator', [...step.path, 'quality_gates'], 'quality_gates');
  }

  /** A reference to a skill: a name, or a library and a name behind a colon. */
  #reference(path: Path, field: string, skill?: string): void {
    const text = scalarText(this.#source.find(path));
    const parsed = text === undefined ? undefined : parseReference(text);
    if (text === undefined || parsed?.ok !== true) return; // Malformed: the reader says so.
    const { name, library } = parsed.value;
    const part = { from: text.length - name.length, name };
    this.#add('skill', path, { role: 'reference', field, skill, ...(library && { library }) }, part);
  }

  /** `file.yaml::a, b`: the names of the list, in order. */
  #included(path: Path, names: readonly string[], library: LibraryReference): void {
    const text = scalarText(this.#source.find(path)) ?? '';
    let from = text.indexOf('::') + 2;
    for (const name of names) {
      from = text.indexOf(name, from);
      const rest = { role: 'reference', field: 'include', skill: undefined, library } as const;
      this.#add('skill', path, rest, { from, name });
      from += name.length;
    }
  }

  /** A text, or each text of a list. */
  #each(kind: SymbolKind, path: Path, field: string, skill?: string): void {
    const node = this.#source.find(path);
    const rest = { role: 'reference', field, skill } as const;
    if (isSeq(node)) node.items.forEach((_, index) => this.#add(kind, [...path, index], rest));
    else this.#add(kind, path, rest);
  }

  /** The keys of a map, or the texts of a list: each is a definition. */
  #keysOf(kind: SymbolKind, path: Path, field: string): void {
    const node = this.#source.find(path);
    const rest = { role: 'definition', field, skill: undefined } as const;
    if (isSeq(node)) node.items.forEach((_, index) => this.#add(kind, [...path, index], rest));
    if (!isMap(node)) return;
    pairsOf(node).forEach(({ key, value }, index) => {
      if (key === null) return;
      const description = isMap(value) ? scalarText(findPair(value, 'description')?.value) : undefined;
      this.#addNode(kind, key, { place: `${path.join('/')}#${index}` }, { ...rest, ...detail(description) });
    });
  }

  /** `${key}` in a text or in the texts of a list, where the skill requires the key. */
  #placeholders(path: Path, keys: ReadonlySet<string>, skill: string): void {
    const node = this.#source.find(path);
    if (isSeq(node)) {
      node.items.forEach((_, index) => this.#placeholders([...path, index], keys, skill));
      return;
    }
    if (!isScalar(node)) return;
    const raw = this.#source.text.slice(node.range[0], node.range[1]);
    for (const match of raw.matchAll(placeholder)) {
      const name = match[1]!;
      if (!keys.has(name)) continue;
      const start = node.range[0] + match.index + 2;
      this.#keep({
        ...{ kind: 'key', role: 'reference', field: 'placeholder', skill, name, style: undefined },
        ...{ file: this.#source.file, place: `${path.join('/')}#${match.index}` },
        span: { start, end: start + name.length },
      });
    }
  }

  /** The path of the text itself, where an entry may be a text or a map that holds it under a key. */
  #inMap(path: Path, key: string): Path {
    return isMap(this.#source.find(path)) ? [...path, key] : path;
  }

  #add(kind: SymbolKind, path: Path, rest: Rest, part?: { from: number; name: string }): void {
    const node = this.#source.find(path);
    if (node !== undefined) this.#addNode(kind, node, { place: path.join('/'), ...part }, rest);
  }

  #addNode(
    kind: SymbolKind,
    node: ParsedNode,
    { place, from, name }: { place: string; from?: number; name?: string },
    rest: Rest,
  ): void {
    const text = scalarText(node);
    if (text === undefined) return;
    const part = name ?? text;
    const isWhole = part.length === text.length;
    this.#keep({
      ...rest,
      ...{ kind, name: part, file: this.#source.file, place: isWhole ? place : `${place}#${from ?? 0}` },
      span: spanIn(this.#source.text, node, from ?? 0, part.length),
      style: isWhole ? scalarStyle(node) : undefined,
    });
  }

  /** An anchored text is reached once for itself and once for each alias, but stands in one place. */
  #keep(mention: Mention): void {
    const { kind, role, span, place } = mention;
    const key = span === undefined ? `${kind} ${place}` : `${kind} ${role} ${span.start}`;
    if (!this.#mentions.has(key)) this.#mentions.set(key, mention);
  }
}

const placeholder = /\$\{([^{}]*)\}/g;

function detail(text: string | undefined): { detail?: string } {
  return text === undefined ? {} : { detail: text };
}
