import type { Command } from 'commander';
import type { LensPromptOptions } from './commands/lens-prompt.ts';
import type { SkillPlanOptions } from './commands/lens-skill-plan.ts';
import { describeModelChoice } from './run/model-words.ts';
import type { Does } from './does.ts';

/** `lens skill-plan` with its words. */
export function describePlan(lens: Command, does: Does): void {
  const collect = (text: string, before: readonly string[] | true = []): string[] => [
    ...(before === true ? [] : before),
    text,
  ];
  does(
    describeModelChoice(lens.command('skill-plan'))
      .description('what a run would do with every skill, and why; runs nothing')
      .argument('<lens>', 'file or name of a lens, or a library file')
      .option('--task <text>', 'what is to be done')
      .option('--input <key=value>', 'text for a key or parameter; repeatable', collect)
      .option('--input-file <key=path>', 'the same from a file; a *.json file gives its value', collect)
      .option('--only <skill>', 'only this skill with what it needs; repeatable', collect)
      .option('--from <skill>', 'this skill and what depends on it; repeatable', collect)
      .option('--to <skill>', 'up to this skill; repeatable', collect)
      .option('--failed', 'only what failed last, and what waits for it')
      .option('--stale', 'only what would not be skipped')
      .option('--force [skill]', 'run it whatever is kept; without a name, all; repeatable', collect)
      .option('--no-cache', 'neither use nor keep results')
      .option('--why <skill>', 'all reasons for one skill, with what changed'),
    async (invocation, named: string, options: SkillPlanOptions) =>
      (await import('./commands/lens-skill-plan.ts')).lensSkillPlan(invocation, named, options),
  );
  does(
    describeModelChoice(lens.command('prompt'))
      .description('what a model would be sent for one skill, part by part; asks nobody')
      .argument('<lens>', 'file or name of a lens, or a library file')
      .argument('<skill>', 'name of the skill')
      .option('--task <text>', 'what is to be done')
      .option('--input <key=value>', 'text for a key or parameter; repeatable', collect)
      .option('--input-file <key=path>', 'the same from a file; a *.json file gives its value', collect),
    async (invocation, named: string, skill: string, options: LensPromptOptions) =>
      (await import('./commands/lens-prompt.ts')).lensPrompt(invocation, [named, skill], options),
  );
}
