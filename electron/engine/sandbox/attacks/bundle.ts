import { join } from 'node:path';
import { build } from 'vite';

/** One change of one source file, to see who notices. */
export interface SourceEdit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Builds modules beside this one for plain Node, as `<name>.js` in the folder; `edit` changes the source on the way. */
export async function bundle(names: readonly string[], folder: string, edit?: SourceEdit): Promise<void> {
  const transform = (code: string, id: string): string | undefined => {
    if (!edit || !id.endsWith(edit.file)) return undefined;
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
