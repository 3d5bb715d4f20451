import { ActionCache } from '#engine/cache/action-cache.ts';
import { defaultHome } from '#engine/home.ts';
import { LateModels } from '#engine/models/late-models.ts';
import { Plans } from '#engine/run/plans.ts';
import { PlanKeeper } from '#engine/run/kept/plan-keeper.ts';
import type { Sandbox } from '#engine/sandbox/sandbox.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';
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

  [Symbol.dispose](): void {
    this.#cache[Symbol.dispose]();
    this.#sandbox[Symbol.dispose]();
  }
}
