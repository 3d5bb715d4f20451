import { join } from 'node:path';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { defaultHome } from '#engine/home.ts';
import { LateModels } from '#engine/models/late-models.ts';
import type { LastStep } from '#engine/plan/planner-options.ts';
import { Plans } from '#engine/run/plans.ts';
import { PlanKeeper } from '#engine/run/kept/plan-keeper.ts';
import { workspaceKey } from '#engine/run/workspace-key.ts';
import type { Sandbox } from '#engine/sandbox/sandbox.ts';
import { Log } from '#engine/store/log.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';
import type { RunId, RunRecord } from '#shared/model/run.ts';
import type { CommandWorkspace } from '../command-workspace.ts';
import type { Invocation } from '../invocation.ts';
import { openSandbox } from '../open-sandbox.ts';

/** Plans of one workspace for one command; nothing of what runs them is loaded. */
export class CommandPlans implements Disposable {
  readonly plans: Plans;
  readonly #sandbox: Sandbox;
  readonly #cache: ActionCache;

  constructor(invocation: Invocation, { root, library }: CommandWorkspace) {
    const { environment } = invocation.terminal.machine;
    const home = defaultHome(environment);
    this.#sandbox = openSandbox(invocation, root);
    this.#cache = ActionCache.open(home);
    this.plans = new Plans({
      lastSteps: (lens, skills) => readLastSteps({ home, root }, lens, skills),
      root,
      sandbox: this.#sandbox,
      cache: this.#cache,
      grants: new GrantStore(home),
      models: new LateModels({ home, environment }),
      keeper: new PlanKeeper({
        ...{ home, root, library },
        interpreterPath: (language) => this.#sandbox.interpreterPath(language),
      }),
    });
  }

  /** Says why no result is kept or found, where that is so. */
  noteCache({ output }: Invocation): void {
    const problem = this.#cache.takeWarning();
    if (problem !== undefined) output.note(problem);
  }

  [Symbol.dispose](): void {
    this.#cache[Symbol.dispose]();
    this.#sandbox[Symbol.dispose]();
  }
}

/** Loaded only where somebody asks for what failed. */
async function readLastSteps(
  { home, root }: { home: string; root: string },
  lens: string,
  skills: readonly string[],
): Promise<ReadonlyMap<string, LastStep>> {
  const [{ RunHistory }, { lastSteps }] = await Promise.all([
    import('#engine/run/run-history.ts'),
    import('#engine/run/last-steps.ts'),
  ]);
  const folder = join(home, 'runs', workspaceKey(root));
  const history = new RunHistory({ folder, log: new Log(join(home, 'logs')) });
  const record = async (run: RunId): Promise<RunRecord> => (await history.read(run)).record;
  return lastSteps({ list: (asked) => history.list(asked), record }, lens, skills);
}
