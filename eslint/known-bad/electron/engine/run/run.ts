import type { Skill } from '#shared/skill.ts';

export interface Run {
  readonly skills: readonly Skill[];
}

export async function start(run: Run): Promise<number> {
  return await Promise.resolve(run.skills.length);
}
