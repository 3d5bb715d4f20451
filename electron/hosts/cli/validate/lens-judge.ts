import { defaultHome } from '#engine/home.ts';
import { judge } from '#engine/judge/judge.ts';
import type { Judged } from '#engine/judge/judge.ts';
import type { AskedModel } from '#engine/models/asked-model.ts';
import { LateModels } from '#engine/models/late-models.ts';
import { judgingLens } from '#engine/plan/judged-by.ts';
import { judgmentOf, needsModel } from '#engine/plan/judges.ts';
import type { Judge } from '#engine/plan/judges.ts';
import type { MergedLens } from '#engine/resolve/merge.ts';
import type { Sandbox } from '#engine/sandbox/sandbox.ts';
import { valueDigest } from '#engine/store/digest.ts';
import { StudioError } from '#shared/errors.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { openSandbox } from '../open-sandbox.ts';
import { noteProblems } from '../problem-note.ts';
import { howToAsk } from '../run/model-words.ts';
import type { ModelWords } from '../run/model-words.ts';

/** The words that say which model judges, and how it is asked. */
export type JudgeModelWords = Pick<ModelWords, 'model' | 'judgeModel' | 'record' | 'replay'>;

export interface LensJudgeOptions {
  readonly lens: MergedLens;
  readonly sandbox: Sandbox;
  /** Without it, validators that need a model do not judge. */
  readonly model?: AskedModel | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Has texts that no skill made judged by one lens; keeps no verdict. Owns its sandbox. */
export class LensJudge implements Disposable {
  readonly #options: LensJudgeOptions;

  constructor(options: LensJudgeOptions) {
    this.#options = options;
  }

  /** What the lens says about a text; refuses what is no text, and all where a program must judge and none can run. */
  async judge(text: string, shown: string): Promise<Judged> {
    if (text.includes('\0')) {
      throw new StudioError('file.unreadable', `Cannot judge "${shown}": it is not text`, { file: shown });
    }
    const { lens, sandbox, model, signal } = this.#options;
    const judging = { lens: undefined, judgedBy: lens };
    if (judgmentOf(judging, undefined).judges.some(startsProgram)) await this.#requireSandbox();
    const judged = await judge({
      ...judging,
      result: { content: text },
      resultDigest: valueDigest(text),
      sandbox,
      model: model && {
        ...model,
        complete: (asked) => model.complete({ about: shown, ...asked }),
      },
      signal,
    });
    // Nothing is kept under it.
    return { ...judged, verdicts: judged.verdicts.map(({ key: _key, ...verdict }) => verdict) };
  }

  [Symbol.dispose](): void {
    this.#options.sandbox[Symbol.dispose]();
  }

  async #requireSandbox(): Promise<void> {
    const { available, problem = 'it did not start' } = await this.#options.sandbox.report();
    if (available) return;
    throw new StudioError('sandbox.unavailable', `Cannot run validators: ${problem}`, { problem });
  }
}

/** Finds the lens that a user named and the model that judges for it; refuses a lens that has nobody to judge. */
export async function openLensJudge(
  invocation: Invocation,
  named: string,
  words: JudgeModelWords,
): Promise<LensJudge> {
  const { terminal } = invocation;
  const { workspace, resolution } = await resolveNamed(invocation, named);
  noteProblems(invocation, resolution);
  const lens = judgingLens(resolution);
  const { environment } = terminal.machine;
  const models = new LateModels({ home: defaultHome(environment), environment, sandbox: () => sandbox });
  const model = await modelFor(lens, models, invocation, words);
  const sandbox = openSandbox(invocation, workspace.root);
  return new LensJudge({ lens, sandbox, model, signal: terminal.interrupted });
}

/** A name that somebody gives is looked up in any case: it may be misspelt. */
async function modelFor(
  lens: MergedLens,
  models: LateModels,
  invocation: Invocation,
  words: JudgeModelWords,
): Promise<AskedModel | undefined> {
  const { judgeModel: judge, model: worker, replay } = words;
  const isNamed = judge !== undefined || worker !== undefined || replay !== undefined;
  const { judges } = judgmentOf({ lens: undefined, judgedBy: lens }, undefined);
  if (!isNamed && !judges.some(needsModel)) return undefined;
  const how = howToAsk(invocation, words);
  const identity = await models.identifyJudge({ judge, worker }, how);
  return identity && models.ask(identity.name, how);
}

function startsProgram(asked: Judge): boolean {
  return (
    asked.kind === 'deterministic' && (asked.validator.command !== undefined || asked.script !== undefined)
  );
}
