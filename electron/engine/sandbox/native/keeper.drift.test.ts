import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { expectGenerated } from '../../../testing/drift.ts';
import { findAppRoot } from '../../store/app-root.ts';
import { architectures, type Architecture } from '../seccomp/rules.ts';
import { buildKeeper, compilerVersion, keeperSources } from './build-keeper.ts';

/** What the programs were made of, and by what. */
interface Made {
  readonly sources: Readonly<Record<string, string>>;
  readonly compilers: Readonly<Record<Architecture, string>>;
  readonly programs: Readonly<Record<Architecture, string>>;
}

const record = 'resources/sandbox/made.json';
const root = findAppRoot(import.meta.url);
const programOf = (architecture: Architecture) => join(root, `resources/sandbox/keeper-${architecture}`);
const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const forEach = <T>(of: (architecture: Architecture) => T) =>
  Object.fromEntries(architectures.map((name) => [name, of(name)])) as Record<Architecture, T>;

const known = JSON.parse(readFileSync(join(root, record), 'utf8')) as Made;
const sources = Object.fromEntries(keeperSources.map((path) => [basename(path), digestOf(path)]));

test('the keepers that ship were made of these sources', async () => {
  const isStale = JSON.stringify(sources) !== JSON.stringify(known.sources);
  if (isStale && process.env['UPDATE'] === '1') {
    const compilers = forEach(compilerVersion);
    const missing = architectures.filter((architecture) => compilers[architecture] === undefined);
    expect(missing, 'Install the packages "gcc" and "gcc-aarch64-linux-gnu" to build for').toEqual([]);
    for (const architecture of architectures) buildKeeper(architecture, programOf(architecture));
    const programs = forEach((architecture) => digestOf(programOf(architecture)));
    return expectGenerated(record, JSON.stringify({ sources, compilers, programs }));
  }
  const programs = forEach((architecture) => digestOf(programOf(architecture)));
  await expectGenerated(record, JSON.stringify({ sources, compilers: known.compilers, programs }));
});

for (const architecture of architectures) {
  const isSame = compilerVersion(architecture) === known.compilers[architecture];
  // Another compiler makes other bytes of the same sources, and says nothing about these.
  test.runIf(isSame)(`the same compiler makes the keeper for ${architecture} byte for byte`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sunwell-keeper-'));
    const built = join(folder, 'keeper');
    buildKeeper(architecture, built);
    expect(readFileSync(built).equals(readFileSync(programOf(architecture)))).toBe(true);
    rmSync(folder, { recursive: true });
  });
}
