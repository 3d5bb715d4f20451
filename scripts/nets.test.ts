import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const knownBad = path.join(root, 'eslint', 'known-bad');

/** What lint says of a file that breaks every rule of types, in the order of its lines. */
const carelessly = [
  '@typescript-eslint/consistent-type-imports typeOverValue',
  '@typescript-eslint/no-explicit-any unexpectedAny',
  '@typescript-eslint/await-thenable await',
  '@typescript-eslint/no-floating-promises floatingVoid',
  '@typescript-eslint/no-misused-promises voidReturnArgument',
  '@typescript-eslint/no-unnecessary-type-assertion unnecessaryAssertion',
  '@typescript-eslint/no-unsafe-assignment anyAssignment',
  '@typescript-eslint/no-unsafe-call unsafeCall',
  '@typescript-eslint/no-unsafe-argument unsafeArgument',
  '@typescript-eslint/ban-ts-comment tsIgnoreInsteadOfExpectError',
  '@typescript-eslint/no-unsafe-member-access unsafeMemberExpression',
  '@typescript-eslint/only-throw-error object',
  '@typescript-eslint/prefer-promise-reject-errors rejectAnError',
  '@typescript-eslint/switch-exhaustiveness-check switchIsNotExhaustive',
  '@typescript-eslint/return-await requiredPromiseAwait',
  '@typescript-eslint/no-unsafe-return unsafeReturn',
];

test('lint rejects every known-bad file by the right rule and passes the good ones', async () => {
  const eslint = new ESLint({ cwd: knownBad });
  const results = await eslint.lintFiles(['**/*.{ts,svelte}']);
  const found = results.map(({ filePath, messages }) => [
    path.relative(knownBad, filePath).split(path.sep).join('/'),
    messages.map(({ ruleId, messageId }) => [ruleId, messageId].filter(Boolean).join(' ')),
  ]);

  expect(Object.fromEntries(found)).toEqual({
    'electron/engine/cache/arrow-back.ts': [
      '@typescript-eslint/consistent-type-imports noImportTypeAnnotations',
      'studio/layers forbidden',
    ],
    'electron/engine/careless.ts': [
      '@typescript-eslint/no-explicit-any unexpectedAny',
      '@typescript-eslint/no-floating-promises floatingVoid',
      '@typescript-eslint/no-unsafe-argument unsafeArgument',
    ],
    'electron/engine/engine.test.ts': [],
    'electron/engine/engine.ts': [],
    'electron/engine/opaque.ts': ['studio/layers opaque'],
    'electron/engine/run/run.ts': [],
    'electron/engine/run/spawns.ts': ['studio/layers guarded', 'studio/layers guarded'],
    'electron/engine/silenced.ts': ['', 'studio/layers guarded'],
    'electron/engine/uses-electron.ts': ['studio/layers guarded', 'studio/layers guarded'],
    'electron/engine/uses-rig.ts': ['studio/layers forbidden'],
    'electron/hosts/desktop/main.ts': [],
    'electron/hosts/web/uses-desktop.ts': ['studio/layers forbidden'],
    'electron/testing/rig.ts': [],
    'renderer/features/CycleA.svelte': [],
    'renderer/features/LeavesByPath.svelte': ['studio/layers relative'],
    'renderer/features/Runs.svelte': [],
    'renderer/features/cycle-b.ts': [],
    'renderer/state/run-view.svelte.ts': [],
    'renderer/ui/Careless.svelte': carelessly,
    'renderer/ui/ReachesEngine.svelte': [
      'studio/layers forbidden',
      '@typescript-eslint/no-floating-promises floatingVoid',
    ],
    'renderer/ui/ReachesState.svelte': ['studio/layers forbidden'],
    'renderer/ui/unknown-subpath.ts': ['studio/layers subpath'],
    'renderer/widgets/homeless.ts': ['studio/layers homeless'],
    'shared/careless.ts': carelessly,
    'shared/cycle-a.ts': [],
    'shared/cycle-b.ts': [],
    'shared/leaves-by-path.ts': ['studio/layers forbidden'],
    'shared/reaches-engine.ts': ['studio/layers forbidden'],
    'shared/skill.ts': [],
  });
});

test('a layer message lists what the layer may import', async () => {
  const eslint = new ESLint({ cwd: knownBad });
  const [result] = await eslint.lintFiles(['renderer/ui/ReachesState.svelte']);
  expect(result?.messages.map(({ message }) => message)).toEqual([
    '"renderer/ui" may not import "renderer/state": it may import "renderer/ui", "shared"',
  ]);
});

test('the known-bad files break every rule of types there is', async () => {
  const eslint = new ESLint({ cwd: root });
  const { rules } = (await eslint.calculateConfigForFile('renderer/App.svelte')) as { rules: object };
  const ofTypes = Object.keys(rules).filter((rule) => rule.startsWith('@typescript-eslint/'));
  expect(carelessly.map((said) => said.split(' ', 1)[0]).sort()).toEqual(ofTypes.sort());
});

test('the layer rule reaches every source file of the project', async () => {
  const eslint = new ESLint({ cwd: root });
  const files = [
    'shared/errors.ts',
    'shared/lens/new.test.ts',
    'electron/engine/engine.ts',
    'electron/hosts/cli/main.ts',
    'renderer/App.svelte',
    'renderer/state/new.svelte.ts',
    'scripts/setup.mjs',
    'e2e/specs/new.ts',
    'vite.config.ts',
  ];
  const severities = await Promise.all(
    files.map(async (file) => {
      const config = (await eslint.calculateConfigForFile(file)) as {
        rules: Record<string, [number]>;
      };
      return [file, config.rules['studio/layers']?.[0]];
    }),
  );
  expect(severities).toEqual(files.map((file) => [file, 2]));
});

test('the cycle check rejects cycles through relative paths, # subpaths and Svelte files', () => {
  const depcruise = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = path.join(root, '.dependency-cruiser.json');
  const { status, stdout } = spawnSync(
    process.execPath,
    [depcruise, '--config', config, '--output-type', 'err', 'shared', 'electron', 'renderer'],
    { cwd: knownBad, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } },
  );
  const violations = stdout.split('\n').filter((line) => line.startsWith('  error '));
  expect({ status, violations: violations.sort() }).toEqual({
    status: 3,
    violations: [
      '  error no-circular: renderer/features/cycle-b.ts → ',
      '  error no-circular: shared/cycle-a.ts → ',
      '  error not-to-unresolvable: renderer/ui/unknown-subpath.ts → #widgets/size.ts',
    ],
  });
});
