import { rename } from 'node:fs/promises';
import type { z } from 'zod';
import { readRegularFile } from './read-regular-file.ts';

/** What became of a file that the program itself keeps. */
export type StateFile<T> =
  | { readonly state: 'read'; readonly value: T }
  | { readonly state: 'missing' }
  | { readonly state: 'unreadable'; readonly problem: string }
  /** Damaged: `fate` says where it is kept, or why it could not be moved and is still there. */
  | { readonly state: 'damaged'; readonly fate: string; readonly isAside: boolean };

/** Why nothing may be written in place of a file: it holds something that nobody has read. Undefined where all may. */
export function unreadProblem(file: StateFile<unknown>): string | undefined {
  if (file.state === 'unreadable') return file.problem;
  return file.state === 'damaged' && !file.isAside ? `it is damaged, and ${file.fate}` : undefined;
}

/** Reads a JSON file of ours. A damaged one is set aside, so that nothing is lost and the program starts all the same. */
export async function readStateFile<T>(path: string, schema: z.ZodType<T>): Promise<StateFile<T>> {
  let text: string;
  try {
    text = readRegularFile(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { state: 'missing' } : { state: 'unreadable', problem: message };
  }
  const parsed = schema.safeParse(parseJson(text));
  return parsed.success
    ? { state: 'read', value: parsed.data }
    : { state: 'damaged', ...(await setAside(path)) };
}

async function setAside(path: string): Promise<{ fate: string; isAside: boolean }> {
  const aside = `${path}.corrupt-${Date.now()}`;
  return rename(path, aside).then(
    () => ({ fate: `it is kept as "${aside}"`, isAside: true }),
    (error: Error) => ({ fate: `it cannot be moved: ${error.message}`, isAside: false }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the schema refuses it and the file is set aside.
  }
}
