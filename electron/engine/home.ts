import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The user's folder by the environment, where nothing else was asked for. */
export function defaultHome(environment: NodeJS.ProcessEnv = process.env): string {
  return resolve(environment['SUNWELL_HOME'] || join(homedir(), '.sunwell'));
}
