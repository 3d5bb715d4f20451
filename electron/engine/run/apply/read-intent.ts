import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isMarkAlive } from '../../store/process-mark.ts';
import { Intent } from './intent.ts';

/** An intent that was found, with the bytes before each of its changes. */
export interface FoundIntent {
  readonly intent: Intent;
  readonly old: readonly (Buffer | undefined)[];
}

/** Writing files into a workspace takes seconds. */
const longestApplyMs = 10 * 60_000;

/** Whose file this is: undefined where it is no intent. */
export function ownerOf(path: string): { id: string; isAlive: boolean } | undefined {
  const found = /^(\d+-[a-z0-9.]+)\.([0-9a-f]+)$/.exec(basename(path));
  return found
    ? { id: found[2]!, isAlive: isMarkAlive(found[1]!, { path, goodForMs: longestApplyMs }) }
    : undefined;
}

/** Undefined for one that was not written to its end: then nothing of the workspace was touched. */
export async function readIntent(path: string): Promise<FoundIntent | 'damaged' | undefined> {
  const bytes = await readFile(path);
  const end = bytes.indexOf('\n');
  if (end < 0) return undefined;
  const intent = parse(bytes.toString('utf8', 0, end));
  if (!intent) return 'damaged';
  let at = end + 1;
  const old = intent.changes.map(({ before }) => {
    if (!before) return undefined;
    const from = at;
    return bytes.subarray(from, (at += before.bytes));
  });
  return at === bytes.length ? { intent, old } : undefined;
}

function parse(text: string): Intent | undefined {
  try {
    return Intent.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // Not JSON, although it is whole.
  }
}
