import { fstatSync } from 'node:fs';
import { access, constants, realpath, stat, writeFile as writeInto } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
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

type Place = Pick<Terminal, 'workingDirectory' | 'stdout' | 'stderr'>;

/** Writes a file that the user named as `shown`: whole or not at all. */
export async function writeNamedFile(place: Place, shown: string, text: string): Promise<void> {
  const path = pathOf(place, shown);
  const standard = await standardStreamAt(path);
  // What was already written there would be gone, and what is still to come go into a file without a name.
  if (standard !== undefined) return void place[standard].write(text);
  try {
    // A device would be gone for the whole machine, and the reader of a pipe wait for ever, if a file took its place.
    await ((await isStream(path)) ? writeInto(path, text) : writeFile(path, text));
  } catch (error) {
    throw unwritable(shown, error as NodeJS.ErrnoException);
  }
}

/** Refuses what `writeNamedFile` could not write either, before work is done whose result would have no place. */
export async function requireWritable(place: Place, shown: string): Promise<void> {
  const named = pathOf(place, shown);
  try {
    if ((await standardStreamAt(named)) !== undefined) return;
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

/** The file that would be replaced, by its only name; undefined where what is written is added, as to a device. */
export async function replacedFile(place: Place, shown: string): Promise<string | undefined> {
  const path = pathOf(place, shown);
  if ((await standardStreamAt(path)) !== undefined || (await isStream(path))) return undefined;
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return realpath(path).catch(() => join(folder, basename(path)));
}

/** Nothing, as of a variable that is not set, would name the folder itself. */
function pathOf({ workingDirectory }: Place, shown: string): string {
  if (shown.trim() === '') throw new InvalidArgumentError('a file to write has no name');
  return resolve(workingDirectory, shown);
}

/** The standard stream that the shell sends into this file. */
async function standardStreamAt(path: string): Promise<'stdout' | 'stderr' | undefined> {
  const named = await stat(path).catch(() => undefined);
  if (!named?.isFile()) return undefined;
  return (['stdout', 'stderr'] as const).find((_, i) => {
    try {
      const { dev, ino } = fstatSync(i + 1);
      return dev === named.dev && ino === named.ino;
    } catch {
      return false; // Closed: nothing is sent anywhere.
    }
  });
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
