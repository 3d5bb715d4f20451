import { StudioError } from '#shared/errors.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import { requiredParameters } from '../fingerprint/variables.ts';
import { permittedBy } from '../plan/permitted.ts';
import { hasInstructions } from '../prompt/offered-skills.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import type { GrantStore } from '../trust/grant-store.ts';
import type { Views } from './run-files.ts';
import { ScriptWork, type ScriptWorkOptions } from './script-work.ts';
import { requireTrust } from './skill-trust.ts';
import type { StepResult } from './step-result.ts';

export interface RunSkillOptions extends ScriptWorkOptions {
  readonly grants: GrantStore;
  /** The workspace as it was when the run started. */
  readonly views: Views;
  /** The files that the result is to be kept for; a skill that would see others is a bug, and does not run. */
  readonly filesDigest?: Digest | undefined;
}

/**
 * Runs the scripts of one skill in the sandbox, in order, each with what the earlier ones delivered. What the skill does
 * wrong is a result; a skill that may not or cannot be run at all is a `StudioError`.
 */
export async function runSkill(options: RunSkillOptions): Promise<StepResult> {
  const { skill, grants } = options;
  requireRunnable(skill);
  requireInputs(options);
  await requireTrust(grants, skill);
  const work = new ScriptWork(options);
  const { folder } = await work.open(options.views, options.filesDigest);
  for (const [i, script] of skill.scripts.entries()) {
    const isLast = i === skill.scripts.length - 1;
    const { outcome, error } = await work.runScript(script, { workspace: folder, isLast });
    if (outcome.cancelled) return { state: 'cancelled', ...work.record() };
    if (error) return { state: 'failed', error, ...work.record() };
  }
  const { content = '', outputs, changes } = work;
  return { state: 'ran', content, outputs, changes: [...changes.values()], ...work.record() };
}

/** Refuses a skill that is not made of scripts alone, or not whole. */
function requireRunnable(node: ResolvedSkill): void {
  const { name, id, scripts } = node;
  if (hasInstructions(node)) {
    throw new StudioError('skill.needs-model', `Cannot run "${name}" without a model: it has instructions`, {
      skill: id,
    });
  }
  requireWhole(node);
  if (scripts.length > 0) return;
  throw new StudioError('skill.incomplete', `Cannot run "${name}": it has no scripts`, { skill: id });
}

/** Refuses a skill of which a file is missing, and one that asks for what nobody gets. */
export function requireWhole({ name, skill, scripts, resources, permissions, id }: ResolvedSkill): void {
  const { network } = permittedBy(permissions);
  if (network.length > 0) {
    throw new StudioError(
      'sandbox.no-network',
      `Cannot run "${name}": it asks for the network (${network.join(', ')}), and scripts have none`,
      { skill: id, network },
    );
  }
  const isWhole =
    scripts.length === (skill.scripts?.length ?? 0) && resources.length === (skill.resources?.length ?? 0);
  if (isWhole) return;
  throw new StudioError('skill.incomplete', `Cannot run "${name}": one of its files cannot be read`, {
    skill: id,
  });
}

/** Refuses to work without a value for everything that the skill requires. */
export function requireInputs({ skill: { name, skill, id }, inputs, params = {} }: RunSkillOptions): void {
  const keys = (skill.requires ?? []).map(({ key }) => key).filter((key) => !Object.hasOwn(inputs, key));
  const names = requiredParameters(skill.parametersSchema).filter((key) => !Object.hasOwn(params, key));
  const missing = [...keys, ...names];
  if (missing.length === 0) return;
  const listed = missing.map((key) => `"${key}"`).join(', ');
  throw new StudioError('skill.missing-input', `Cannot run "${name}": give it a value for ${listed}`, {
    skill: id,
    missing,
  });
}
