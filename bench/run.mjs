import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { leanYaml } from '../scripts/lib/lean-yaml.mjs';

const folder = import.meta.dirname;
const root = join(folder, '..');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -'.ts'.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));

if (wanted.length === 0 || unknown.length > 0) {
  if (unknown.length > 0)
    console.error(`Cannot find benchmark ${unknown.map((name) => `"${name}"`).join(', ')}`);
  console.log(`Usage: npm run bench -- <name>...\nBenchmarks: ${names.join(', ')}`);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else {
  for (const name of wanted) await runBundled(name);
}

/**
 * Bundles a benchmark as the product is bundled, and runs it in a process of its own. Modules that Vite loads one by one reach
 * one another through getters: that made ours slower than it is for a user, and left a limit without imports as quick as before.
 * @param {string} name
 */
async function runBundled(name) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  // Below the root, where Node finds the packages.
  const out = mkdtempSync(join(root, 'dist/bench-'));
  try {
    const input = join(out, 'main.mjs');
    writeFileSync(input, `import { run } from '${join(folder, `${name}.ts`)}';\nawait run();\n`);
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      plugins: [leanYaml()],
      define: {
        // Kept resolutions belong to a build, and every benchmark is one.
        __BUILD__: JSON.stringify(`bench-${process.pid}`),
        'import.meta.dirname': JSON.stringify(join(folder, 'lib')),
      },
      build: {
        ssr: true,
        rollupOptions: { input, output: { entryFileNames: 'built.mjs' } },
        outDir: out,
        emptyOutDir: false,
        copyPublicDir: false,
        target: 'node20',
        minify: false,
      },
    });
    const { status } = spawnSync(process.execPath, [join(out, 'built.mjs')], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
