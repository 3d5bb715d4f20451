import { readFile, rename } from 'node:fs/promises';
import type { z } from 'zod';

/** What became of a file that the program itself keeps. */
export type StateFile<T> =
  | { readonly state: 'read'; readonly value: T }
  | { readonly state: 'missing' }
  | { readonly state: 'unreadable'; readonly problem: string }
  /** Damaged, and out of the way: `fate` says where it is kept, or why it could not be moved. */
  | { readonly state: 'damaged'; readonly fate: string };

/** Reads a JSON file of ours. A damaged one is set aside, so that nothing is lost and the program starts all the same. */
export async function readStateFile<T>(path: string, schema: z.ZodType<T>): Promise<StateFile<T>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? { state: 'missing' } : { state: 'unreadable', problem: message };
  }
  const parsed = schema.safeParse(parseJson(text));
  return parsed.success
    ? { state: 'read', value: parsed.data }
    : { state: 'damaged', fate: await setAside(path) };
}

async function setAside(path: string): Promise<string> {
  const aside = `${path}.corrupt-${Date.now()}`;
  return rename(path, aside).then(
    () => `it is kept as "${aside}"`,
    (error: Error) => `it cannot be moved: ${error.message}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the schema refuses it and the file is set aside.
  }
}
