import './eslint/svelte-types.mjs';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import { layersRule } from './eslint/layers.mjs';

const engine = (/** @type {string[]} */ ...names) => names.map((name) => `electron/engine/${name}`);

/** The architecture: <row> may import itself and <list>. A folder that is not here does not exist for lint. */
const layers = {
  shared: [],

  'electron/engine/store': ['shared'],
  'electron/engine/cache': ['shared', ...engine('store')],
  'electron/engine/sandbox': ['shared', ...engine('store')],
  'electron/engine/trust': ['shared', ...engine('store')],
  'electron/engine/models': ['shared', ...engine('store', 'sandbox', 'agent-skills')],
  'electron/engine/fount': ['shared', ...engine('store')],
  'electron/engine/git': ['shared'],
  'electron/engine/workspace': ['shared', ...engine('git', 'store')],
  'electron/engine/agent-skills': ['shared', ...engine('store', 'workspace')],
  'electron/engine/resolve': ['shared', ...engine('store', 'workspace', 'fount', 'agent-skills')],
  'electron/engine/fingerprint': ['shared', ...engine('store', 'resolve')],
  'electron/engine/tools': ['shared', ...engine('store', 'resolve', 'sandbox', 'models')],
  'electron/engine/prompt': ['shared', ...engine('resolve', 'fingerprint', 'tools')],
  'electron/engine/plan': [
    'shared',
    ...engine('store', 'resolve', 'fingerprint', 'cache', 'prompt', 'models'),
  ],
  'electron/engine/judge': [
    'shared',
    ...engine('store', 'resolve', 'fingerprint', 'cache', 'plan', 'sandbox', 'models'),
  ],
  'electron/engine/run': [
    'shared',
    ...engine(
      'store',
      'workspace',
      'agent-skills',
      'resolve',
      'fingerprint',
      'cache',
      'plan',
      'judge',
      'sandbox',
      'trust',
      'models',
      'prompt',
      'tools',
    ),
  ],
  'electron/engine/fixtures': [
    'shared',
    ...engine('store', 'workspace', 'resolve', 'plan', 'cache', 'sandbox', 'trust', 'models', 'tools', 'run'),
  ],
  'electron/engine/*': ['shared', 'electron/engine'],

  'electron/hosts/common': ['shared', 'electron/engine'],
  'electron/hosts/desktop': ['shared', 'electron/engine', 'electron/hosts/common'],
  'electron/hosts/web': ['shared', 'electron/engine', 'electron/hosts/common'],
  'electron/hosts/cli': ['shared', 'electron/engine', 'electron/hosts/common', 'electron/hosts/web'],

  'electron/testing': ['shared', 'electron/engine', 'electron/hosts'],

  'renderer/ui': ['shared'],
  'renderer/client': ['shared'],
  'renderer/state': ['shared', 'renderer/client'],
  'renderer/features': ['shared', 'renderer/state', 'renderer/ui'],
  'renderer/*': ['shared', 'renderer/client', 'renderer/state', 'renderer/features', 'renderer/ui'],

  resources: [],
  // The model server of the tests; it speaks the wire formats and knows no engine.
  e2e: ['shared', 'renderer/client', 'electron/engine/models'],
  bench: ['shared', 'electron/engine', 'scripts'],
  scripts: ['eslint', '*'],
  eslint: [],
  '*': ['eslint', 'scripts'],
};

/** Tests may also use the rigs; nothing that ships may. */
const testLayers = Object.fromEntries(
  Object.entries(layers).map(([layer, allowed]) => [layer, [...allowed, 'electron/testing']]),
);

/** Layers of one of these import each other by relative paths; all other layers by the # subpaths of package.json. */
const relativeWithin = ['electron/engine'];

/** Modules that give power over the machine, and the only places that may import them. */
const guarded = {
  electron: ['electron/hosts/desktop'],
  child_process: ['electron/engine/sandbox', 'electron/hosts/common/launch.ts'],
};

/**
 * The lint rules of the project in folder `root`; the tests call it for the known-bad project.
 * @param {string} root
 */
export function lintConfig(root) {
  const subpaths = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).imports;
  const layerRule = (/** @type {object} */ changes) => ({
    'studio/layers': ['error', { layers, relativeWithin, subpaths, guarded, ...changes }],
  });
  const typed = (/** @type {string} */ project, options = {}) => ({
    parserOptions: { project: path.join(root, project, 'tsconfig.json'), ...options },
  });

  return tseslint.config(
    { ignores: ['**/dist/**', '**/artifacts/**', '**/release/**', '**/testdata/**', 'eslint/known-bad/**'] },
    {
      files: ['**/*.{ts,mjs,svelte}'],
      plugins: { studio: { rules: { layers: layersRule } } },
      linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
      rules: { ...layerRule({}), ...coreRules },
    },
    {
      files: ['**/*.test.ts', '**/testing/**', '{scripts,e2e,bench}/**'],
      rules: layerRule({ layers: testLayers, guarded: { electron: guarded.electron } }),
    },
    {
      files: ['**/*.ts', '**/*.svelte'],
      plugins: { '@typescript-eslint': tseslint.plugin },
      rules: typedRules,
    },
    { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } },
    ...svelte.configs.base,
    {
      files: ['**/*.svelte', '**/*.svelte.ts'],
      languageOptions: { parserOptions: { parser: tseslint.parser } },
      rules: svelteRules,
    },
    {
      files: ['renderer/**/*.{ts,svelte}'],
      // Only here: where files of other kinds may join, no program is made once for all files.
      languageOptions: typed('renderer', { extraFileExtensions: ['.svelte'] }),
    },
    { files: ['e2e/**/*.ts'], languageOptions: typed('e2e') },
    // The engine's types hold all that is shared: a program for that alone would only take time.
    { files: ['{shared,electron,bench,scripts}/**/*.ts', '*.ts'], languageOptions: typed('electron') },
  );
}

const coreRules = {
  eqeqeq: 'error',
  'no-empty': ['error', { allowEmptyCatch: false }],
  'no-eval': 'error',
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
};

const typedRules = {
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/ban-ts-comment': 'error',
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
  '@typescript-eslint/no-explicit-any': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/no-unnecessary-type-assertion': 'error',
  '@typescript-eslint/no-unsafe-argument': 'error',
  '@typescript-eslint/no-unsafe-assignment': 'error',
  '@typescript-eslint/no-unsafe-call': 'error',
  '@typescript-eslint/no-unsafe-member-access': 'error',
  '@typescript-eslint/no-unsafe-return': 'error',
  '@typescript-eslint/only-throw-error': 'error',
  '@typescript-eslint/prefer-promise-reject-errors': 'error',
  '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
};

const svelteRules = {
  'svelte/no-at-debug-tags': 'error',
  'svelte/no-at-html-tags': 'error',
  'svelte/no-dom-manipulating': 'error',
  'svelte/no-dupe-else-if-blocks': 'error',
  'svelte/no-dupe-style-properties': 'error',
  'svelte/no-object-in-text-mustaches': 'error',
  'svelte/no-reactive-reassign': 'error',
  'svelte/no-target-blank': 'error',
  'prefer-const': 'off',
  'svelte/prefer-const': 'error',
  'svelte/require-each-key': 'error',
  'svelte/valid-each-key': 'error',
};

export default lintConfig(import.meta.dirname);
