import { join, resolve } from 'node:path';
import { userFolder } from './store/user-folder.ts';

/** The user's folder by the environment, where nothing else was asked for. */
export function defaultHome(environment: NodeJS.ProcessEnv = process.env): string {
  return resolve(environment['SUNWELL_HOME'] || join(userFolder(), '.sunwell'));
}
