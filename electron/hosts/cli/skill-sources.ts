import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { lensSources } from '#engine/agent-skills/lens-sources.ts';
import type { SkillSource } from '#engine/agent-skills/prepare-skill.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { readSunwell } from '#shared/agent-skills/lens-skill.ts';
import { CommandWorkspace } from './command-workspace.ts';
import { workspaceFolderOf } from './workspace-folder.ts';
import { resolveNamed } from './find-lens.ts';
import { pickInLens } from './find-skill.ts';
import type { Invocation } from './invocation.ts';
import { openSkill, readOpened } from './open-skill.ts';
import { inert } from './terminal.ts';

/** The skills that a word of the command line means, with all they depend on, dependencies first. */
export async function skillSources(
  invocation: Invocation,
  word: string,
  followLinks: boolean,
): Promise<readonly SkillSource[]> {
  const path = resolve(invocation.terminal.workingDirectory, word);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() || (found?.isFile() && /\.md$/i.test(path)))
    return folderSources(invocation, path, followLinks);
  const hash = word.lastIndexOf('#');
  const { resolution } = await resolveNamed(invocation, hash > 0 ? word.slice(0, hash) : word);
  noteMissing(invocation, resolution);
  if (hash <= 0) return lensSources(resolution);
  return lensSources(resolution, [pickInLens(resolution, word.slice(hash + 1), word).skill.id]);
}

/** A folder by itself, or with the skills beside it that its `metadata.sunwell` depends on. */
async function folderSources(
  invocation: Invocation,
  path: string,
  followLinks: boolean,
): Promise<readonly SkillSource[]> {
  const alone: SkillSource = { kind: 'path', path, followLinks };
  const opened = await openSkill(path, invocation.terminal.workingDirectory);
  if ('reason' in opened) return [alone]; // A single file, or no skill: whoever installs it says so.
  const needs = readSunwell(readOpened(opened, 'lenient')).metadata.depends_on ?? [];
  if (needs.length === 0) return [alone];
  const folder = basename(path) === 'SKILL.md' ? dirname(path) : path;
  const parent = dirname(folder);
  const workspace = await CommandWorkspace.open(invocation, workspaceFolderOf(invocation, folder));
  const beside = `./${relative(workspace.root, parent).split(sep).join('/')}`;
  const resolution = await workspace.resolveReference({ kind: 'path', path: beside });
  noteMissing(invocation, resolution);
  const node = resolution.skills.find(({ source }) => source.path === join(folder, 'SKILL.md'));
  const all = node ? await lensSources(resolution, [node.id]) : [];
  // The skill itself goes last and keeps the name of its folder.
  return [...all.slice(0, -1), alone];
}

function noteMissing({ output }: Invocation, { diagnostics }: Resolution): void {
  for (const { code, message } of diagnostics) {
    if (code === 'graph.missing-dependency' || code === 'library.not-found') output.note(inert(message));
  }
}
