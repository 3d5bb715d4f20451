import { basename, posix } from 'node:path';
import { readSkillText } from '#shared/agent-skills/read-skill.ts';
import { StudioError, unreachable } from '#shared/errors.ts';
import { readOutline } from '#shared/lens/outline.ts';
import type { Outline } from '#shared/lens/outline.ts';
import type { FileId, Revision, WorkspaceEntry } from '#shared/model/workspace.ts';
import { classify } from './discovery.ts';
import { readTextFile } from './text-file.ts';

const noRevision = '0'.repeat(64) as Revision;

/** Reads outlines, such as for somebody who goes on to read the same files as a whole. */
export type OutlineReader = (kind: 'lens' | 'library', file: FileId, text: string) => Outline;

export const readOutlineOnly: OutlineReader = (_kind, _file, text) => readOutline(text);

/**
 * Reads one file into its explorer entry; undefined when the file is gone or turns out to be something else. One that is
 * `known` and has the same bytes is answered as it is: to read a large file twice is what makes a workspace open slowly.
 */
export async function readEntry(
  root: string,
  file: FileId,
  { known, outline }: { known: WorkspaceEntry | undefined; outline: OutlineReader },
): Promise<WorkspaceEntry | undefined> {
  const kind = classify(file);
  if (!kind) return undefined;
  try {
    const { text, revision } = await readTextFile(root, file);
    if (known?.revision === revision) return known;
    switch (kind) {
      case 'lens':
        return lensEntry(file, revision, outline(kind, file, text));
      case 'library':
        return libraryEntry(file, revision, outline(kind, file, text));
      case 'agent-skill':
        return agentSkillEntry(file, revision, text);
      default:
        return unreachable(kind);
    }
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    if (error.code === 'file.not-found') return undefined;
    const { message, details } = error;
    const problem = typeof details['reason'] === 'string' ? details['reason'] : message;
    const unread = { file, revision: noRevision, name: plainName(file), problem };
    if (kind === 'agent-skill') return { kind, ...unread, scope: scopeOf(file) };
    return { kind, ...unread, skillCount: 0 };
  }
}

function lensEntry(file: FileId, revision: Revision, outline: Outline): WorkspaceEntry {
  return {
    kind: 'lens',
    file,
    revision,
    name: outline.name ?? plainName(file),
    description: outline.description,
    version: outline.version,
    domain: outline.domain,
    ...(outline.tags.length > 0 && { tags: [...outline.tags] }),
    extends: outline.extends,
    ...skillCounts(file, outline),
    problem: outline.problem,
  };
}

function libraryEntry(file: FileId, revision: Revision, outline: Outline): WorkspaceEntry | undefined {
  // Other YAML in a `skills` folder is none of our business; a file named `*.skills.yaml` says it is a library.
  if (!outline.hasSkillsKey && !file.endsWith('.skills.yaml')) return undefined;
  const { problem } = outline;
  return { kind: 'library', file, revision, name: file, ...skillCounts(file, outline), problem };
}

function skillCounts(file: FileId, { skills }: Outline): { skillCount: number; localSkills?: FileId[] } {
  const folders = skills.flatMap(({ localPath }) =>
    localPath === undefined ? [] : posix.join(posix.dirname(file), localPath),
  );
  const own = folders.filter((folder) => !folder.startsWith('..')).map((folder) => folder.replace(/\/$/, ''));
  return { skillCount: skills.length, ...(own.length > 0 && { localSkills: own as FileId[] }) };
}

function agentSkillEntry(file: FileId, revision: Revision, text: string): WorkspaceEntry {
  const parts = file.split('/');
  const folderName = parts[parts.length - 2] ?? file;
  const { properties, problems } = readSkillText(text, { directoryName: folderName, profile: 'lenient' });
  return {
    kind: 'agent-skill',
    file,
    revision,
    name: properties.name ?? folderName,
    description: properties.description,
    scope: scopeOf(file),
    problem: problems.find(({ severity }) => severity === 'error')?.message,
  };
}

function scopeOf(file: FileId): string {
  const parts = file.split('/');
  return parts.slice(0, Math.max(1, parts.lastIndexOf('skills'))).join('/');
}

function plainName(file: FileId): string {
  return basename(file).replace(/\.lens\.yaml$|\.lens$/, '');
}
