import { Disclosure } from '#shared/agent-skills/disclosure.ts';
import { findSkills } from '#shared/graph/find-skills.ts';
import type { PlanRequest } from '#shared/model/plan.ts';
import type { PromptPreview } from '#shared/model/prompt.ts';
import { composePrompt } from '#shared/prompt/compose-prompt.ts';
import type { ModelIdentity } from '../../models/asked-model.ts';
import type { Planner } from '../../plan/planner.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import { ScriptWork } from '../script-work.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { StepView } from '../../tools/step-view.ts';
import { stepTools } from '../../tools/step-tools.ts';
import { ToolRules } from '../../tools/tool-rules.ts';
import { hasInstructions, offeredSections } from '../../prompt/offered-skills.ts';
import { promptSource } from '../../prompt/prompt-source.ts';
import { skillsText } from '../../prompt/skills-text.ts';

/** What a model would be sent for one skill now; asks nobody and runs nothing. */
export function previewPrompt(options: {
  readonly resolution: Resolution;
  readonly planner: Planner;
  readonly sandbox: Sandbox;
  readonly request: PlanRequest;
  readonly model: ModelIdentity | undefined;
  /** A record key, a name or an id. */
  readonly skill: string;
  readonly now: Date;
}): PromptPreview {
  const { resolution, planner, sandbox, request, model, now } = options;
  const [index] = findSkills(resolution.graph, [options.skill]);
  const node = resolution.skills[index!]!;
  const notes: string[] = [];
  const named = { skill: node.name, ...(model && { model: model.name }) };
  if (!hasInstructions(node)) {
    return {
      ...named,
      parts: [],
      tokens: 0,
      tools: [],
      produces: [],
      notes: ['It has no instructions: no model is asked'],
    };
  }
  if (!model) notes.push('No model is set up to be sent this');
  const params = planner.inputs.paramsOf(index!);
  const inputs = planner.keptInputs(index!, (key, producer) => {
    notes.push(`"${key}" comes from "${producer}", which still has to run`);
    return `(what "${producer}" makes in the run)`;
  });
  for (const key of planner.inputs.missingOf(index!).keys) notes.push(`"${key}" has no value yet`);
  const rules = new ToolRules(node.skill.allowedTools);
  for (const tool of rules.unknown) notes.push(`Tool "${tool}" is none that can be offered`);
  const disclosure = new Disclosure(offeredSections(resolution, node));
  const tools = stepTools({
    skill: node,
    sandbox,
    work: new ScriptWork({ skill: node, sandbox, inputs, params, startedAt: now }),
    view: new StepView({ staged: { folder: undefined, files: new Map() }, changes: new Map() }),
    rules,
    mayRun: true,
    disclosure,
    onOpened: () => undefined,
    onScript: () => undefined,
  });
  const given = { inputs, params, task: request.task, now, skills: skillsText(disclosure) };
  const source = promptSource({ lens: resolution.lens, node }, given);
  const { parts, tokens } = composePrompt(source);
  return {
    ...named,
    parts: [...parts],
    tokens,
    tools: Object.entries(tools).map(([name, { description }]) => ({ name, description })),
    produces: source.produces.length > 1 ? [...source.produces] : [],
    notes,
  };
}
