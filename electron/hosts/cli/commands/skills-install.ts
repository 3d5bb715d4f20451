import { InvalidArgumentError } from 'commander';
import { install, planInstall } from '#engine/agent-skills/install.ts';
import type { InstallPlan } from '#engine/agent-skills/install.ts';
import type { SkillSource } from '#engine/agent-skills/prepare-skill.ts';
import { SkillMountError } from '#engine/agent-skills/skill-errors.ts';
import { countText } from '#shared/quantities.ts';
import { workspaceFolder } from '../workspace-folder.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { printFiles } from '../print-files.ts';
import { shownPath } from '../shown-path.ts';
import { skillSources } from '../skill-sources.ts';
import { inert } from '../terminal.ts';
import { userHome } from '../user-home.ts';

export interface InstallOptions {
  readonly into: string;
  readonly project?: true;
  readonly home?: string;
  readonly name?: string;
  readonly followLinks?: true;
  readonly dryRun?: true;
}

/** Installs skills for an agent: all of them, or none where one cannot be. */
export async function skillsInstall(
  invocation: Invocation,
  words: readonly string[],
  options: InstallOptions,
): Promise<ExitCode> {
  const { output, terminal } = invocation;
  const root = options.project ? workspaceFolder(invocation) : userHome(invocation, options.home);
  if (root === undefined) {
    const message = `Cannot install for "${options.into}": there is no home here; name one with --home, or use --project`;
    throw new SkillMountError('no_home', message, { agent: options.into });
  }
  const sources: SkillSource[] = [];
  for (const word of words) {
    terminal.interrupted.throwIfAborted();
    sources.push(...(await skillSources(invocation, word, options.followLinks === true)));
  }
  const scope = options.project ? 'project' : 'user';
  const plan = await planInstall({ agent: options.into, scope, root }, named(unique(sources), options.name));
  if (plan.skills.length === 0) output.note('There are no skills to install');
  const isDry = options.dryRun === true;
  const event = isDry ? undefined : await install(plan);
  if (output.isJson) {
    const { write: _write, ...document } = plan;
    output.document({ ...document, dryRun: isDry, event: event ?? null });
  } else print(invocation, plan, isDry);
  return ExitCode.ok;
}

/** What two skills both depend on is named twice and installed once. */
function unique(sources: readonly SkillSource[]): SkillSource[] {
  const keyOf = (source: SkillSource): string => (source.kind === 'path' ? source.path : treeKey(source));
  const known = new Map<string, SkillSource>();
  for (const source of sources) if (!known.has(keyOf(source))) known.set(keyOf(source), source);
  return [...known.values()];
}

function treeKey({ name, tree }: Extract<SkillSource, { kind: 'tree' }>): string {
  const content = tree.files.map(({ path, bytes }) => `${path}\0${Buffer.from(bytes).toString('base64')}`);
  return `${name}\0${content.join('\0')}`;
}

function named(sources: readonly SkillSource[], name: string | undefined): readonly SkillSource[] {
  if (name === undefined) return sources;
  const [only, ...others] = sources;
  if (only === undefined || others.length > 0)
    throw new InvalidArgumentError('--name needs exactly one skill');
  return [{ ...only, name }];
}

function print(invocation: Invocation, plan: InstallPlan, isDry: boolean): void {
  const { output, terminal } = invocation;
  printFiles(output, plan.files);
  for (const { name, renamedFrom, leftOut, warnings } of plan.skills) {
    if (renamedFrom !== undefined) output.note(inert(`"${renamedFrom}" is called "${name}" there`));
    for (const { path, why } of leftOut) output.note(inert(`Left out of "${name}": "${path}": ${why}`));
    for (const warning of warnings) output.note(inert(`"${name}": ${warning}`));
  }
  if (plan.skills.length === 0) return;
  const place = shownPath(terminal.workingDirectory, plan.write.folder);
  const what = `${countText(plan.skills.length, 'skill')} ${isDry ? 'would go' : 'installed'} into ${place}`;
  output.line(inert(what));
}
