import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readSunwell } from '#shared/agent-skills/lens-skill.ts';
import type { SkillSource } from './prepare-skill.ts';
import { readSkillFolder } from './read-folder.ts';
import { SkillMountError } from './skill-errors.ts';
import { readUsable } from './usable-skill.ts';

/** A skill folder to install with everything its `metadata.sunwell` depends on, dependencies first. */
export interface FoundSources {
  readonly sources: readonly SkillSource[];
  /** Dependencies that are neither beside the skill nor among the others that were found. */
  readonly missing: readonly { readonly skill: string; readonly dependency: string }[];
}

/** Looks dependencies up among the folders beside the skill, then among all skills that were found, by their name. */
export async function foundSources(
  folder: string,
  folderOf: (name: string) => string | undefined,
): Promise<FoundSources> {
  const sources: SkillSource[] = [];
  const missing: { skill: string; dependency: string }[] = [];
  const seen = new Set<string>();
  const visit = async (path: string): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const dependency of await dependenciesOf(path)) {
      const name = dependency.slice(dependency.lastIndexOf(':') + 1);
      const beside = join(dirname(path), basename(name));
      const target = (await isSkill(beside)) ? beside : folderOf(name);
      if (target === undefined) missing.push({ skill: basename(path), dependency });
      else await visit(target);
    }
    sources.push({ kind: 'path', path });
  };
  await visit(folder);
  return { sources, missing };
}

async function dependenciesOf(folder: string): Promise<readonly string[]> {
  const options = { label: basename(folder), links: 'leave-out', leaveOut: ['.git', '__pycache__'] } as const;
  const { tree } = await readSkillFolder(folder, options);
  return readSunwell(readUsable(tree, basename(folder))).metadata.depends_on ?? [];
}

async function isSkill(folder: string): Promise<boolean> {
  const found = await lstat(join(folder, 'SKILL.md')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new SkillMountError('io', `Cannot read skill "${basename(folder)}": ${error.message}`);
  });
  return found?.isFile() ?? false;
}
