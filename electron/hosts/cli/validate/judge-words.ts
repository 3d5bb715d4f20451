import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { Invocation } from '../invocation.ts';
import type { JudgeModelWords, LensJudge } from './lens-judge.ts';

/** The words that have a text judged by a lens, and say which model is asked where one must be. */
export interface JudgeWords extends JudgeModelWords {
  readonly withLens?: string;
}

/** Adds the options that have something judged by a lens. */
export function describeJudgeWords(command: Command, does: string): Command {
  return command
    .option('--with-lens <lens>', does)
    .option('--judge-model <name>', 'the model that judges, by its name in config.yaml')
    .option('--model <name>', 'the model that judges where no other is set for that')
    .option('--record <file>', 'keep every answer of a model in this file, for --replay')
    .addOption(
      new Option('--replay <file>', 'answer from a recording and ask no model').conflicts([
        'record',
        'model',
        'judgeModel',
      ]),
    );
}

/** The judge that the words ask for, if any; refuses words about models where nobody judges. */
export async function openJudge(invocation: Invocation, words: JudgeWords): Promise<LensJudge | undefined> {
  const { withLens, judgeModel, model, record, replay } = words;
  // Loaded only where something is judged: checking files needs no sandbox and no models.
  if (withLens !== undefined)
    return (await import('./lens-judge.ts')).openLensJudge(invocation, withLens, words);
  const given = { '--judge-model': judgeModel, '--model': model, '--record': record, '--replay': replay };
  const stray = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (stray === undefined) return undefined;
  throw new InvalidArgumentError(
    `"${stray}" is about judging: name a lens with --with-lens, or leave it out`,
  );
}
