import type { StepDecision } from '../plan/planner.ts';
import { inputsOf, type StepParts, type StepTurn } from './step-parts.ts';
import type { StepResult } from './step-result.ts';

/** Does the work of one step once: its scripts run in the sandbox. What goes wrong with them is a result. */
export async function workStep(
  parts: StepParts,
  turn: StepTurn,
  { fingerprint }: StepDecision,
  _feedback?: string,
): Promise<StepResult> {
  const { files, sandbox, grants, request, startedAt, stream, resolution } = parts;
  const { index, signal, step } = turn;
  const snapshot = await files.snapshot();
  // Loaded only where a script runs: a run that finds everything in the cache must be quick.
  const { runSkill } = await import('./run-skill.ts');
  return runSkill({
    skill: resolution.skills[index]!,
    sandbox,
    grants,
    snapshot,
    task: request.task,
    inputs: inputsOf(parts, turn),
    params: files.planner.inputs.paramsOf(index),
    startedAt,
    signal: signal(),
    filesDigest: fingerprint?.files,
    onOutput: (script, from, text) => stream.output(step.skill, script, from, text),
  });
}
