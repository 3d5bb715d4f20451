import { Option } from 'commander';
import type { Command } from 'commander';
import type { ToPromptOptions } from './commands/to-prompt.ts';
import type { ValidateSkillOptions } from './commands/validate-skill.ts';
import type { Does } from './does.ts';
import { describeJudgeWords } from './validate/judge-words.ts';

/** The commands on folders with a SKILL.md. */
export function describeAgentSkills(program: Command, does: Does): void {
  const folder = 'folder with a SKILL.md, or that file';
  does(
    describeJudgeWords(
      program
        .command('validate-skill')
        .description('check an Agent Skill by the specification')
        .argument('<dir>', folder)
        .addOption(new Option('--strict', 'by the letter (the default)').conflicts('lenient'))
        .option('--lenient', 'as clients load it: only what makes it useless is an error')
        .option('--lint', 'also tell what the specification allows and experience advises against'),
      'also judge its SKILL.md by this lens',
    ),
    async (invocation, word: string, options: ValidateSkillOptions) =>
      (await import('./commands/validate-skill.ts')).validateSkill(invocation, word, options),
  );
  does(
    program
      .command('read-properties')
      .description('print the frontmatter of an Agent Skill as JSON')
      .argument('<dir>', folder),
    async (invocation, word: string) =>
      (await import('./commands/read-properties.ts')).readProperties(invocation, word),
  );
  does(
    program
      .command('to-prompt')
      .description('print the block that lists Agent Skills in a prompt')
      .argument('<dir...>', folder)
      .addOption(
        new Option('--style <style>', 'how to list them')
          .choices(['reference', 'inline', 'compact'])
          .default('reference'),
      )
      .option('--root <dir>', 'name locations relative to this folder'),
    async (invocation, words: string[], options: ToPromptOptions) =>
      (await import('./commands/to-prompt.ts')).toPrompt(invocation, words, options),
  );
}
