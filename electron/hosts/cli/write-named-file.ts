import { access, constants, realpath, stat, writeFile as writeInto } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { writeFile } from '#engine/store/write-file.ts';
import { StudioError } from '#shared/errors.ts';
import type { Terminal } from './terminal.ts';

/** Why a file was not written, where the words of the system name a passing file that nobody asked for. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'what should be its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'you have no right to write there',
  EPERM: 'you have no right to write there',
  EROFS: 'nothing can be written on this disk',
  ENOSPC: 'the disk is full',
};

/** Writes a file that the user named as `shown`: whole or not at all. */
export async function writeNamedFile(
  { workingDirectory }: Pick<Terminal, 'workingDirectory'>,
  shown: string,
  text: string,
): Promise<void> {
  const path = resolve(workingDirectory, shown);
  try {
    // A device would be gone for the whole machine, and the reader of a pipe wait for ever, if a file took its place.
    await ((await isStream(path)) ? writeInto(path, text) : writeFile(path, text));
  } catch (error) {
    throw unwritable(shown, error as NodeJS.ErrnoException);
  }
}

/** Refuses what `writeNamedFile` could not write either, before work is done whose result would have no place. */
export async function requireWritable(
  { workingDirectory }: Pick<Terminal, 'workingDirectory'>,
  shown: string,
): Promise<void> {
  const named = resolve(workingDirectory, shown);
  try {
    if (await isStream(named)) return await access(named, constants.W_OK);
    const path = await realpath(named).catch(() => named);
    if ((await stat(path).catch(() => undefined))?.isDirectory()) throw refusedAs('EISDIR');
    const folder = dirname(path);
    if (!(await stat(folder)).isDirectory()) throw refusedAs('ENOTDIR');
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(shown, error as NodeJS.ErrnoException);
  }
}

function refusedAs(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}

function unwritable(shown: string, { code = '', message }: NodeJS.ErrnoException): StudioError {
  return new StudioError('file.unwritable', `Cannot write "${shown}": ${reasons[code] ?? message}`, {
    file: shown,
  });
}

/** Whether a device, a pipe or a terminal is there. */
async function isStream(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
