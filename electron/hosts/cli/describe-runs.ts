import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { ApplyWords } from './commands/apply.ts';
import type { OverrideWords } from './commands/run.ts';
import type { Does } from './does.ts';
import { describeRunWords } from './run/run-words.ts';
import type { RunWords } from './run/run-words.ts';

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];
const lensWords = 'file or name of a lens, or a library file';

/** The command that runs a graph of skills. */
export function describeApply(program: Command, does: Does): void {
  does(
    describeRunWords(
      program
        .command('apply')
        .description('run a lens: named skills with what they need, the one that fits the task, or all')
        .argument('<lens>', lensWords)
        .argument('[task]', 'what is to be done; without one the whole graph runs')
        .option('--skill <name>', 'this skill and what it needs; repeatable', collect)
        .option('--from <name>', 'this skill and all that depends on it; repeatable', collect)
        .option('--to <name>', 'everything up to this skill; repeatable', collect)
        .option('--failed', 'what failed last time, and what waited for it')
        .option('--stale', 'what would not be skipped')
        .option('--all', 'the whole graph'),
    ),
    async (invocation, lens: string, task: string | undefined, words: ApplyWords) =>
      (await import('./commands/apply.ts')).apply(invocation, lens, task, words),
  );
}

/** The commands that run graphs of skills and look back at runs. */
export function describeRuns(program: Command, does: Does): void {
  describeApply(program, does);
  does(
    describeRunWords(
      program
        .command('workflow')
        .description('run a workflow of a lens, step by step')
        .argument('<lens>', lensWords)
        .argument('<name>', 'the workflow'),
    ).option('--task <text>', 'what is to be done'),
    async (invocation, lens: string, name: string, words: RunWords) =>
      (await import('./commands/workflow.ts')).workflow(invocation, lens, name, words),
  );
  describeHistory(program.command('run').description('look back at runs'), does);
}

function describeHistory(run: Command, does: Does): void {
  const runWords = 'id of a run, the beginning of one, or "last"';
  does(
    run
      .command('list')
      .description('list the runs of the workspace, newest first')
      .option('--limit <number>', 'how many (20)', parseLimit),
    async (invocation, options: { limit?: number }) =>
      (await import('./commands/run.ts')).runList(invocation, options),
  );
  does(
    run
      .command('show')
      .description('one run, step by step')
      .argument('<run>', runWords)
      .option('--report <kinds>', 'write reports: junit, md, json, each with =FILE if wanted'),
    async (invocation, named: string, options: { report?: string }) =>
      (await import('./commands/run.ts')).runShow(invocation, named, options),
  );
  does(
    run
      .command('diff')
      .description('what differs between two runs')
      .argument('<a>', runWords)
      .argument('<b>', runWords),
    async (invocation, a: string, b: string) => (await import('./commands/run.ts')).runDiff(invocation, a, b),
  );
  does(
    run
      .command('resume')
      .description('carry on a run that failed, was cancelled or interrupted')
      .argument('<run>', runWords)
      .option('--write', 'write the files that the skills propose')
      .option('--output <file>', 'write the content to this file instead')
      .option('--report <kinds>', 'write reports: junit, md, json, each with =FILE if wanted')
      .option('--json-stream', 'print every event as one line of JSON, as it happens')
      .option('--quiet', 'do not print what scripts say while they work'),
    async (invocation, named: string, words: RunWords) =>
      (await import('./commands/run.ts')).runResume(invocation, named, words),
  );
  does(
    run
      .command('override')
      .description("put your word in place of a judge's: the run stays as it was, later plans count it")
      .argument('<run>', runWords)
      .argument('<skill>', 'the skill that was judged')
      .argument('<judge>', 'the validator or persona')
      .option('--pass', 'it passes')
      .option('--fail', 'it fails')
      .option('--undo', 'take your word back')
      .option('--note <text>', 'why, for those who read the run later'),
    async (invocation, named: string, skill: string, judge: string, words: OverrideWords) =>
      (await import('./commands/run.ts')).runOverride(invocation, [named, skill, judge], words),
  );
  does(
    run
      .command('save-fixture')
      .description('write what a run was given and what came of it down as a fixture of its lens')
      .argument('<run>', runWords)
      .option('--skill <name>', 'the skill that the fixture is for')
      .option('--name <text>', 'the name of the fixture'),
    async (invocation, named: string, options: { skill?: string; name?: string }) =>
      (await import('./commands/run-save-fixture.ts')).runSaveFixture(invocation, named, options),
  );
  does(
    run
      .command('export')
      .description('write a run as one HTML file that needs nothing else')
      .argument('<run>', runWords)
      .requiredOption('--html <file>', 'the file'),
    async (invocation, named: string, options: { html: string }) =>
      (await import('./commands/run.ts')).runExport(invocation, named, options),
  );
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= 500) return limit;
  throw new InvalidArgumentError('It is a number from 1 to 500');
}
