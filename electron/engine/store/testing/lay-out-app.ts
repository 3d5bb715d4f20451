import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findAppRoot } from '../app-root.ts';

/** Makes a folder with bundled code look like the root of the app, where the code looks for what ships beside it. */
export function layOutApp(folder: string, resources = join(findAppRoot(import.meta.url), 'resources')): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(resources, join(folder, 'resources'));
}
