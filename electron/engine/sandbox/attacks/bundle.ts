import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';
import { layOutApp } from '../../store/testing/lay-out-app.ts';
import { keeperProgram } from '../keeper-program.ts';
import { buildEditedKeeper, type SourceEdit } from '../native/build-keeper.ts';

/** Builds modules beside this one for plain Node, as `<name>.js` in the folder; `edit` changes the source on the way. */
export async function bundle(names: readonly string[], folder: string, edit?: SourceEdit): Promise<void> {
  const isNative = edit?.file.endsWith('.c') ?? false;
  layOutApp(folder, isNative ? weakenedResources(edit!, folder) : undefined);
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

/** Builds an edited keeper into resources of its own. */
function weakenedResources(edit: SourceEdit, folder: string): string {
  const [resources, sources] = [join(folder, 'weakened'), join(folder, 'native')] as const;
  for (const path of [join(resources, 'sandbox'), sources]) mkdirSync(path, { recursive: true });
  buildEditedKeeper(edit, join(resources, 'sandbox', basename(keeperProgram())), sources);
  return resources;
}
