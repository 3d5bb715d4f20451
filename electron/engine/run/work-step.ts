import { StudioError } from '#shared/errors.ts';
import { hasInstructions } from '../prompt/offered-skills.ts';
import type { StepDecision } from '../plan/planner.ts';
import type { Worked } from './keep-step.ts';
import type { RunSkillOptions } from './run-skill.ts';
import { inputsOf, type StepParts, type StepTurn } from './step-parts.ts';
import type { StepResult } from './step-result.ts';

/** What was wrong with the attempt before, and what that left. */
export interface Again {
  readonly feedback: string;
  readonly before: Worked;
}

/** Does the work of one step once: a model works, or scripts run in the sandbox. What goes wrong with them is a result. */
export async function workStep(
  parts: StepParts,
  turn: StepTurn,
  { fingerprint, files: seen }: StepDecision,
  again?: Again,
): Promise<StepResult> {
  const { files, sandbox, grants, request, startedAt, stream, resolution } = parts;
  const { index, signal, step } = turn;
  const skill = resolution.skills[index]!;
  const options: RunSkillOptions = {
    skill,
    sandbox,
    grants,
    views: await files.viewOf(seen),
    task: request.task,
    inputs: inputsOf(parts, turn),
    params: files.planner.inputs.paramsOf(index),
    startedAt,
    signal: signal(),
    filesDigest: fingerprint?.files,
    onOutput: (script, from, text, styles) => {
      stream.output({ skill: step.skill, script, stream: from }, text, styles);
    },
  };
  if (hasInstructions(skill)) return workByModel(parts, turn, options, again);
  // Loaded only where a script runs: a run that finds everything in the cache must be quick.
  const { runSkill } = await import('./run-skill.ts');
  return runSkill(options);
}

async function workByModel(
  { model, resolution, stream, warn }: StepParts,
  { step }: StepTurn,
  options: RunSkillOptions,
  again: Again | undefined,
): Promise<StepResult> {
  const skill_name = step.skill;
  if (!model) {
    throw new StudioError('skill.needs-model', `Cannot run "${skill_name}": it needs a model`, {
      skill: step.id,
    });
  }
  const { runModelStep } = await import('./model/run-model-step.ts');
  return runModelStep({
    ...options,
    resolution,
    model,
    again: again && {
      feedback: again.feedback,
      content: again.before.result.content,
      changes: again.before.changes,
    },
    onText: (text) => stream.output({ skill: skill_name, script: model.name, stream: 'model' }, text),
    onTool: (call) => stream.emit({ type: 'skill_tool', skill_name, ...call }),
    onOpened: ({ type, ...opened }) =>
      stream.emit({ type, skill_name, section: 'skill' in opened ? opened.skill : opened.section }),
    onAsked: (cost, error) =>
      stream.emit({
        type: 'skill_model',
        skill_name,
        purpose: 'work',
        cost,
        ...(error !== undefined && { error }),
      }),
    onNote: warn,
  });
}
