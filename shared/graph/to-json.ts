import type { Diagnostic } from '../model/diagnostic.ts';
import type { GraphDocument, GraphDocumentSkill, GraphDocumentWave } from '../model/graph-document.ts';
import { labels } from './labels.ts';
import type { SkillGraph } from './skill-graph.ts';
import { waves } from './waves.ts';

/** What the graph itself does not know: `skillOf` describes a skill, `durationsMs` says how long it took before. */
export interface GraphDocumentOptions<Skill extends GraphDocumentSkill> {
  readonly lensName: string;
  readonly contentHash: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly skillOf: (node: number) => Skill;
  readonly durationsMs?: ArrayLike<number | undefined>;
}

/** The graph as one JSON document, with skills in wave order, the same for any order of declaration. */
export function toJson<Skill extends GraphDocumentSkill>(
  graph: SkillGraph,
  options: GraphDocumentOptions<Skill>,
): GraphDocument & { skills: Record<string, Skill> } {
  const { lensName, contentHash, diagnostics, skillOf, durationsMs } = options;
  const label = labels(graph);
  const placed = waves(graph);
  // Entries are defined, not assigned: a skill that calls itself `__proto__` would otherwise vanish.
  const skills = Object.fromEntries(
    [...placed.waves.flat(), ...placed.unplaced].map((node) => [label[node]!, skillOf(node)]),
  );
  return {
    lensName,
    skills,
    waves: placed.waves.map((nodes, waveIndex): GraphDocumentWave => {
      const known = nodes.map((node) => durationsMs?.[node]).filter((duration) => duration !== undefined);
      const wave = { waveIndex, skills: nodes.map((node) => label[node]!) };
      return known.length > 0
        ? { ...wave, estimatedDurationMs: known.reduce((a, b) => Math.max(a, b)) }
        : wave;
    }),
    unplaced: placed.unplaced.map((node) => label[node]!),
    contentHash,
    diagnostics: [...diagnostics],
  };
}
