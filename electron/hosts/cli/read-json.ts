import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withInexactAsInfinite } from '#engine/store/exact-numbers.ts';
import { maxNesting, unfitnessOf } from '#engine/store/fit-value.ts';
import { StudioError } from '#shared/errors.ts';
import type { Invocation } from './invocation.ts';

const maxBytes = 16 * 1024 * 1024;
const pieceBytes = 64 * 1024;

/** Why a file was not read, where the words of the system name codes. */
const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: 'what should be its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'you have no right to read it',
  EPERM: 'you have no right to read it',
};

/** The text of any file that the user named; refuses what is missing, too large or no text. */
export async function readInputText({ terminal }: Invocation, file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readUpTo(resolve(terminal.workingDirectory, file), maxBytes + 1);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw refused('file.not-found', file, 'there is no such file');
    throw refused('file.unreadable', file, reasons[code] ?? message);
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused('file.unknown-kind', file, `it is not JSON: ${(error as Error).message}`);
  }
  const unfit = whyUnfit(value, text);
  if (unfit !== undefined) throw refused('file.unknown-kind', file, unfit);
  return value;
}

/** A device or a pipe does not say how long it is, and some never end: pieces are read until there are too many. */
async function readUpTo(path: string, limit: number): Promise<Buffer> {
  await using handle = await open(path);
  const pieces: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, null);
    if (bytesRead === 0) break;
    pieces.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(pieces);
}

/** Why what a JSON text says cannot be handed on as it is. */
function whyUnfit(value: unknown, text: string): string | undefined {
  const unfitness = unfitnessOf(value);
  switch (unfitness) {
    case 'endless':
      return 'it has a number that is too large';
    case 'too-deep':
      return `it is nested more than ${maxNesting.toLocaleString('en')} levels deep`;
    case undefined:
      return withInexactAsInfinite(text) === undefined
        ? undefined
        : 'it has a whole number that is too large to be exact: write it as a text';
  }
}

function refused(
  code: 'file.not-found' | 'file.unreadable' | 'file.too-large' | 'file.not-text' | 'file.unknown-kind',
  file: string,
  why: string,
): StudioError {
  return new StudioError(code, `Cannot read "${file}": ${why}`, { file });
}
