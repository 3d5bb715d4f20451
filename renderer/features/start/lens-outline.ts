import { buildGraph } from '#shared/graph/skill-graph.ts';
import { waves } from '#shared/graph/waves.ts';
import { readLens } from '#shared/lens/read/lens.ts';
import type { Skill } from '#shared/model/skill.ts';
import { countText } from '#shared/quantities.ts';

/** What a lens would hold, as far as its own text says. */
export interface LensOutline {
  /** Skills by wave, each with what does it. */
  readonly waves: readonly (readonly { name: string; description: string; madeOf: string }[])[];
  /** How it judges, in a few words. */
  readonly judgment: string;
  readonly needsModel: boolean;
}

/** Reads what one would get from a template. */
export function outlineOf(text: string): LensOutline {
  const { value: lens } = readLens(text, 'new.lens');
  const graph = buildGraph(
    lens.skills.map(({ name, dependsOn = [], requires = [], produces = [] }) => ({
      ...{ id: name, name, dependsOn: dependsOn.map((dependency) => dependency.text) },
      ...{ requires: requires.map(({ key }) => key), produces: produces.map(({ key }) => key) },
    })),
  );
  const { deterministic, heuristic } = lens.validators;
  const counts = [
    [lens.heuristics.length, 'heuristic'],
    [lens.personas.length, 'persona'],
    [deterministic.length + heuristic.length, 'validator'],
    [lens.inputs.length, 'input'],
  ] as const;
  return {
    waves: waves(graph).waves.map((wave) => wave.map((node) => describe(lens.skills[node]!))),
    judgment: counts
      .filter(([count]) => count > 0)
      .map(([count, what]) => countText(count, what))
      .join(', '),
    needsModel: lens.skills.some((skill) => skill.instructions !== undefined),
  };
}

function describe({ name, description, scripts, source }: Skill) {
  const madeOf = scripts ? scripts.map(({ language }) => language).join(', ') : source ? 'library' : 'model';
  return { name, description: description ?? source?.text ?? '', madeOf };
}
