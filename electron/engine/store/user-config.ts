import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#shared/lens/read/config.ts';
import type { Config } from '#shared/model/config.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';

export interface UserConfig {
  readonly config: Config;
  readonly diagnostics: readonly Diagnostic[];
}

/** The user's `config.yaml` as far as it can be read; a missing file is an empty one. */
export async function readUserConfig(home: string): Promise<UserConfig> {
  const text = await readFile(join(home, 'config.yaml'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const { value, diagnostics } = readConfig(text, 'config.yaml');
  return { config: value, diagnostics };
}
