import { join } from 'node:path';
import type { WorkspaceFounts } from '../fount/workspace-founts.ts';
import { userFolder } from '../store/user-folder.ts';
import type { Log } from '../store/log.ts';
import type { WorkspaceResolverOptions } from './resolver-options.ts';
import { WorkspaceResolver } from './workspace-resolver.ts';

export interface OpenResolverOptions extends Pick<WorkspaceResolverOptions, 'reads' | 'later'> {
  readonly root: string;
  readonly home: string;
  readonly resources: string;
  readonly log: Log;
  readonly files: () => Promise<readonly string[]>;
  /** Refuses to change the lock. */
  readonly frozen?: boolean;
}

/** The resolver and the founts of one workspace, with the user's registries; founts are opened when they are asked for. */
export function openResolver(options: OpenResolverOptions): {
  resolver: WorkspaceResolver;
  founts: () => Promise<WorkspaceFounts>;
} {
  const { root, home, resources, files, reads, later } = options;
  let opening: Promise<WorkspaceFounts> | undefined;
  const founts = (): Promise<WorkspaceFounts> => (opening ??= openFounts(options));
  const library = join(resources, 'library');
  const resolver = new WorkspaceResolver({ root, home, library, founts, files, reads, later });
  return { resolver, founts };
}

/** Loaded late: most lenses use no founts, and what fetches them is large. */
async function openFounts(options: OpenResolverOptions): Promise<WorkspaceFounts> {
  const { root, home, log, frozen = false } = options;
  const [{ FountStore }, { readNpmConfig }, { WorkspaceFounts: Founts }, { readUserConfig }] =
    await Promise.all([
      import('../fount/fount-store.ts'),
      import('../fount/npm-config.ts'),
      import('../fount/workspace-founts.ts'),
      import('../store/user-config.ts'),
    ]);
  const { config } = await readUserConfig(home);
  const npmConfig = await readNpmConfig(join(userFolder(), '.npmrc'), process.env);
  const store = new FountStore({ home, founts: config.founts, npmConfig, log });
  return new Founts({ folder: root, store, frozen });
}
