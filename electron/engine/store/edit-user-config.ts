import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { insertEntry } from '#shared/lens/edit/insert.ts';
import type { EditResult } from '#shared/lens/edit/place.ts';
import { removeAt } from '#shared/lens/edit/remove.ts';
import { setValue } from '#shared/lens/edit/set.ts';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import type { Plain } from '#shared/lens/edit/tree.ts';
import { readConfig } from '#shared/lens/read/config.ts';
import { openYaml } from '#shared/lens/yaml/open.ts';
import type { YamlSource } from '#shared/lens/yaml/source.ts';
import { withFileLock } from './file-lock.ts';
import { configName, readConfigText } from './user-config.ts';
import { writeFile } from './write-file.ts';

/** One change of the user's `config.yaml`; without a value the entry is removed. */
export interface ConfigChange {
  readonly path: readonly string[];
  readonly value?: Plain;
}

/** Makes all changes or none, and touches nothing else: comments and order stay. Refuses what would add an error. */
export async function editUserConfig(home: string, changes: readonly ConfigChange[]): Promise<void> {
  try {
    // From reading to writing: a command that wrote in between would lose its change, though it said "Set".
    await withFileLock(join(home, configName), () => edit(home, changes));
  } catch (error) {
    if (error instanceof StudioError) throw error;
    throw new StudioError('config.unwritable', `Cannot write "${configName}": ${(error as Error).message}`);
  }
}

async function edit(home: string, changes: readonly ConfigChange[]): Promise<void> {
  const before = readConfigText(home);
  let text = before;
  for (const change of changes) {
    const result = apply(openYaml(text, configName).source, change);
    if (!result.ok)
      throw new StudioError('config.broken', `Cannot change "${change.path.join('.')}": ${result.message}`);
    text = applyEdits(text, result.edits);
  }
  const added = newProblem(before, text);
  if (added !== undefined)
    throw new StudioError('config.bad-value', `Cannot change "${configName}": ${added}`);
  if (text === before) return;
  await writeFile(join(home, configName), text);
}

function apply(source: YamlSource, { path, value }: ConfigChange): EditResult {
  if (value === undefined)
    return source.find([...path]) === undefined
      ? { ok: true, edits: [], source }
      : removeAt(source, [...path]);
  // The first part of the path that is not there yet is made with all that belongs below it.
  for (let depth = 1; depth < path.length; depth++) {
    if (isMapAt(source, path.slice(0, depth))) continue;
    const below = path.slice(depth).reduceRight<Plain>((inner, key) => ({ [key]: inner }), value);
    const [key, parent] = [path[depth - 1]!, path.slice(0, depth - 1)];
    return source.find(path.slice(0, depth)) === undefined
      ? insertEntry(source, parent, key, below)
      : setValue(source, path.slice(0, depth), below);
  }
  return path.length === 1 && source.root === null
    ? insertEntry(source, [], path[0]!, value)
    : setValue(source, [...path], value);
}

function isMapAt(source: YamlSource, path: readonly string[]): boolean {
  const node = source.find([...path]);
  return node !== undefined && typeof source.plain(node) === 'object' && source.plain(node) !== null;
}

function newProblem(before: string, after: string): string | undefined {
  const known = new Set(readConfig(before, configName).diagnostics.map(({ message }) => message));
  return readConfig(after, configName).diagnostics.find(({ message }) => !known.has(message))?.message;
}
