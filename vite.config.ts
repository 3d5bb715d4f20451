import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { EnvironmentOptions, Plugin } from 'vite';
import { defaultExclude, defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };
import { leanYaml, yamlModule } from './scripts/lib/lean-yaml.mjs';

const external = ['electron', /^node:/, ...builtinModules];

/** What every run of scripts comes to. With all that it needs it is one module: names of others are looked up at each use. */
const modulesOfRuns = [
  'electron/hosts/cli/start.ts',
  'electron/hosts/cli/commands/apply.ts',
  'electron/engine/resolve/fresh-resolver.ts',
  'electron/engine/run/run-skill.ts',
  'electron/engine/sandbox/backend.ts',
  'electron/engine/sandbox/cgroup/proven-places.ts',
  'electron/engine/sandbox/remembered-preflight.ts',
].map((path) => join(import.meta.dirname, path));

/** A bundle that runs in Node or Electron: dependencies are bundled, so the built files need no node_modules. */
function nodeEnvironment(
  input: Record<string, string>,
  output: { format: 'es' | 'cjs'; extension: 'js' | 'cjs'; folder?: 'cli/'; together?: readonly string[] },
): EnvironmentOptions {
  const { folder = '', together } = output;
  return {
    consumer: 'server',
    resolve: { noExternal: true, conditions: ['node', 'import', 'module', 'default'] },
    // CommonJS dependencies read these, and a bundle of ES modules has neither.
    define:
      output.format === 'es' ? { __filename: 'import.meta.filename', __dirname: 'import.meta.dirname' } : {},
    build: {
      outDir: 'dist',
      emptyOutDir: false,
      copyPublicDir: false,
      ssr: true,
      minify: false,
      sourcemap: true,
      target: 'node20',
      rolldownOptions: {
        input,
        external,
        platform: 'node',
        // What the command line loads late, the desktop app may need at once.
        checks: { ineffectiveDynamicImport: false },
        output: {
          format: output.format,
          entryFileNames: `${folder}[name].${output.extension}`,
          chunkFileNames: `${folder || 'chunks/'}[name]-[hash].${output.extension}`,
          ...(together && {
            codeSplitting: { groups: [{ name: 'start', test: (id) => together.includes(id) }] },
          }),
          // Read with the code at every start; the sources have them.
          comments: { legal: true, annotation: false, jsdoc: false },
          // V8 forgets, with compiled code that was kept, who loads modules for it: an import would fail from the second call on.
          dynamicImportInCjs: false,
        },
      },
    },
  };
}

/** Names the code that resolves, plans and runs: what one build has worked out and kept is not taken by another. */
function buildName(): string {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'scripts/lib/lean-yaml.mjs']) hash.update(readFileSync(file));
  for (const folder of ['shared', 'electron/engine']) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    );
    for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(`${folder}/${file}`));
  }
  return hash.digest('hex').slice(0, 32);
}

/** Lets a checkout run `dist/cli.cjs` by itself, as an installed package does. */
function executableCommand(): Plugin {
  return {
    name: 'executable-command',
    applyToEnvironment: ({ name }) => name === 'cli',
    writeBundle: ({ dir }) => chmod(`${dir ?? 'dist'}/cli.cjs`, 0o755),
  };
}

/** Leaves out of commander what starts other programs as commands: we have none, and it takes as long to load as a plan to make. */
function leanCommander(): Plugin {
  const needless = "require('node:child_process')";
  return {
    name: 'lean-commander',
    applyToEnvironment: ({ name }) => name === 'command',
    transform(code, id) {
      if (!id.endsWith('/commander/lib/command.js')) return undefined;
      if (!code.includes(needless)) this.error(`Commander has no ${needless} any more: take this away`);
      return { code: code.replace(needless, '{}'), map: null };
    },
  };
}

/** As what needs no decoding to be read: its digest in the first line, and no other characters than ASCII. */
function plainSource(code: string): string {
  const source = code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `// ${createHash('sha256').update(source).digest('hex')}\n${source}`;
}

/** One file for what most calls of the command line come to, with all that it needs: the packs are not even opened for it. */
function quickCommand(): Plugin {
  return {
    name: 'quick-command',
    applyToEnvironment: ({ name }) => name === 'quick',
    generateBundle(_options, bundle) {
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type !== 'chunk') delete bundle[file];
        else if (file === 'cli/quick.cjs') chunk.code = plainSource(chunk.code);
        else this.error(`What is done quickly loads "${file}" later: it must be in one file`);
      }
    },
  };
}

/** Larger chunks are libraries that few commands need: they stay files, which nobody reads for nothing. */
const packedBytes = 128 * 1024;

type Chunks = Readonly<Record<string, { imports: string[]; dynamicImports: string[]; moduleIds: string[] }>>;

/** These chunks with all that they load at once. */
function withImports(chunks: Chunks, files: readonly string[]): Set<string> {
  const found = new Set<string>();
  const add = (file: string): void => {
    if (found.has(file) || !chunks[file]) return;
    found.add(file);
    chunks[file].imports.forEach(add);
  };
  files.forEach(add);
  return found;
}

/**
 * Packs the modules of the command line into three files, which `packed-code.ts` reads: what a run needs, what other commands
 * begin with, and what they may need later. The first line of each is its digest; the first tells where the rest is.
 */
function packedCommand(): Plugin {
  return {
    name: 'packed-command',
    applyToEnvironment: ({ name }) => name === 'command',
    generateBundle(_options, bundle) {
      const chunks = Object.fromEntries(
        Object.entries(bundle).flatMap(([file, chunk]) => (chunk.type === 'chunk' ? [[file, chunk]] : [])),
      );
      const entry = 'cli/start.cjs';
      const { moduleIds } = chunks[entry]!;
      const gone = modulesOfRuns.filter((module) => !moduleIds.includes(module));
      if (gone.length > 0)
        this.error(`A run does not need "${gone.join('", "')}" any more: take it off the list`);
      const ofRuns = withImports(chunks, [entry]);
      const begun = withImports(
        chunks,
        [...ofRuns].flatMap((file) => chunks[file]!.dynamicImports),
      );
      const packs: Record<string, string[]> = { 'run.js': [], 'first.js': [], 'later.js': [] };
      const places: Record<string, string> = {};
      for (const [file, { code }] of Object.entries(chunks)) {
        if (!ofRuns.has(file) && code.length > packedBytes) continue;
        const path = file.replace(/^cli\//, '');
        const name = ofRuns.has(file) ? 'run.js' : begun.has(file) ? 'first.js' : 'later.js';
        if (name !== 'run.js') places[path] = name;
        packs[name]!.push(
          `${JSON.stringify(path)}: function (exports, require, module, __filename, __dirname) {\n${code}\n}`,
        );
        delete bundle[file];
        delete bundle[`${file}.map`];
      }
      packs['run.js']!.push(`places: ${JSON.stringify(places)}`);
      for (const [name, wrappers] of Object.entries(packs)) {
        const source = plainSource(`({\n${wrappers.join(',\n')}\n})\n`);
        this.emitFile({ type: 'asset', fileName: `cli/${name}`, source });
      }
    },
  };
}

/** Tests of shared code that take long by themselves: the last of them would hold up all that come after the quick ones. */
const longTests = ['shared/**/{fuzz,oracle,hostile-size,open}.test.ts', 'shared/**/*.property.test.ts'];

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [
    svelte({ configFile: false }),
    executableCommand(),
    leanCommander(),
    leanYaml(),
    packedCommand(),
    quickCommand(),
  ],
  define: { __VERSION__: JSON.stringify(manifest.version), __BUILD__: JSON.stringify(buildName()) },
  worker: { format: 'es', plugins: () => [leanYaml()] },
  environments: {
    client: {
      build: {
        outDir: 'dist/renderer',
        emptyOutDir: true,
        sourcemap: false,
        target: 'chrome130',
        chunkSizeWarningLimit: 5000,
        rolldownOptions: { input: 'renderer/index.html', checks: { pluginTimings: false } },
      },
    },
    node: nodeEnvironment({ desktop: 'electron/hosts/desktop/main.ts' }, { format: 'es', extension: 'js' }),
    cli: nodeEnvironment({ cli: 'electron/hosts/cli/main.ts' }, { format: 'cjs', extension: 'cjs' }),
    command: nodeEnvironment(
      { start: 'electron/hosts/cli/start.ts' },
      { format: 'cjs', extension: 'cjs', folder: 'cli/', together: modulesOfRuns },
    ),
    quick: nodeEnvironment(
      { quick: 'electron/hosts/cli/quick.ts' },
      { format: 'cjs', extension: 'cjs', folder: 'cli/' },
    ),
    preload: nodeEnvironment(
      { preload: 'electron/hosts/desktop/preload.ts' },
      { format: 'cjs', extension: 'cjs' },
    ),
  },
  builder: {
    async buildApp(builder) {
      // Chunks are named by their content: without this those of every earlier build would be packaged too.
      for (const folder of ['dist/chunks', 'dist/cli']) await rm(folder, { recursive: true, force: true });
      for (const environment of Object.values(builder.environments)) {
        if (environment.name !== 'ssr') await builder.build(environment);
      }
    },
  },
  test: {
    // Never a measure of speed: a busy machine must not turn a test red.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // By itself it leaves a processor unused, which of two is half.
    maxWorkers: '100%',
    // As it is built, not as it is in its package.
    server: { deps: { inline: [yamlModule] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['{electron,scripts,bench}/**/*.test.ts', ...longTests],
          exclude: [...defaultExclude, '**/*.drift.test.ts'],
          environment: 'node',
          // Behind the quick ones: a process is kept only for the next file of the same project.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['{shared,renderer}/**/*.test.ts'],
          exclude: [...defaultExclude, '**/*.drift.test.ts', ...longTests],
          environment: 'node',
          // Nothing here changes what is outside a test: a process takes many files, and loads what they share once.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'drift', include: ['**/*.drift.test.ts'], environment: 'node' } },
    ],
  },
});
