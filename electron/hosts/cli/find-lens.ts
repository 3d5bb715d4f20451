import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SourceFile } from '#engine/resolve/place.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { StudioError } from '#shared/errors.ts';
import { didYouMean } from '#shared/lens/names.ts';
import { CommandWorkspace } from './command-workspace.ts';
import { workspaceFolderOf } from './workspace-folder.ts';
import type { Invocation } from './invocation.ts';
import { kindByName } from './kind-by-name.ts';
import type { FileKind } from './kind-by-name.ts';

/** A lens or library that a user named, with the workspace it belongs to. */
export interface NamedLens {
  readonly workspace: CommandWorkspace;
  readonly kind: 'lens' | 'library';
  readonly source: SourceFile;
}

/** The lens that a path or a name means; a library file is taken too, for it has a graph. */
export async function findLens(invocation: Invocation, text: string): Promise<NamedLens> {
  const path = resolve(invocation.terminal.workingDirectory, text);
  if (isFile(path)) return lensAt(invocation, path, text);
  const isPath = /[\\/]|\.(lens|ya?ml)$/.test(text);
  if (isPath)
    throw new StudioError('file.not-found', `Cannot read "${text}": there is no such file`, { file: text });
  const workspace = await CommandWorkspace.open(invocation);
  const [source, ...others] = await workspace.resolver.lensesNamed(text);
  if (!source) throw await unknownLens(workspace, text);
  if (others.length > 0) throw ambiguousLens(text, [source, ...others]);
  return { workspace, kind: 'lens', source };
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false; // Whatever is wrong with it, nothing can be read there.
  }
}

/** Finds and resolves at once, as most commands do. */
export async function resolveNamed(
  invocation: Invocation,
  text: string,
): Promise<NamedLens & { resolution: Resolution }> {
  const named = await findLens(invocation, text);
  return { ...named, resolution: await named.workspace.resolve(named.kind, named.source) };
}

async function lensAt(invocation: Invocation, path: string, text: string): Promise<NamedLens> {
  const kind = kindByName(path) ?? (await kindByContent(path, text));
  if (kind !== 'lens' && kind !== 'library') {
    throw new StudioError('file.unknown-kind', `Cannot use "${text}": it is neither a lens nor a library`, {
      file: text,
    });
  }
  const workspace = await CommandWorkspace.open(invocation, workspaceFolderOf(invocation, path));
  return { workspace, kind, source: workspace.source(path) };
}

/** Loaded only for a file whose name does not say it: most do, and then nothing needs a parser. */
async function kindByContent(path: string, text: string): Promise<FileKind | undefined> {
  const [{ fileKind }, { readText }] = await Promise.all([
    import('./file-kind.ts'),
    import('./read-text.ts'),
  ]);
  return fileKind(path, await readText(path, text));
}

async function unknownLens(workspace: CommandWorkspace, text: string): Promise<StudioError> {
  const meant = didYouMean(text, await workspace.resolver.lensNames());
  const hint = meant === undefined ? 'see "sunwell lens list", or name a file' : `did you mean "${meant}"?`;
  return new StudioError('lens.unknown-name', `Cannot find lens "${text}" in "${workspace.root}": ${hint}`, {
    name: text,
    ...(meant === undefined ? {} : { didYouMean: meant }),
  });
}

function ambiguousLens(text: string, found: readonly SourceFile[]): StudioError {
  const files = found.map(({ file }) => file);
  const listed = files.map((file) => `"${file}"`).join(' or ');
  return new StudioError('lens.ambiguous-name', `Cannot choose lens "${text}": name the file, ${listed}`, {
    name: text,
    files,
  });
}
