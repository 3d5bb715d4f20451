import { readSkillFile } from '#shared/agent-skills/read-skill.ts';
import type { SkillReading } from '#shared/agent-skills/read-skill.ts';
import { SkillValidationError } from './skill-errors.ts';
import type { SkillTree } from './skill-tree.ts';

/** Reads the SKILL.md of a folder as clients do that want to load it; refuses what none of them could. */
export function readUsable(tree: SkillTree, folderName: string): SkillReading {
  const file = tree.files.find(({ path }) => path === 'SKILL.md');
  if (file === undefined) {
    const message = `Cannot use "${folderName}": Missing required file: SKILL.md`;
    throw new SkillValidationError('missing_skill_md', message, { skill: folderName });
  }
  const reading = readSkillFile(file.bytes, { directoryName: folderName, profile: 'lenient' });
  if (reading.isUsable) return reading;
  const errors = reading.problems.filter(({ severity }) => severity === 'error');
  const message = `Cannot use "${folderName}": ${errors.map((problem) => problem.message).join('; ')}`;
  throw new SkillValidationError('invalid_frontmatter', message, { skill: folderName, problems: errors });
}
