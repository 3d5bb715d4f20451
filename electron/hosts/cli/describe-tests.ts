import type { Command } from 'commander';
import type { TestScriptOptions } from './commands/test-script.ts';
import type { TestSkillsWords } from './commands/test-skills.ts';
import type { Does } from './does.ts';
import { describeModelWords } from './run/model-words.ts';
import { parseConcurrency } from './run/run-words.ts';

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];

/** The commands that try scripts and skills against what must come out. */
export function describeTests(program: Command, does: Does): void {
  does(
    program
      .command('test-script')
      .description('run one script file in the sandbox and compare what it delivers')
      .argument('<file>', 'a script: *.py, *.js, *.mjs, *.sh or *.bash')
      .requiredOption('--input <file>', 'JSON that the script gets')
      .requiredOption('--expected <file>', 'JSON that it must deliver'),
    async (invocation, file: string, options: TestScriptOptions) =>
      (await import('./commands/test-script.ts')).testScript(invocation, file, options),
  );
  does(
    describeModelWords(
      program
        .command('test-skills')
        .description('try the fixtures of lenses, each in a workspace of its own')
        .argument(
          '[lens...]',
          'files or names of lenses; all of the workspace that have fixtures without one',
        )
        .option(
          '--fixtures <glob>',
          'files of fixtures (default: tests/fixtures.yaml beside the lens); repeatable',
          collect,
        )
        .option('--init <skill>', 'add a first fixture for this skill of the lens, and try nothing')
        .option('--fixture <name>', 'only this fixture; repeatable', collect)
        .option('--ab', 'try them without what the lens tells the model too, and compare')
        .option('--cache', 'use the cache: skills that did not change are not run again')
        .option('--concurrency <number>', 'how many fixtures at once (default: processors)', parseConcurrency)
        .option(
          '--report <kinds>',
          'write reports: junit, md, json, each with =FILE if wanted, separated by commas',
        ),
    ),
    async (invocation, lenses: string[], words: TestSkillsWords) =>
      (await import('./commands/test-skills.ts')).testSkills(invocation, lenses, words),
  );
}
