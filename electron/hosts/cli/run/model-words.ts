import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { manualModel } from '#engine/models/asked-model.ts';
import type { AskHow } from '#engine/models/asked-model.ts';
import { StudioError } from '#shared/errors.ts';
import type { RunRequest } from '#shared/model/run.ts';
import type { Invocation } from '../invocation.ts';

/** The words that say which models are asked, and how. */
export interface ModelWords {
  readonly model?: string;
  readonly judgeModel?: string;
  readonly manual?: true;
  readonly record?: string;
  readonly replay?: string;
  readonly tokenBudget?: number;
  /** False with `--no-refine`. */
  readonly refine?: boolean;
}

/** Adds the options that choose models; a plan needs no more. */
export function describeModelChoice(command: Command): Command {
  return command
    .option('--model <name>', 'the model that works, by its name in config.yaml')
    .option('--judge-model <name>', 'the model that judges')
    .addOption(new Option('--manual', 'you answer in place of the model').conflicts(['model', 'replay']))
    .addOption(
      new Option('--replay <file>', 'answer from a recording and ask no model').conflicts([
        'record',
        'model',
      ]),
    );
}

/** Adds all options about models. */
export function describeModelWords(command: Command): Command {
  return describeModelChoice(command)
    .option('--record <file>', 'keep every answer of a model in this file, for --replay')
    .option('--token-budget <number>', 'tokens that the models of a run may use together', parseTokens)
    .option('--no-refine', 'a result that does not pass is not tried again');
}

/** What of the words belongs to the request. */
export function modelRequest({
  model,
  judgeModel,
  manual,
  tokenBudget,
  refine,
}: ModelWords): Pick<RunRequest, 'model' | 'judgeModel' | 'tokenBudget' | 'noRefine'> {
  const worker = manual ? manualModel : model;
  return {
    ...(worker !== undefined && { model: worker }),
    ...(judgeModel !== undefined && { judgeModel }),
    ...(tokenBudget !== undefined && { tokenBudget }),
    ...(refine === false && { noRefine: true }),
  };
}

/** How models are asked; files count from the folder that the command was called in. Refuses a recording that is not there. */
export function howToAsk({ terminal }: Invocation, { record, replay }: ModelWords): AskHow {
  const from = (file: string): string => resolve(terminal.workingDirectory, file);
  // Where no model is asked after all nobody would find out, and take the answers for recorded ones.
  if (replay !== undefined && !existsSync(from(replay)))
    throw new StudioError('file.not-found', `Cannot read "${replay}": there is no such file`, {
      file: replay,
    });
  return {
    ...(record !== undefined && { record: from(record) }),
    ...(replay !== undefined && { replay: from(replay) }),
  };
}

function parseTokens(text: string): number {
  const number = Number(text);
  if (/^[1-9]\d{0,11}$/.test(text)) return number;
  throw new InvalidArgumentError('It is a number of tokens');
}
