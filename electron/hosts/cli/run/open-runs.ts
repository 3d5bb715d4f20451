import { join } from 'node:path';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { defaultHome } from '#engine/home.ts';
import { WorkspaceRuns } from '#engine/run/workspace-runs.ts';
import type { Sandbox } from '#engine/sandbox/sandbox.ts';
import { Log } from '#engine/store/log.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';
import type { CommandWorkspace } from '../command-workspace.ts';
import type { Invocation } from '../invocation.ts';
import { openSandbox } from '../open-sandbox.ts';

/** Runs of one workspace for one command, with all they need; disposing it ends what still runs. */
export class CommandRuns implements AsyncDisposable {
  readonly runs: WorkspaceRuns;
  readonly #sandbox: Sandbox;
  readonly #cache: ActionCache;

  constructor(invocation: Invocation, { root, resolver }: CommandWorkspace) {
    const home = defaultHome(invocation.terminal.machine.environment);
    this.#sandbox = openSandbox(invocation, root);
    this.#cache = ActionCache.open(home);
    this.runs = new WorkspaceRuns({
      ...{ root, home, sandbox: this.#sandbox, cache: this.#cache },
      resolve: (file, request) => resolver.resolve(file, request),
      grants: new GrantStore(home),
      log: new Log(join(home, 'logs')),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runs[Symbol.asyncDispose]();
    this.#cache[Symbol.dispose]();
    this.#sandbox[Symbol.dispose]();
  }
}
