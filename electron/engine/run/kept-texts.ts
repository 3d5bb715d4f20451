import { canonicalJson } from '#shared/graph/canonical-json.ts';
import { fileListOf } from '../fingerprint/file-list.ts';
import { longestKeptText } from '../plan/miss-reasons.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { valueText } from '../store/digest.ts';

/** The texts behind the digests of a step's fingerprint, so that a later plan can show what changed, line by line. */
export function keptTexts(step: {
  readonly node: ResolvedSkill;
  readonly files: ReadonlyMap<string, string> | undefined;
  /** Of the inputs and parameters it was given. */
  readonly values: readonly unknown[];
  /** The task, and what the lens tells the model of the step. */
  readonly told: readonly (string | undefined)[];
}): string[] {
  const { skill, scripts, resources, permissions } = step.node;
  const defined = [skill.parametersSchema, permissions].filter((value) => value !== undefined);
  const values = step.values.filter((value) => value !== undefined);
  const texts = [
    skill.instructions,
    ...step.told,
    ...scripts.map(({ content }) => content),
    ...(skill.templates ?? []).map(({ content }) => content),
    ...resources.map(({ content }) => content),
    ...values.map((value) => valueText(value)),
    ...defined.map((value) => canonicalJson(value)),
  ].filter((text) => text !== undefined && text.length <= longestKeptText);
  // However long: without it nobody can say which of the files changed.
  return step.files ? [...(texts as string[]), fileListOf(step.files).text] : (texts as string[]);
}
