import type { WorkspaceFounts } from '../fount/workspace-founts.ts';
import type { ReadCache } from './read-cache.ts';

export interface WorkspaceResolverOptions {
  readonly root: string;
  /** The user's folder, whose `lenses` are found by name. */
  readonly home: string;
  /** The folder of the shipped library `sunwell/common`. */
  readonly library: string;
  readonly founts: () => Promise<WorkspaceFounts>;
  /** The lens and library files of the workspace. */
  readonly files: () => Promise<readonly string[]>;
  /** What others read of the same files. */
  readonly reads?: ReadCache | undefined;
  /** Does what nobody waits for; at once where nothing is said, since a command may end at any time. */
  readonly later?: ((work: () => void) => void) | undefined;
  /** Default: this build of the program. What another build kept is not taken; without one nothing is kept on disk. */
  readonly build?: string | undefined;
}

/** What a caller may add to one resolution. */
export interface ResolveRequest {
  /** Texts of an editor that are not yet on disk, by file. */
  readonly unsaved?: ReadonlyMap<string, string>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly parameters?: Readonly<Record<string, string>>;
}
