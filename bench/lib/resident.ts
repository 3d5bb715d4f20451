import { join } from 'node:path';
import { findAppRoot } from '#engine/store/app-root.ts';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { openResolver } from '#engine/resolve/open-resolver.ts';
import { WorkspaceRuns } from '#engine/run/workspace-runs.ts';
import { Sandbox } from '#engine/sandbox/sandbox.ts';
import { Log } from '#engine/store/log.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';

/** The engine as an open studio has it: everything stays in memory between two plans. */
export interface Resident extends AsyncDisposable {
  /** Times one plan. */
  plan(): Promise<number>;
  /** Times one run, and checks that so many skills ran. */
  run(ran: number): Promise<number>;
  /** Forgets all results. */
  forget(): Promise<unknown>;
}

export function openResident(root: string, home: string): Resident {
  const log = new Log(join(home, 'logs'));
  const resources = join(findAppRoot(import.meta.url), 'resources');
  const files = (): Promise<readonly string[]> => Promise.resolve(['layered.lens']);
  const { resolver } = openResolver({ root, home, resources, log, files });
  const sandbox = new Sandbox({ workspaces: [root] });
  const cache = ActionCache.open(home);
  const runs = new WorkspaceRuns({
    ...{ root, home, sandbox, cache, log },
    resolve: (file, request) => resolver.resolve(file, request),
    grants: new GrantStore(home),
  });
  return {
    plan: async () => {
      const start = performance.now();
      await runs.plan('layered.lens', {});
      return performance.now() - start;
    },
    run: async (ran) => {
      const start = performance.now();
      const { done } = await runs.start('layered.lens', {});
      const { steps, status } = await done;
      const ms = performance.now() - start;
      const worked = steps.filter(({ state }) => state === 'ran').length;
      if (status !== 'succeeded' || worked !== ran) {
        throw new Error(`Cannot measure: ${worked} skills ran instead of ${ran}, the run ${status}`);
      }
      return ms;
    },
    forget: () => cache.clear(),
    [Symbol.asyncDispose]: async () => {
      await runs[Symbol.asyncDispose]();
      cache[Symbol.dispose]();
      sandbox[Symbol.dispose]();
    },
  };
}
