import { skillContent } from '#shared/agent-skills/disclosure.ts';
import { exportSkills } from '../../agent-skills/export-skills.ts';
import type { SkillSource } from '../../agent-skills/prepare-skill.ts';
import { offeredSections } from '../../prompt/offered-skills.ts';
import type { ResolvedSkill } from '../../resolve/nodes.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import type { AgentOutcome } from '../../sandbox/agent-request.ts';
import { problemOfPath } from '../../tools/proposed-path.ts';
import type { StepView } from '../../tools/step-view.ts';
import type { ToolRules } from '../../tools/tool-rules.ts';
import type { ProposedChange } from '../step-result.ts';

/** The skills that a step may open, as an agent gets them: each one in its home or in its prompt, never in both. */
export interface AgentSkills {
  readonly installed: readonly SkillSource[];
  readonly prompt: string | undefined;
}

/** Skills with tools of their own stay in the prompt: an agent's home knows nothing of what they may use. */
export async function agentSkills(resolution: Resolution, node: ResolvedSkill): Promise<AgentSkills> {
  const offered = offeredSections(resolution, node).flatMap(({ skills }) => skills);
  const nodes = resolution.skills.filter((other) => other !== node);
  const isInstalled = ({ skill }: ResolvedSkill): boolean => (skill.allowedTools ?? []).length === 0;
  const meant = offered.flatMap((offer) => {
    const found = nodes.find(({ name }) => name === offer.name);
    return found ? [{ offer, found }] : [];
  });
  const trees = await exportSkills(
    resolution,
    meant.flatMap(({ found }) => (isInstalled(found) ? [found] : [])),
  );
  const texts = meant.flatMap(({ offer, found }) => (isInstalled(found) ? [] : [skillContent(offer)]));
  return {
    installed: trees.map((tree) => ({ kind: 'tree', ...tree })),
    prompt: texts.length === 0 ? undefined : texts.join('\n\n'),
  };
}

/** What a step keeps of what an agent left. */
export interface KeptWork {
  /** Paths that the skill's tools leave out. */
  readonly leftOut: readonly string[];
  /** Why nothing of it counts. */
  readonly problem?: string;
}

/** Takes what an agent changed as changes of the step; `mayWrite` are the permissions of the skill. */
export function keepAgentWork(
  { artifacts, deleted }: Pick<AgentOutcome, 'artifacts' | 'deleted'>,
  step: {
    readonly view: StepView;
    readonly changes: Map<string, ProposedChange>;
    readonly rules: ToolRules;
    readonly mayWrite: readonly string[] | undefined;
  },
): KeptWork {
  const { view, changes, rules, mayWrite } = step;
  const proposed: ProposedChange[] = [
    ...artifacts.map((artifact) => ({ operation: 'write' as const, ...artifact })),
    ...deleted.map((path) => ({ operation: 'delete' as const, path })),
  ];
  const kept = proposed.filter(({ path }) => mayChange(rules, path));
  for (const { operation, path } of kept) {
    const problem = problemOfPath(path, mayWrite);
    if (problem !== undefined)
      return { leftOut: [], problem: `may not ${operation} ${JSON.stringify(path)}: ${problem}` };
  }
  for (const change of kept) {
    // What an earlier attempt made and this one took away was never there.
    if (change.operation === 'delete' && !view.staged.files.has(change.path)) changes.delete(change.path);
    else changes.set(change.path, change);
  }
  return { leftOut: proposed.filter((change) => !kept.includes(change)).map(({ path }) => path) };
}

/** An agent has tools of its own; what it changed counts where the skill's tools could have changed it. */
function mayChange(rules: ToolRules, path: string): boolean {
  const { offered } = rules;
  const byFile = (['Write', 'Edit'] as const).some(
    (tool) => offered.includes(tool) && rules.allowsPath(tool, path),
  );
  return byFile || (offered.includes('Bash') && rules.limitsOf('Bash').length === 0);
}
