import { resolve } from 'node:path';
import type { Invocation } from './invocation.ts';

/** The home that agents of this user have: as asked, else as the environment says; undefined where it says nothing. */
export function userHome({ terminal }: Invocation, asked: string | undefined): string | undefined {
  if (asked !== undefined) return resolve(terminal.workingDirectory, asked);
  const { HOME, USERPROFILE } = terminal.machine.environment;
  return HOME || USERPROFILE || undefined;
}
