import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StudioError } from '#shared/errors.ts';
import { labels } from '#shared/graph/labels.ts';
import { waves } from '#shared/graph/waves.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import { DiskWorld } from '../../../testing/disk-world.ts';
import { sourceFile } from '../place.ts';
import { ReadCache } from '../read-cache.ts';
import { resolveLens, resolveLibrary } from '../resolve.ts';
import type { Resolution } from '../resolve.ts';
import type { ResolveOptions } from '../session.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const library = join(repository, 'resources/library');

/** Resolves lenses in real temporary folders, without founts. */
export class ResolveRig implements AsyncDisposable {
  readonly world = new DiskWorld();
  readonly cache = new ReadCache();

  options(root: string, more: Partial<ResolveOptions> = {}): ResolveOptions {
    return {
      workspace: { root, label: '' },
      builtin: { root: library, label: 'sunwell/common' },
      cache: this.cache,
      lensesNamed: () => Promise.resolve([]),
      workspaceLibraries: () => Promise.resolve([]),
      fount: (reference) =>
        Promise.reject(new StudioError('file.not-found', `No fount "${reference.package}" in this test`)),
      environment: {},
      parameters: {},
      ...more,
    };
  }

  /** Writes the files and resolves the first of them. */
  async resolve(files: Record<string, string>, more: Partial<ResolveOptions> = {}): Promise<Resolution> {
    const root = await this.world.makeWorkspace(files);
    return this.resolveIn(root, Object.keys(files)[0]!, more);
  }

  resolveIn(root: string, file: string, more: Partial<ResolveOptions> = {}): Promise<Resolution> {
    const options = this.options(root, more);
    const source = sourceFile(options.workspace, join(root, file));
    return file.includes('.lens') ? resolveLens(source, options) : resolveLibrary(source, options);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }
}

/** The names of each wave. */
export function waveNames({ graph }: Resolution): string[][] {
  const label = labels(graph);
  return waves(graph).waves.map((wave) => wave.map((node) => label[node]!));
}

/** Errors and warnings as short lines. */
export function problems({ diagnostics }: { diagnostics: readonly Diagnostic[] }): string[] {
  return diagnostics.filter(({ severity }) => severity !== 'info').map(line);
}

export function line({ code, location, message }: Diagnostic): string {
  return `${location.file}:${location.line} ${code} ${message}`;
}

export function corpusFolder(): string {
  return join(repository, '../shared/corpus/sunwell');
}
