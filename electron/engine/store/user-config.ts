import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { readConfig } from '#shared/lens/read/config.ts';
import type { Config } from '#shared/model/config.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';

export interface UserConfig {
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
}

export const configName = 'config.yaml';

/** The user's `config.yaml` as far as it can be read; a missing file is an empty one. */
export async function readUserConfig(home: string): Promise<UserConfig> {
  const { value, diagnostics } = readConfig(await readConfigText(home), configName);
  return { config: value, diagnostics };
}

/** Its text; refuses a file that is there and cannot be read, for models and founts in it would go missing silently. */
export async function readConfigText(home: string): Promise<string> {
  return readFile(join(home, configName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new StudioError('config.broken', `Cannot read "${configName}": ${error.message}`);
  });
}
