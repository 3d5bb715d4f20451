import { basename, isAbsolute, join } from 'node:path';
import { agentTable, findAgent } from '#shared/agent-skills/agents.ts';
import type { SkillsInstalled } from '#shared/agent-skills/file-events.ts';
import { prepareSkills } from './prepare-skill.ts';
import type { PreparedSkill, SkillSource } from './prepare-skill.ts';
import { SkillMountError } from './skill-errors.ts';
import type { LeftOut } from './skill-tree.ts';
import { executeWrite, planWrite, previewOf } from './write-trees.ts';
import type { PlannedFile, WritePlan } from './write-trees.ts';

/** Where skills are installed: for an agent, in a project or in a home. */
export interface InstallTarget {
  /** One of the agent table. */
  readonly agent: string;
  readonly scope: 'project' | 'user';
  /** The project, or the user's home. */
  readonly root: string;
}

/** One skill of an installation, as a preview shows it. */
export interface InstalledSkill {
  readonly name: string;
  readonly origin: 'inline' | 'referenced';
  readonly renamedFrom?: string;
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly string[];
}

/** What an installation will write. `install` carries out exactly this, or nothing. */
export interface InstallPlan {
  readonly agent: string;
  /** The folder that gets the skills, as people write it: `~/.claude/skills`, or below the project. */
  readonly dir: string;
  readonly skills: readonly InstalledSkill[];
  readonly files: readonly PlannedFile[];
  readonly write: WritePlan;
}

/** Works out an installation, in the order of the sources, without writing anything. */
export async function planInstall(
  target: InstallTarget,
  sources: readonly SkillSource[],
): Promise<InstallPlan> {
  const inside = skillsFolderOf(target);
  const skills = await prepareSkills(sources);
  const write = await planWrite(join(target.root, inside), skills);
  return {
    agent: target.agent,
    dir: target.scope === 'user' ? `~/${inside}` : inside,
    skills: skills.map(({ name, origin, renamedFrom, leftOut, warnings }) => ({
      name,
      origin,
      ...(renamedFrom === undefined ? {} : { renamedFrom }),
      leftOut,
      warnings: warnings.map(({ message }) => message),
    })),
    files: previewOf(write),
    write,
  };
}

/** Carries out a plan as it is. Where anything fails, all is as it was before. */
export async function install(plan: InstallPlan): Promise<SkillsInstalled> {
  await executeWrite(plan.write);
  return installEvent(plan.skills, plan.dir);
}

/** The record of an installation for journals and logs. */
export function installEvent(
  skills: readonly Pick<PreparedSkill, 'name' | 'origin'>[],
  dir: string,
): SkillsInstalled {
  const named = (origin: PreparedSkill['origin']): string[] =>
    skills.filter((skill) => skill.origin === origin).map(({ name }) => name);
  return { type: 'skills_installed', inline: named('inline'), referenced: named('referenced'), dir };
}

function skillsFolderOf({ agent: id, scope, root }: InstallTarget): string {
  const agent = findAgent(id);
  if (agent === undefined) {
    const known = agentTable.map((row) => row.id).join(', ');
    throw new SkillMountError('not_found', `Cannot install for "${id}": the agents are ${known}`, {
      agent: id,
    });
  }
  if (!isAbsolute(root) || basename(root) === '') {
    const message = `Cannot install for ${agent.title}: "${root}" is no folder to install into`;
    throw new SkillMountError('no_home', message, { agent: id });
  }
  return agent[scope][0]!;
}
