import { resolve } from 'node:path';
import { discoverSkills } from '#engine/agent-skills/discover-skills.ts';
import type { SkillDiscovery } from '#engine/agent-skills/discover-skills.ts';
import { requireFolder } from '#engine/workspace/text-file.ts';
import { workspaceFolder } from '../workspace-folder.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { printTable } from '../table.ts';
import { inert } from '../terminal.ts';
import type { Output } from '../terminal.ts';
import { userHome } from '../user-home.ts';

export interface DiscoverOptions {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly path?: readonly string[];
  readonly home?: string;
}

/** Lists the Agent Skills of the project, the user and the named folders, each with the hash of its folder. */
export async function skillsDiscover(
  invocation: Invocation,
  directory: string | undefined,
  options: DiscoverOptions,
): Promise<ExitCode> {
  const { output, terminal } = invocation;
  const absolute = (path: string): string => resolve(terminal.workingDirectory, path);
  const project = directory === undefined ? workspaceFolder(invocation) : absolute(directory);
  requireFolder(project);
  const home = userHome(invocation, options.home);
  const found = await discoverSkills({
    project,
    ...(home === undefined ? {} : { home }),
    // Another home has its folders in their usual places.
    environment: options.home === undefined ? terminal.machine.environment : {},
    // A folder that was named is searched as a whole: it may be a collection of skills itself.
    configured: [...(directory === undefined ? [] : [project]), ...(options.path ?? []).map(absolute)],
    allow: options.allow ?? [],
    deny: options.deny ?? [],
    suggest: true,
  });
  if (output.isJson) {
    const { event: _event, leftOut, ...lists } = found;
    output.document({ ...lists, leftOut: leftOut ?? null });
  } else print(output, found, project);
  return ExitCode.ok;
}

function print(output: Output, found: SkillDiscovery, project: string): void {
  if (found.skills.length === 0) output.note(inert(`No Agent Skills in "${project}"`));
  else {
    const rows = found.skills.map(({ name, scope, sha256, file }) => [
      name,
      scope,
      sha256.slice(0, 12),
      file,
    ]);
    printTable(output, ['NAME', 'SCOPE', 'SHA-256', 'FILE'], rows);
  }
  const note = (text: string): void => output.note(inert(text));
  for (const { name, file, by } of found.shadowed)
    note(`"${file}" is not used: "${by}" has the name "${name}" too`);
  for (const { file, problems } of found.skipped)
    note(`Cannot load "${file}": ${problems[0]?.message ?? 'unknown'}`);
  for (const { name, file, problems } of found.skills) {
    if (problems.length > 0) note(`"${name}" has problems: ${problems[0]!.message} (${file})`);
  }
  for (const { from, to, evidence } of found.suggestions)
    note(`"${from}" speaks of "${to}" and does not declare it: ${evidence}`);
  if (found.leftOut !== undefined) note(found.leftOut);
}
