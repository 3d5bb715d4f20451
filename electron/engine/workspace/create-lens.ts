import { link, mkdir, open, realpath, unlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { dirname, join, sep } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { FileId, Revision } from '#shared/model/workspace.ts';
import { classify, isSkippedFolder } from './discovery.ts';
import { revisionOf } from './text-file.ts';

/** Writes a new lens or library whole or not at all; refuses other names, what leads outside and what is there already. */
export async function createLensFile(root: string, file: FileId, text: string): Promise<Revision> {
  const problem = problemOfName(file);
  if (problem !== undefined) {
    throw new StudioError('file.bad-name', `Cannot create "${file}": ${problem}`, { file });
  }
  const path = join(root, ...file.split('/'));
  const bytes = Buffer.from(text, 'utf8');
  try {
    await requireInside(root, dirname(path), file);
    await mkdir(dirname(path), { recursive: true });
    await writeNew(path, bytes);
  } catch (error) {
    if (error instanceof StudioError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      throw new StudioError('file.exists', `Cannot create "${file}": a file of this name is there already`, {
        file,
      });
    }
    throw new StudioError('file.unwritable', `Cannot create "${file}": ${message}`, { file });
  }
  return revisionOf(bytes);
}

/** Names that no system can keep, that hide the file from the explorer, or that lead elsewhere. */
function problemOfName(file: string): string | undefined {
  const parts = file.split('/');
  const name = parts.at(-1)!;
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'it leaves the workspace';
  if (/[\\:*?"<>|\p{Cc}]/u.test(file)) return 'it has characters that not every system can keep';
  if (parts.some((part) => part !== part.trim() || part.endsWith('.') || part.length > 200))
    return 'its parts may not begin or end with a space, end with a dot or be longer than 200 characters';
  if (parts.slice(0, -1).some(isSkippedFolder)) return 'the explorer does not look into that folder';
  const isNamed = classify(file) === 'lens' || name.endsWith('.skills.yaml');
  if (!isNamed || /^\.(lens(\.yaml)?|skills\.yaml)$/.test(name))
    return 'name it like "review.lens" or "team.skills.yaml"';
  return undefined;
}

/** A link on the way could lead out of the workspace: the nearest folder that is there decides. */
export async function requireInside(root: string, folder: string, file: FileId): Promise<void> {
  const realRoot = await realpath(root);
  for (let at = folder; ; at = dirname(at)) {
    const real = await realpath(at).catch(orMissing);
    if (real === undefined) continue;
    if (real === realRoot || real.startsWith(realRoot + sep)) return;
    throw new StudioError('file.bad-name', `Cannot create "${file}": it leads out of the workspace`, {
      file,
    });
  }
}

/** A half-written file never has its name, and a file that came meanwhile is not replaced. */
async function writeNew(path: string, bytes: Uint8Array): Promise<void> {
  const aside = join(dirname(path), `.${randomUUID()}.part`);
  const handle = await open(aside, 'wx', 0o644);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
    await link(aside, path);
  } finally {
    await handle.close();
    await unlink(aside);
  }
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  return undefined;
}
