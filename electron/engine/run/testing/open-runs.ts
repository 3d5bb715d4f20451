import { join } from 'node:path';
import { ActionCache } from '../../cache/action-cache.ts';
import type { ResponseLimits } from '../../models/guarded-fetch.ts';
import type { Keychain } from '../../models/keychain.ts';
import { Models } from '../../models/models.ts';
import { openResolver } from '../../resolve/open-resolver.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { Log } from '../../store/log.ts';
import { GrantStore } from '../../trust/grant-store.ts';
import { discover } from '../../workspace/discovery.ts';
import { PlanKeeper } from '../kept/plan-keeper.ts';
import { WorkspaceRuns } from '../workspace-runs.ts';

export interface OpenedRuns {
  readonly runs: WorkspaceRuns;
  readonly cache: ActionCache;
  readonly models: Models;
  readonly close: () => Promise<void>;
}

/** Runs of a folder as a program opens them. */
export function openRuns(parts: {
  root: string;
  home: string;
  resources: string;
  sandbox: Sandbox;
  environment?: Readonly<Record<string, string | undefined>>;
  keychain?: Keychain | undefined;
  limits?: Partial<ResponseLimits> | undefined;
  /** Names the program, where it keeps plans. */
  build?: string | undefined;
}): OpenedRuns {
  const { root, home, resources, sandbox, environment = {}, keychain, limits = {} } = parts;
  const log = new Log(join(home, 'logs'));
  const files = async (): Promise<readonly string[]> => (await discover(root)).files;
  const { resolver } = openResolver({ root, home, resources, log, files });
  const cache = ActionCache.open(home);
  const retry = { pause: () => Promise.resolve() };
  const models = new Models({ home, environment, keychain, limits, retry, sandbox: () => sandbox });
  const runs = new WorkspaceRuns({
    root,
    home,
    sandbox,
    cache,
    resolve: (file, request) => resolver.resolve(file, request),
    grants: new GrantStore(home),
    log,
    models,
    keeper: new PlanKeeper({
      ...{ home, root, library: join(resources, 'library'), build: parts.build },
      interpreterPath: (language) => sandbox.interpreterPath(language),
    }),
  });
  const close = async (): Promise<void> => {
    await runs[Symbol.asyncDispose]();
    cache[Symbol.dispose]();
  };
  return { runs, cache, models, close };
}
