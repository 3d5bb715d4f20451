import type { WorkflowStep } from '#shared/model/lens.ts';
import type { ResolvedSkill } from './nodes.ts';
import { graphOf } from './resolved-graph.ts';
import type { Resolution } from './resolve.ts';

export type WorkflowAction = Extract<WorkflowStep, { kind: 'action' }>;

/** What an action may look at; it proposes nothing but words. */
const readingTools = ['Read', 'Glob', 'Grep'];

/**
 * The lens with one skill alone: an action of a workflow, for a model to work on with the judgment of the lens and the
 * context that earlier steps delivered under these keys. Its quality gates are its validators.
 */
export function withAction(
  resolution: Resolution,
  step: WorkflowAction,
  keys: readonly string[],
): Resolution {
  const { source, skills } = resolution;
  const { at, path, action, qualityGates } = step;
  const taken = new Set(skills.map(({ name }) => name));
  const name = free(nameOf(step), taken);
  const node: ResolvedSkill = {
    id: `${source.file}:${name}`,
    name,
    kind: 'own',
    skill: {
      ...{ name, at, path },
      description: step.name ?? 'An action of a workflow',
      type: 'inline',
      instructions: action,
      requires: keys.map((key) => ({ key, at, path })),
      allowedTools: readingTools,
      ...(qualityGates && { validateWith: { validators: [...qualityGates] } }),
    },
    source,
    origin: at,
    scripts: [],
    resources: [],
    permissions: undefined,
    dependsOn: [],
  };
  return { ...resolution, skills: [node], graph: graphOf([node]), shortcuts: new Map() };
}

function nameOf({ name, action }: WorkflowAction): string {
  const words = (name ?? action).toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const slug = words.slice(0, 6).join('-').slice(0, 60);
  return /^[a-z]/.test(slug) ? slug : `action-${slug}`.replace(/-$/, '');
}

/** A result must never be taken for that of a skill of the same name. */
function free(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? free(`${name}-action`, taken) : name;
}
