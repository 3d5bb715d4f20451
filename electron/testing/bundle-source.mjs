// @ts-check
import { join } from 'node:path';
import { build } from 'vite';

const root = new URL('../../', import.meta.url).pathname;

/**
 * Writes a TypeScript module of ours, with all that it imports, as a file that many processes of plain Node can start at once;
 * gives its path.
 * @param {string} file
 * @param {string} folder
 * @returns {Promise<string>}
 */
export async function bundleSource(file, folder) {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: file,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rollupOptions: { output: { entryFileNames: 'bundle.mjs', chunkFileNames: '[hash].mjs' } },
    },
  });
  return join(folder, 'bundle.mjs');
}
