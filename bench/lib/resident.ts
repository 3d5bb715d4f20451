import { join } from 'node:path';
import { findAppRoot } from '#engine/app-root.ts';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { openResolver } from '#engine/resolve/open-resolver.ts';
import { WorkspaceRuns } from '#engine/run/workspace-runs.ts';
import { Sandbox } from '#engine/sandbox/sandbox.ts';
import { Log } from '#engine/store/log.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';

/** The engine as an open studio has it: everything stays in memory between two plans. */
export async function openResident(
  root: string,
  home: string,
): Promise<{
  measure: (repetitions: number) => Promise<Map<'plan' | 'cached', number[]>>;
  close: () => Promise<void>;
}> {
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
  await (
    await runs.start('layered.lens', {})
  ).done;
  return {
    measure: async (repetitions) => {
      const times = { plan: [] as number[], cached: [] as number[] };
      for (let round = -2; round < repetitions; round++) {
        const start = performance.now();
        await runs.plan('layered.lens', {});
        const planned = performance.now();
        await (
          await runs.start('layered.lens', {})
        ).done;
        const done = performance.now();
        if (round < 0) continue;
        times.plan.push(planned - start);
        times.cached.push(done - planned);
      }
      return new Map(Object.entries(times) as ['plan' | 'cached', number[]][]);
    },
    close: async () => {
      await runs[Symbol.asyncDispose]();
      cache[Symbol.dispose]();
      sandbox[Symbol.dispose]();
    },
  };
}
