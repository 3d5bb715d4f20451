import { homedir } from 'node:os';
import { join } from 'node:path';
import { FountStore } from '../fount/fount-store.ts';
import { readNpmConfig } from '../fount/npm-config.ts';
import { WorkspaceFounts } from '../fount/workspace-founts.ts';
import type { Log } from '../store/log.ts';
import { readUserConfig } from '../store/user-config.ts';
import { WorkspaceResolver } from './workspace-resolver.ts';

export interface OpenResolverOptions {
  readonly root: string;
  readonly home: string;
  readonly resources: string;
  readonly log: Log;
  readonly files: () => Promise<readonly string[]>;
  /** Refuses to change the lock. */
  readonly frozen?: boolean;
}

/** The resolver and the founts of one workspace, with the user's registries. */
export async function openResolver(
  options: OpenResolverOptions,
): Promise<{ resolver: WorkspaceResolver; founts: WorkspaceFounts }> {
  const { root, home, resources, log, files, frozen = false } = options;
  const { config } = await readUserConfig(home);
  const npmConfig = await readNpmConfig(join(homedir(), '.npmrc'), process.env);
  const store = new FountStore({ home, founts: config.founts, npmConfig, log });
  const founts = new WorkspaceFounts({ folder: root, store, frozen });
  const resolver = new WorkspaceResolver({ root, home, library: join(resources, 'library'), founts, files });
  return { resolver, founts };
}
