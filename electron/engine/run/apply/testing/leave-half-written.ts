import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { passingName } from '#shared/blocked-names.ts';
import { writeFile } from 'node:fs/promises';
import { applyingName } from '../../run-places.ts';
import { workspaceKey } from '../../workspace-key.ts';
import { Applying, type DecidedChange } from '../applying.ts';

/** Leaves a workspace as a process does that is killed while it writes the last of these changes; returns its intent's path. */
export async function leaveHalfWritten(
  { home, root }: { home: string; root: string },
  changes: readonly DecidedChange[],
  run = 'r1',
): Promise<string> {
  const history = join(home, 'runs', workspaceKey(root));
  const applying = await Applying.begin(root, changes, { history, run });
  for (const change of changes.slice(0, -1)) await applying.write(change);
  const folder = join(history, applyingName);
  const [name = ''] = readdirSync(folder);
  const id = name.split('.').at(-1) ?? '';
  await writeFile(join(root, passingName(id, changes.length - 1)), 'half of i');
  // No process has this number.
  const dead = join(folder, `4194999-1.${id}`);
  renameSync(join(folder, name), dead);
  return dead;
}

/** A change of a text; undefined where there is no file. */
export function decided(path: string, before: string | undefined, after: string | undefined): DecidedChange {
  const bytes = (text: string | undefined): Buffer | undefined =>
    text === undefined ? undefined : Buffer.from(text);
  return { path, before: bytes(before), after: bytes(after), isExecutable: false };
}
