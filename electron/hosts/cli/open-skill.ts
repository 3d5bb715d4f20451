import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { maxSkillFileBytes, readSkillFile } from '#shared/agent-skills/read-skill.ts';
import type { SkillReading } from '#shared/agent-skills/read-skill.ts';
import type { SkillProfile } from '#shared/agent-skills/problem.ts';

/** A folder that was named as a skill: how the user called it, where it really is, and its SKILL.md. */
export interface SkillFolderNamed {
  readonly shown: string;
  readonly folder: string;
  /** "SKILL.md" or, where there is none, "skill.md". */
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** Why a folder is no skill, before anything in it is read. */
export interface NoSkill {
  readonly shown: string;
  readonly reason: 'not-directory' | 'no-skill-file' | 'unreadable';
  readonly message: string;
}

/** Opens the skill that a word names, by its folder or its SKILL.md; refuses a path that leads nowhere. */
export async function openSkill(word: string, workingDirectory: string): Promise<SkillFolderNamed | NoSkill> {
  let path = resolve(workingDirectory, word);
  let shown = plainPath(word);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
    const message = isMissing ? `Path does not exist: ${shown}` : `Cannot read "${shown}": ${error.message}`;
    throw new StudioError(isMissing ? 'file.not-found' : 'file.unreadable', message, { path: shown });
  });
  if (found.isFile() && basename(path).toLowerCase() === 'skill.md') {
    path = dirname(path);
    shown = plainPath(dirname(shown));
  } else if (!found.isDirectory()) {
    return { shown, reason: 'not-directory', message: `Not a directory: ${shown}` };
  }
  // The folder counts by its real name: "." and a link to it are the same skill.
  const folder = await realpath(path);
  try {
    // A listing, because some file systems open "skill.md" under any spelling.
    const names = await readdir(folder);
    const fileName = ['SKILL.md', 'skill.md'].find((name) => names.includes(name));
    if (fileName === undefined) {
      return { shown, reason: 'no-skill-file', message: 'Missing required file: SKILL.md' };
    }
    return { shown, folder, fileName, bytes: await readBounded(join(folder, fileName)) };
  } catch (error) {
    const { message } = error as NodeJS.ErrnoException;
    return { shown, reason: 'unreadable', message: `Cannot read SKILL.md: ${message}` };
  }
}

/** Reads an opened skill by a profile. */
export function readOpened({ folder, bytes }: SkillFolderNamed, profile: SkillProfile): SkillReading {
  return readSkillFile(bytes, { directoryName: basename(folder), profile });
}

/** The bytes of a regular file, one more than a SKILL.md may have at most, however it grows meanwhile. */
async function readBounded(path: string): Promise<Uint8Array> {
  // Opening a pipe for reading would wait forever for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is not a regular file');
    const buffer = Buffer.alloc(maxSkillFileBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (bytesRead === 0) return buffer.subarray(0, length);
    }
  } finally {
    await handle.close();
  }
}

/** The path as it was typed, without "./", doubled or trailing slashes. */
function plainPath(word: string): string {
  const parts = word.split('/').filter((part) => part !== '' && part !== '.');
  const joined = parts.join('/');
  return word.startsWith('/') ? `/${joined}` : joined === '' ? '.' : joined;
}
