import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { findAppRoot } from '../../store/app-root.ts';
import { keeperProgram } from '../keeper-program.ts';
import { buildEditedKeeper, type SourceEdit } from '../native/build-keeper.ts';

/** Builds modules beside this one for plain Node, as `<name>.js` in the folder; `edit` changes the source on the way. */
export async function bundle(names: readonly string[], folder: string, edit?: SourceEdit): Promise<void> {
  const isNative = edit?.file.endsWith('.c') ?? false;
  layOutApp(folder, isNative ? edit : undefined);
  const transform = (code: string, id: string): string | undefined => {
    if (!edit || isNative || !id.endsWith(edit.file)) return undefined;
    if (!code.includes(edit.from)) throw new Error(`"${edit.file}" has no "${edit.from}"`);
    return code.replace(edit.from, edit.to);
  };
  await build({
    configFile: false,
    logLevel: 'error',
    define: { __BUILD__: JSON.stringify('bundle') },
    ssr: { noExternal: true },
    plugins: [{ name: 'edit', enforce: 'pre', transform }],
    build: {
      ssr: true,
      rollupOptions: { input: names.map((name) => join(import.meta.dirname, `${name}.ts`)) },
      outDir: folder,
      target: 'node20',
      minify: false,
    },
  });
}

/** Makes the folder look like the root of the app, with a keeper of its own where that is edited. */
function layOutApp(folder: string, edit: SourceEdit | undefined): void {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const resources = join(folder, 'resources');
  if (!edit) return symlinkSync(join(findAppRoot(import.meta.url), 'resources'), resources);
  const sources = join(folder, 'native');
  for (const path of [join(resources, 'sandbox'), sources]) mkdirSync(path, { recursive: true });
  buildEditedKeeper(edit, keeperProgram().replace(findAppRoot(import.meta.url), folder), sources);
}
