import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defaultHome } from '#engine/home.ts';
import type { WorkspaceFounts } from '#engine/fount/workspace-founts.ts';
import type { Libraries } from '#engine/resolve/libraries.ts';
import { openResolver } from '#engine/resolve/open-resolver.ts';
import { sourceFile } from '#engine/resolve/place.ts';
import type { SourceFile } from '#engine/resolve/place.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import type { ResolveRequest } from '#engine/resolve/resolver-options.ts';
import type { WorkspaceResolver } from '#engine/resolve/workspace-resolver.ts';
import { takeBackKilled } from '#engine/run/apply/take-back-killed.ts';
import { Log } from '#engine/store/log.ts';
import { discover } from '#engine/workspace/discovery.ts';
import { requireFolder } from '#engine/workspace/text-file.ts';
import type { LibraryReference } from '#shared/lens/reference.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Invocation } from './invocation.ts';
import { inert } from './terminal.ts';
import { workspaceFolder } from './workspace-folder.ts';

/** One folder of lenses as a command sees it: what is in it, and what its files mean together. */
export class CommandWorkspace {
  readonly root: string;
  /** The folder of the library that ships with the studio. */
  readonly library: string;
  readonly resolver: WorkspaceResolver;
  readonly founts: () => Promise<WorkspaceFounts>;
  readonly files: () => Promise<readonly FileId[]>;
  readonly #request: ResolveRequest;
  #libraries: Promise<Libraries> | undefined;

  private constructor(parts: {
    root: string;
    library: string;
    resolver: WorkspaceResolver;
    founts: () => Promise<WorkspaceFounts>;
    files: () => Promise<readonly FileId[]>;
    request: ResolveRequest;
  }) {
    this.root = parts.root;
    this.resolver = parts.resolver;
    this.founts = parts.founts;
    this.files = parts.files;
    this.library = parts.library;
    this.#request = parts.request;
  }

  static async open(invocation: Invocation, root = workspaceFolder(invocation)): Promise<CommandWorkspace> {
    const { terminal, frozen } = invocation;
    terminal.interrupted.throwIfAborted();
    requireFolder(root);
    const { environment } = terminal.machine;
    const home = defaultHome(environment);
    const takenBack = await takeBackKilled({ home, root });
    if (takenBack !== undefined) invocation.output.note(inert(takenBack));
    const resources = join(terminal.appRoot, 'resources');
    let found: Promise<readonly FileId[]> | undefined;
    // Walking a large folder takes a while, and most commands need no more than the files they are given.
    const files = (): Promise<readonly FileId[]> =>
      (found ??= discover(root).then((discovery) => discovery.files.toSorted()));
    const log = new Log(join(home, 'logs'));
    const { resolver, founts } = openResolver({
      ...{ root, home, resources, log, files, frozen },
      // Once scripts run there is time for it; the process does not end before it is done.
      later: (work) => void setImmediate(work),
    });
    const library = join(resources, 'library');
    return new CommandWorkspace({ root, library, resolver, founts, files, request: { environment } });
  }

  /** The file at a path, named as this workspace names it. */
  source(path: string): SourceFile {
    return sourceFile({ root: this.root, label: '' }, path);
  }

  resolve(kind: 'lens' | 'library', source: SourceFile): Promise<Resolution> {
    return this.resolver.resolveAs(kind, source, this.#request);
  }

  /** Libraries to look into; each is read once. */
  libraries(): Promise<Libraries> {
    return (this.#libraries ??= this.resolver.libraries(this.#request));
  }

  /** Resolves a library by a reference from the top of the workspace. */
  resolveReference(reference: LibraryReference): Promise<Resolution> {
    return this.resolver.resolveReference(reference, this.top, this.#request);
  }

  /** What references from the top of the workspace are relative to. */
  get top(): SourceFile {
    return this.source(join(this.root, '-'));
  }

  /** Where a file of a diagnostic is on disk; undefined for what was shipped, fetched or is the user's own. */
  pathOf(file: string): string | undefined {
    if (/^(fount:\/\/|~\/)/.test(file)) return undefined;
    const shipped = /^sunwell\/common\/(.*)$/.exec(file)?.[1];
    if (shipped !== undefined && existsSync(join(this.library, shipped))) return undefined;
    return join(this.root, file);
  }
}
