import type { FileId, WorkspaceId } from '#shared/model/workspace.ts';
import type { DocumentSource } from './document.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

interface FileIndexOptions {
  readonly source: () => DocumentSource;
  readonly failed: (failure: Failure) => void;
}

/** The names of the workspace's files, read anew whenever somebody searches. */
export class FileIndex {
  readonly #options: FileIndexOptions;
  #files = $state.raw<readonly FileId[]>([]);
  #of: WorkspaceId | undefined;

  constructor(options: FileIndexOptions) {
    this.#options = options;
  }

  get files(): readonly FileId[] {
    return this.#files;
  }

  async refresh(): Promise<void> {
    try {
      const { client, workspace } = this.#options.source();
      // Until they are read, the files of another workspace would be offered.
      if (this.#of !== workspace) this.#files = [];
      this.#of = workspace;
      const { files } = await client.workspace.files({ workspace });
      if (this.#of === workspace) this.#files = files;
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code !== 'disconnected') this.#options.failed(failure);
    }
  }
}
