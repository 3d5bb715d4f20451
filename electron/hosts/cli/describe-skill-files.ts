import { Option } from 'commander';
import type { Command } from 'commander';
import { agentTable } from '#shared/agent-skills/agents.ts';
import type { ExportOptions } from './commands/export.ts';
import type { ImportOptions } from './commands/import.ts';
import type { DiscoverOptions } from './commands/skills-discover.ts';
import type { InstallOptions } from './commands/skills-install.ts';
import type { Does } from './does.ts';

/** The commands that find, match, install, import and export skills. */
export function describeSkillFiles(program: Command, skills: Command, does: Does): void {
  const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];
  does(
    skills
      .command('discover')
      .description('the Agent Skills that agents would load, pinned by their hashes')
      .argument('[dir]', 'project, or folder of skills')
      .option('--allow <glob>', 'only skills whose name matches; repeatable', collect)
      .option('--deny <glob>', 'no skills whose name matches; repeatable', collect)
      .option('--path <dir>', 'look into this folder too; repeatable', collect)
      .option('--home <dir>', 'the home to look in instead of yours'),
    async (invocation, directory: string | undefined, options: DiscoverOptions) =>
      (await import('./commands/skills-discover.ts')).skillsDiscover(invocation, directory, options),
  );
  does(
    skills
      .command('install')
      .description('put skills, with all they depend on, where an agent looks for them')
      .argument('<source...>', 'lens, "lens#skill", or folder with a SKILL.md')
      .addOption(
        new Option('--into <agent>', 'who shall find them')
          .choices(agentTable.map(({ id }) => id))
          .makeOptionMandatory(),
      )
      .addOption(new Option('--project', 'into the workspace instead of your home').conflicts('home'))
      .option('--home <dir>', 'into this home instead of yours')
      .option('--name <name>', 'under this name; for one skill only')
      .option('--follow-links', 'follow links that lead to files inside a skill, instead of leaving them out')
      .option('--dry-run', 'only print what would be written'),
    async (invocation, words: string[], options: InstallOptions) =>
      (await import('./commands/skills-install.ts')).skillsInstall(invocation, words, options),
  );
  does(
    skills
      .command('match')
      .description('which skills of a lens fit a task, and why')
      .argument('<lens>', 'file or name of a lens, or a library file')
      .argument('<task>', 'what is to be done'),
    async (invocation, named: string, task: string) =>
      (await import('./commands/skills-match.ts')).skillsMatch(invocation, named, task),
  );
  does(
    program
      .command('import')
      .description('copy an Agent Skill beside a lens and add it to the lens')
      .argument('<source>', 'folder with a SKILL.md, ".zip" or ".skill"')
      .requiredOption('--into <lens>', 'file or name of the lens')
      .option('--name <name>', 'its name in the lens')
      .option('--dry-run', 'only print what would be written'),
    async (invocation, source: string, options: ImportOptions) =>
      (await import('./commands/import.ts')).importCommand(invocation, source, options),
  );
  does(
    program
      .command('export')
      .description('write a lens, or one of its skills, as Agent Skills')
      .argument('<lens>', 'lens or "lens#skill"')
      .addOption(
        new Option('--format <format>', 'what to write').choices(['agentskills']).default('agentskills'),
      )
      .requiredOption('--output <dir>', 'folder that gets a folder for each skill')
      .option('--dry-run', 'only print what would be written'),
    async (invocation, named: string, options: ExportOptions) =>
      (await import('./commands/export.ts')).exportCommand(invocation, named, options),
  );
}
