import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { ResolvedSkill } from '#engine/resolve/nodes.ts';
import type { RunRequest } from '#shared/model/run.ts';
import { gatherInputs } from '../gather-inputs.ts';
import type { Invocation } from '../invocation.ts';
import { describeModelWords, modelRequest, type ModelWords } from './model-words.ts';
import { inert } from '../terminal.ts';

/** The words of every command that runs skills, be it one. */
export interface StepWords extends ModelWords {
  readonly task?: string;
  readonly input?: readonly string[];
  readonly inputFile?: readonly string[];
  /** False with `--no-cache`. */
  readonly cache?: boolean;
  readonly judge?: boolean;
  /** The lens that judges in place of the skill's own; only of one skill alone. */
  readonly validateWith?: string;
  readonly write?: true;
  readonly dryRun?: true;
  readonly output?: string;
  readonly report?: string;
  readonly jsonStream?: true;
  readonly quiet?: true;
}

/** The words of commands that run graphs of skills. */
export interface RunWords extends StepWords {
  readonly force?: true | readonly string[];
  readonly failFast?: true;
  readonly concurrency?: number;
}

/** Both formats on one stream would be neither. */
export function refuseTwoFormats({ output }: Invocation, { jsonStream }: StepWords): void {
  if (jsonStream && output.isJson) throw new InvalidArgumentError('choose one of --json and --json-stream');
}

const collect = (text: string, before: readonly string[] = []): string[] => [...before, text];

/** Adds the options of commands that run graphs of skills. */
export function describeRunWords(command: Command): Command {
  return describeStepWords(command)
    .option('--force [skill]', 'run whatever the cache says: all, or this skill; repeatable', collectForce)
    .option('--fail-fast', 'once a skill has failed, end those that run and start no more')
    .option(
      '--concurrency <number>',
      'how many skills at once (default: one more than processors)',
      parseConcurrency,
    );
}

/** Adds the options that all commands that run skills share. */
export function describeStepWords(command: Command): Command {
  return describeModelWords(command)
    .option('--input <key=value>', 'text for a key or parameter; repeatable', collect)
    .option('--input-file <key=path>', 'the same from a file; a *.json file gives its value', collect)
    .option('--no-cache', 'neither read nor write the cache')
    .option('--no-judge', 'do not ask the validators')
    .addOption(new Option('--write', 'write the files that the skills propose').conflicts('dryRun'))
    .option('--dry-run', 'print the files that the skills propose as a diff')
    .option('--output <file>', 'write the content to this file instead')
    .option(
      '--report <kinds>',
      'write reports: junit, md, json, each with =FILE if wanted, separated by commas',
    )
    .option('--json-stream', 'print every event as one line of JSON, as it happens')
    .option('--quiet', 'do not print what scripts say while they work');
}

/** What is asked of the run, with inputs and parameters told apart by what the skills declare. */
export async function runRequest(
  invocation: Invocation,
  skills: readonly ResolvedSkill[],
  words: RunWords,
): Promise<RunRequest> {
  const { inputs, params, unused } = await gatherInputs(invocation, skills, words);
  for (const key of unused) invocation.output.note(inert(`No skill takes "${key}"`));
  return {
    inputs,
    params,
    ...(words.task !== undefined && { task: words.task }),
    ...(words.force !== undefined && { force: words.force === true ? true : [...words.force] }),
    ...(words.cache === false && { noCache: true }),
    ...(words.judge === false && { noJudge: true }),
    ...modelRequest(words),
    ...(words.failFast && { failFast: true }),
    ...(words.concurrency !== undefined && { concurrency: words.concurrency }),
  };
}

function collectForce(text: string, before: true | readonly string[] | undefined): true | string[] {
  return before === undefined || before === true ? [text] : [...before, text];
}

export function parseConcurrency(text: string): number {
  const number = Number(text);
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= 64) return number;
  throw new InvalidArgumentError('It is a number from 1 to 64');
}
