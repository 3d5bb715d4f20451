import { join } from 'node:path';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { defaultHome } from '#engine/home.ts';
import { PlanKeeper } from '#engine/run/kept/plan-keeper.ts';
import { WorkspaceRuns } from '#engine/run/workspace-runs.ts';
import type { AskHow } from '#engine/models/asked-model.ts';
import { LateModels } from '#engine/models/late-models.ts';
import type { Sandbox } from '#engine/sandbox/sandbox.ts';
import { Log } from '#engine/store/log.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';
import { StudioError } from '#shared/errors.ts';
import type { RunEvent } from '#shared/model/event.ts';
import type { CommandWorkspace } from '../command-workspace.ts';
import type { Invocation } from '../invocation.ts';
import { openSandbox } from '../open-sandbox.ts';
import { inert } from '../terminal.ts';
import type { RunTeller } from './tell-run.ts';

/** Runs of one workspace for one command, with all they need; disposing it ends what still runs. */
export class CommandRuns implements AsyncDisposable {
  readonly runs: WorkspaceRuns;
  readonly #sandbox: Sandbox;
  readonly #cache: ActionCache;
  readonly #grants: GrantStore;

  readonly #invocation: Invocation;
  /** One question at a time: there is one terminal. */
  #answering: Promise<void> = Promise.resolve();

  constructor(invocation: Invocation, { root, library, resolver }: CommandWorkspace, how: AskHow = {}) {
    this.#invocation = invocation;
    const { environment } = invocation.terminal.machine;
    const home = defaultHome(environment);
    this.#sandbox = openSandbox(invocation, root);
    this.#cache = ActionCache.open(home);
    this.#grants = new GrantStore(home);
    this.runs = new WorkspaceRuns({
      ...{ root, home, sandbox: this.#sandbox, cache: this.#cache },
      resolve: (file, request) => resolver.resolve(file, request),
      grants: this.#grants,
      log: new Log(join(home, 'logs')),
      models: new LateModels({ home, environment, sandbox: () => this.#sandbox }),
      how,
      tell: (sentence) => invocation.output.note(inert(sentence)),
      keeper: new PlanKeeper({
        ...{ home, root, library },
        interpreterPath: (language) => this.#sandbox.interpreterPath(language),
      }),
    });
  }

  /** Lets sandboxes be made ready: entering control groups takes as long as resolving a lens, and can be done meanwhile. */
  prepareSandbox(): Promise<void> {
    return this.#sandbox.prepare();
  }

  /** How a run is started so that the terminal can end it, is told of it, and is asked by it. */
  followedBy(teller: RunTeller): { signal: AbortSignal; onEvent: (event: RunEvent) => void } {
    const { interrupted: signal } = this.#invocation.terminal;
    return {
      signal,
      onEvent: (event) => {
        teller.take(event);
        if (event.type !== 'answer_wanted') return;
        this.#answering = this.#answering.then(() => this.#answer(event));
      },
    };
  }

  async #answer(event: Extract<RunEvent, { type: 'answer_wanted' }>): Promise<void> {
    const { answerByHand } = await import('./answer-by-hand.ts');
    const { skill_name: skill, prompt, request, run_id: run } = event;
    const text = await answerByHand(this.#invocation, { skill, prompt }).catch((error: Error) => {
      this.#invocation.output.note(error.message);
      return null;
    });
    try {
      this.runs.answer(run, request, text);
    } catch (error) {
      // Cancelled meanwhile: nobody waits for the answer.
      if (!(error instanceof StudioError)) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runs[Symbol.asyncDispose]();
    for (const { message } of this.#grants.notices) this.#invocation.output.note(message);
    this.#cache[Symbol.dispose]();
    this.#sandbox[Symbol.dispose]();
  }
}
