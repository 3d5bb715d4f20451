import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { readConfig } from '#shared/lens/read/config.ts';
import type { Config } from '#shared/model/config.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import { readRegularFile } from './read-regular-file.ts';

export interface UserConfig {
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
}

export const configName = 'config.yaml';

/** The user's `config.yaml` as far as it can be read; a missing file is an empty one. */
export async function readUserConfig(home: string): Promise<UserConfig> {
  const { value, diagnostics } = readConfig(readConfigText(home), configName);
  return { config: value, diagnostics };
}

/** Its text; refuses a file that is there and cannot be read, for models and founts in it would go missing silently. */
export function readConfigText(home: string): string {
  try {
    return readRegularFile(join(home, configName));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return '';
    throw new StudioError('config.broken', `Cannot read "${configName}": ${message}`);
  }
}
