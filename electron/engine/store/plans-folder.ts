import { join } from 'node:path';

/** Where plans are kept in the user's folder: without it there are none, which can be seen before anything is loaded. */
export function plansFolder(home: string): string {
  return join(home, 'plans');
}
