import { realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isBlocked } from '#shared/blocked-names.ts';
import { SkillMountError } from './skill-errors.ts';
import { pathProblem } from './skill-tree.ts';

/** The folder of a workspace that a page names to export to; refuses one that is outside, protected, or behind a link that leads out. */
export async function exportFolder(root: string, inside: string): Promise<string> {
  const parts = inside.split('/');
  const isProtected = parts.some((part) => isBlocked(part, true));
  const problem = pathProblem(inside) ?? (isProtected ? 'nothing is exported to there' : undefined);
  if (problem !== undefined) {
    const message = `Cannot export to "${inside}": ${problem}; name a folder of the workspace, such as "export"`;
    throw new SkillMountError('unsafe', message, { folder: inside });
  }
  const folder = join(root, ...parts);
  await requireInside(root, folder, inside);
  return folder;
}

/** Refuses a folder that a link leads out of the workspace; the workspace may be a stranger's. */
export async function requireInside(root: string, folder: string, shown: string): Promise<void> {
  const [realRoot, real] = await Promise.all([realpath(root), nearestReal(folder)]);
  if (real === realRoot || real.startsWith(realRoot + sep)) return;
  const message = `Cannot write to "${shown}": it leads out of the workspace; remove the link first`;
  throw new SkillMountError('unsafe', message, { folder: shown });
}

async function nearestReal(path: string): Promise<string> {
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new SkillMountError('io', `Cannot write to "${path}": ${error.message}`);
  });
  return real ?? nearestReal(dirname(path));
}
