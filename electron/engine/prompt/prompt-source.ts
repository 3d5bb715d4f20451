import type { PromptSource } from '#shared/prompt/compose-prompt.ts';
import { variablesOf } from '../fingerprint/variables.ts';
import type { MergedLens } from '../resolve/merge.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { promptLens } from './lens-part.ts';

/** What the prompt of one step is made of. */
export function promptSource(
  { lens, node }: { readonly lens: MergedLens | undefined; readonly node: ResolvedSkill },
  given: {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly params: Readonly<Record<string, unknown>>;
    readonly task?: string | undefined;
    readonly now: Date;
    readonly skills?: string | undefined;
    readonly feedback?: PromptSource['feedback'];
  },
): PromptSource {
  const { name, skill, resources } = node;
  const { inputs, params, task, now, skills, feedback } = given;
  return {
    lens: lens && promptLens(lens),
    skill: {
      name,
      description: skill.description,
      instructions: skill.instructions ?? '',
      templates: skill.templates ?? [],
      resources,
    },
    variables: variablesOf(node, { ...params, ...inputs }, now),
    context: { ...params, ...inputs },
    skills,
    task,
    feedback,
    produces: (skill.produces ?? []).map(({ key }) => key),
  };
}
