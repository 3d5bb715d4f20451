import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { Invocation } from './invocation.ts';

const maxBytes = 16 * 1024 * 1024;

/** The text of any file that the user named; refuses what is missing, too large or no text. */
export async function readInputText({ terminal }: Invocation, file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(resolve(terminal.workingDirectory, file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw refused('file.not-found', file, 'there is no such file');
    throw refused('file.unreadable', file, message);
  }
  if (bytes.length > maxBytes) throw refused('file.too-large', file, 'it is larger than 16 MiB');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('file.not-text', file, 'it is not UTF-8 text');
  }
}

/** The value in a JSON file that the user named. */
export async function readJson(invocation: Invocation, file: string): Promise<unknown> {
  const text = await readInputText(invocation, file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused('file.unknown-kind', file, `it is not JSON: ${(error as Error).message}`);
  }
}

function refused(
  code: 'file.not-found' | 'file.unreadable' | 'file.too-large' | 'file.not-text' | 'file.unknown-kind',
  file: string,
  why: string,
): StudioError {
  return new StudioError(code, `Cannot read "${file}": ${why}`, { file });
}
