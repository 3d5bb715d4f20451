import { lookupName, lookupSkillName } from '#shared/lens/names.ts';
import { quote } from '#shared/lens/problems.ts';
import type { Diagnostic, Location } from '#shared/model/diagnostic.ts';
import type {
  AntiHeuristic,
  DeterministicValidator,
  Framework,
  Heuristic,
  HeuristicValidator,
  Include,
  Lens,
  Metadata,
  Persona,
  QualityPolicy,
  Router,
  RunInput,
  Shortcut,
  SkillRetry,
  SkillSourceEntry,
  Workflow,
} from '#shared/model/lens.ts';
import type { Skill } from '#shared/model/skill.ts';
import type { Layer, Layers } from './layers.ts';
import type { SourceFile } from './place.ts';
import type { Session } from './session.ts';

/** An item of a merged lens: what it says, the file it comes from, and what it replaced there. */
export interface Merged<T> {
  readonly value: T;
  readonly source: SourceFile;
  readonly origin: Location;
  readonly overrides?: Location;
}

/** A lens with everything it extends and composes, each item with its origin. */
export interface MergedLens {
  readonly source: SourceFile;
  readonly metadata: Metadata;
  readonly extended: readonly string[];
  readonly heuristics: readonly Merged<Heuristic>[];
  readonly antiHeuristics: readonly Merged<AntiHeuristic>[];
  readonly personas: readonly Merged<Persona>[];
  readonly validators: {
    readonly deterministic: readonly Merged<DeterministicValidator>[];
    readonly heuristic: readonly Merged<HeuristicValidator>[];
  };
  readonly workflows: readonly Merged<Workflow>[];
  readonly shortcuts: readonly Merged<Shortcut>[];
  readonly inputs: readonly Merged<RunInput>[];
  readonly skills: readonly Merged<Skill>[];
  readonly includes: readonly Merged<Include>[];
  readonly skillSources: readonly Merged<SkillSourceEntry>[];
  readonly communication?: Lens['communication'];
  readonly framework?: Framework;
  readonly qualityPolicy: QualityPolicy;
  readonly skillRetry: SkillRetry;
  readonly router: Omit<Router, 'shortcuts'>;
  /** Errors that may have cost it judges, here or in a lens that it builds on; nothing runs or is judged by it then. */
  readonly gaps: readonly Diagnostic[];
}

/** Lays the layers over one another, weakest first: items by name, explicit values by nearness. */
export function mergeLayers(session: Session, { layers, extended, gaps }: Layers): MergedLens {
  const top = layers[layers.length - 1]!;
  const named = <T extends Item>(
    pick: (lens: Lens) => readonly T[],
    what: string,
    by = lookupName,
  ): Merged<T>[] => mergeNamed({ session, layers, pick, what, by });
  const all = <T extends { at: Location }>(pick: (lens: Lens) => readonly T[]): Merged<T>[] =>
    [...layers]
      .reverse()
      .flatMap(({ lens, source }) => pick(lens).map((value) => ({ value, source, origin: value.at })));
  const nearest = <T>(pick: (lens: Lens) => T | undefined): T | undefined =>
    layers.reduce<T | undefined>((found, { lens }) => pick(lens) ?? found, undefined);
  const communication = nearest((lens) => lens.communication);
  const framework = nearest((lens) => lens.framework);

  return {
    source: top.source,
    metadata: mergeMetadata(layers),
    extended,
    heuristics: named((lens) => lens.heuristics, 'heuristic'),
    antiHeuristics: named((lens) => lens.antiHeuristics, 'anti-heuristic'),
    personas: named((lens) => lens.personas, 'persona'),
    validators: {
      deterministic: named((lens) => lens.validators.deterministic, 'validator'),
      heuristic: named((lens) => lens.validators.heuristic, 'validator'),
    },
    workflows: named((lens) => lens.workflows, 'workflow'),
    shortcuts: named(
      (lens) => (lens.router?.shortcuts ?? []).map((item) => ({ ...item, name: item.key })),
      'shortcut',
    ),
    inputs: named(
      (lens) => lens.inputs,
      'input',
      (name) => name,
    ),
    skills: named((lens) => lens.skills, 'skill', lookupSkillName),
    includes: all((lens) => lens.includes),
    skillSources: all((lens) => lens.skillSources),
    ...(communication ? { communication } : {}),
    ...(framework ? { framework } : {}),
    qualityPolicy: mergeFields(layers, (lens) => lens.qualityPolicy),
    skillRetry: mergeFields(layers, (lens) => lens.skillRetry),
    router: mergeFields(layers, (lens) => withoutShortcuts(lens.router)),
    gaps,
  };
}

interface Item {
  readonly name: string;
  readonly at: Location;
  readonly override?: boolean;
}

/** An item that replaces another keeps its place in the list, so that adding an override reorders nothing. */
function mergeNamed<T extends Item>(options: {
  session: Session;
  layers: readonly Layer[];
  pick: (lens: Lens) => readonly T[];
  what: string;
  by: (name: string) => string;
}): Merged<T>[] {
  const { session, layers, pick, what, by } = options;
  const merged = new Map<string, Merged<T>>();
  const top = layers[layers.length - 1];
  for (const layer of layers) {
    for (const value of pick(layer.lens)) {
      const key = by(value.name);
      const old = merged.get(key);
      const item = { value, source: layer.source, origin: value.at };
      if (!old || old.source === layer.source) {
        merged.set(key, old?.overrides ? { ...item, overrides: old.overrides } : item);
        continue;
      }
      merged.set(key, { ...item, overrides: old.origin });
      if (layer === top && value.override !== true) noteOverride(session, what, value, old);
    }
  }
  return [...merged.values()];
}

function noteOverride(session: Session, what: string, own: Item, inherited: Merged<Item>): void {
  const { file, line } = inherited.origin;
  session.report(
    'lens.overrides',
    own.at,
    `The ${what} ${quote(own.name)} replaces the one of ${file}:${line}`,
    {
      related: [{ message: `Replaced ${what}`, location: inherited.origin }],
    },
  );
}

/** Name and version are the lens's own; a child does not become its parent by leaving them out. */
function mergeMetadata(layers: readonly Layer[]): Metadata {
  const own = layers[layers.length - 1]!.lens.metadata;
  const {
    name: _name,
    version: _version,
    ...inherited
  } = mergeFields(layers.slice(0, -1), (lens) => lens.metadata);
  return { ...inherited, ...own };
}

/** Each field by itself: the nearest explicit value wins, also where it equals the default. */
function mergeFields<T extends object>(layers: readonly Layer[], pick: (lens: Lens) => T | undefined): T {
  return Object.assign({}, ...layers.map(({ lens }) => definedFields(pick(lens)))) as T;
}

function definedFields(value: object | undefined): object {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, field]) => field !== undefined));
}

function withoutShortcuts(router: Router | undefined): Omit<Router, 'shortcuts'> | undefined {
  if (!router) return undefined;
  const { shortcuts: _shortcuts, ...rest } = router;
  return rest;
}
