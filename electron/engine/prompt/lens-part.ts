import { skillContent } from '#shared/agent-skills/disclosure.ts';
import { lensText, type PromptLens } from '#shared/prompt/lens-text.ts';
import type { MergedLens } from '../resolve/merge.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import type { Resolution } from '../resolve/resolve.ts';
import { offeredSections } from './offered-skills.ts';

/** What of a lens a model reads. */
export function promptLens({
  metadata,
  heuristics,
  antiHeuristics,
  communication,
  framework,
}: MergedLens): PromptLens {
  return {
    metadata,
    heuristics: heuristics.map(({ value }) => value),
    antiHeuristics: antiHeuristics.map(({ value }) => value),
    communication,
    framework,
  };
}

const texts = new WeakMap<MergedLens, string>();

/** Everything beyond the skill itself that its lens tells a model, as one text: what changes it changes the results. */
export function lensPart(resolution: Resolution, node: ResolvedSkill): string {
  const { lens } = resolution;
  let text = lens && texts.get(lens);
  if (lens && text === undefined) texts.set(lens, (text = lensText(promptLens(lens))));
  const opened = offeredSections(resolution, node).flatMap(({ title, skills }) => [
    title,
    ...skills.map((skill) => `${skill.description}\n${skillContent(skill)}`),
  ]);
  return [text ?? '', ...opened].join('\n\n');
}
