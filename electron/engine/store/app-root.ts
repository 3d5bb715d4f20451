import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds `package.json` and `resources`, seen from source, from `dist` and from a packaged app alike. */
export function findAppRoot(moduleUrl: string): string {
  let folder = dirname(fileURLToPath(moduleUrl));
  while (!(existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'resources')))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`No resources above "${moduleUrl}"`);
    folder = parent;
  }
  return folder;
}
