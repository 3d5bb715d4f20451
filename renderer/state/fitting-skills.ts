import type { LibrarySkill } from '#shared/model/library-skill.ts';
import type { DrawnSkill, GraphDrawing } from './graph-drawing.ts';

/** One way to go on from a port: tie a skill of the graph, use one of a library, or write a new one. */
export type Offer =
  | { readonly kind: 'graph'; readonly key: string; readonly detail: string }
  | { readonly kind: 'library'; readonly skill: LibrarySkill; readonly detail: string }
  | { readonly kind: 'new'; readonly keys: readonly string[] };

interface FittingOptions {
  readonly drawing: GraphDrawing;
  readonly drawn: DrawnSkill;
  readonly side: 'in' | 'out';
  readonly library: readonly LibrarySkill[];
  /** Why two skills cannot be tied; undefined where they can. */
  readonly whyNot: (pair: { from: string; to: string }) => string | undefined;
}

/**
 * What fits to a port: behind an output the skills that require one of its keys, before an input those that produce one.
 * A skill without keys fits to every other of the graph.
 */
export function fittingSkills({ drawing, drawn, side, library, whyNot }: FittingOptions): Offer[] {
  const keys = side === 'out' ? drawn.skill.produces : drawn.skill.requires;
  const shared = (other: { requires: readonly string[]; produces: readonly string[] }): string[] =>
    (side === 'out' ? other.requires : other.produces).filter((key) => keys.includes(key));
  const verb = side === 'out' ? 'requires' : 'produces';
  const graph = drawing.skills.flatMap((other): Offer[] => {
    const pair = side === 'out' ? { from: drawn.key, to: other.key } : { from: other.key, to: drawn.key };
    const common = shared(other.skill);
    if (other.key === drawn.key || whyNot(pair) !== undefined) return [];
    if (keys.length > 0 && common.length === 0) return [];
    const detail = common.length > 0 ? `${verb} ${common.join(', ')}` : (other.skill.description ?? '');
    return [{ kind: 'graph', key: other.key, detail }];
  });
  const known = new Set(drawing.skills.map(({ skill }) => skill.id));
  const names = new Set(drawing.skills.map(({ skill }) => skill.name));
  const others = library.flatMap((skill): Offer[] => {
    const common = shared(skill);
    if (common.length === 0 || known.has(skill.id) || names.has(skill.name)) return [];
    return [{ kind: 'library', skill, detail: `${verb} ${common.join(', ')} · ${skill.library}` }];
  });
  return [...graph, ...others, { kind: 'new', keys }];
}
