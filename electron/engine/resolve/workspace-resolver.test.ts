import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { classify, discover } from '../workspace/discovery.ts';
import type { Resolution } from './resolve.ts';
import { WorkspaceResolver } from './workspace-resolver.ts';
import type { ResolveRequest } from './resolver-options.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const library = fileURLToPath(new URL('../../../resources/library', import.meta.url));

/** A resolver as a new process has it; with another build it takes nothing that was kept. */
function newResolver(root: string, home: string, build = 'test'): WorkspaceResolver {
  const founts = (): never => {
    throw new Error('No founts in this test');
  };
  const files = async (): Promise<readonly string[]> => (await discover(root)).files;
  return new WorkspaceResolver({ root, home, library, founts, files, build });
}

const lens = `metadata: { name: Test, version: 1.0.0 }
extends: base
skills:
  - include: ./more.skills.yaml
  - name: first
    instructions: Do it
    scripts:
      - { name: run.py, language: python, path: ./tools/scripts/run.py }
    produces: [a]
  - name: second
    enabled: { env: SECOND }
    instructions: Do more
    depends_on: [first]
    requires: [a]
  - name: third
    instructions: Use it
    preset: quiet
    resources: [{ name: guide, path: ./docs/guide.md }]
    depends_on: [elsewhere]
`;

const start: Record<string, string> = {
  'test.lens': lens,
  'base.lens': 'metadata: { name: base, version: 1.0.0 }\nheuristics:\n  - { name: H, rule: Be kind }\n',
  'more.skills.yaml': 'skills:\n  - { name: elsewhere, instructions: Go }\n',
  'tools/scripts/run.py': 'print(1)\n',
  'docs/guide.md': 'guide\n',
};

const texts: Record<string, readonly string[]> = {
  'test.lens': [
    lens,
    lens.replace('Do it', 'Do xx'),
    lens.replace('[elsewhere]', '[elsewhera]'),
    'skills: [',
  ],
  'base.lens': [
    start['base.lens']!,
    start['base.lens']!.replace('kind', 'kist'),
    'metadata: { name: other }\n',
  ],
  'second-base.lens': ['metadata: { name: base, version: 1.0.0 }\n'],
  'more.skills.yaml': [start['more.skills.yaml']!, 'skills:\n  - { name: elsewhere, instructions: No }\n'],
  'other.skills.yaml': ['skills:\n  - { name: elsewhera, instructions: Go }\n'],
  'presets.yaml': ['presets:\n  quiet:\n    permissions: { network: { allow: [a] } }\n'],
  'tools/scripts/run.py': ['print(1)\n', 'print(2)\n'],
  'docs/guide.md': ['guide\n', 'GUIDE\n'],
};

interface Edit {
  readonly kind:
    'write' | 'same-times' | 'replace' | 'touch' | 'delete' | 'link-out' | 'link-in' | 'move-folder';
  readonly file: string;
  readonly which: number;
}

const edits: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(
    'write',
    'write',
    'same-times',
    'replace',
    'touch',
    'delete',
    'link-out',
    'link-in',
    'move-folder',
  ),
  file: fc.constantFrom(...Object.keys(texts)),
  which: fc.nat(3),
});

function apply(root: string, outside: string, { kind, file, which }: Edit): void {
  const path = join(root, file);
  const text = texts[file]![which % texts[file]!.length]!;
  const aged = (at: string): void => utimesSync(at, new Date(1e12), new Date(1e12));
  const place = (): void => {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { force: true });
  };
  switch (kind) {
    case 'write':
      mkdirSync(dirname(path), { recursive: true });
      return writeFileSync(path, text);
    case 'same-times':
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return aged(path);
    case 'replace':
      place();
      writeFileSync(join(root, 'new'), text);
      aged(join(root, 'new'));
      return renameSync(join(root, 'new'), path);
    case 'touch':
      place();
      writeFileSync(path, text);
      return aged(path);
    case 'delete':
      return rmSync(path, { force: true });
    case 'link-out':
      place();
      writeFileSync(join(outside, 'target'), text);
      return symlinkSync(join(outside, 'target'), path);
    case 'link-in':
      place();
      writeFileSync(join(root, 'target'), text);
      return which % 2 === 0 ? symlinkSync(join(root, 'target'), path) : linkSync(join(root, 'target'), path);
    case 'move-folder':
      if (!lstatSync(join(root, 'tools/scripts'), { throwIfNoEntry: false })?.isDirectory()) return;
      renameSync(
        join(root, 'tools/scripts'),
        join(outside, `scripts-${which}-${readdirSync(outside).length}`),
      );
      return symlinkSync(
        join(outside, `scripts-${which}-${readdirSync(outside).length - 1}`),
        join(root, 'tools/scripts'),
      );
  }
}

/** The result, or the reason that there is none. */
async function outcome(resolver: WorkspaceResolver, request: ResolveRequest): Promise<Resolution | string> {
  try {
    return await resolver.resolve('test.lens', request);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Long enough that what was written before is no longer recent. */
function passTick(): void {
  const before = Date.now();
  while (Date.now() - before < 60) continue;
}

test('what was kept is what a new resolution would be, after any edits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          edits: fc.array(edits, { maxLength: 3 }),
          second: fc.constantFrom(undefined, '', 'x'),
          isLate: fc.boolean(),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      async (rounds) => {
        const root = await world.makeWorkspace(start);
        const home = await world.makeFolder();
        const outside = await world.makeFolder();
        const resident = newResolver(root, home);
        for (const round of rounds) {
          for (const edit of round.edits) apply(root, outside, edit);
          if (round.isLate) passTick();
          const request = { environment: { SECOND: round.second } };
          const fresh = await outcome(newResolver(root, await world.makeFolder()), request);
          expect(await outcome(resident, request)).toEqual(fresh);
          expect(await outcome(newResolver(root, home), request)).toEqual(fresh);
        }
      },
    ),
    { numRuns: 25 },
  );
});

async function keptResolution(): Promise<{ root: string; home: string; kept: string; fresh: Resolution }> {
  const root = await world.makeWorkspace(start);
  const home = await world.makeFolder();
  passTick();
  const fresh = await newResolver(root, home).resolve('test.lens');
  const [name] = readdirSync(join(home, 'resolved'));
  return { root, home, kept: join(home, 'resolved', name!), fresh };
}

test('an unchanged lens is not resolved again, neither by this process nor by the next', async () => {
  const { root, home, kept, fresh } = await keptResolution();
  const { ino } = statSync(kept);
  expect(await newResolver(root, home).resolve('test.lens')).toEqual(fresh);
  // Every new resolution is kept in a new file.
  expect(statSync(kept).ino).toBe(ino);
  const resident = newResolver(root, home);
  expect(await resident.resolve('test.lens')).toBe(await resident.resolve('test.lens'));
});

test.each<Edit>([
  { kind: 'write', file: 'test.lens', which: 1 },
  { kind: 'same-times', file: 'base.lens', which: 1 },
  { kind: 'replace', file: 'tools/scripts/run.py', which: 1 },
  { kind: 'same-times', file: 'docs/guide.md', which: 1 },
  { kind: 'write', file: 'presets.yaml', which: 0 },
  { kind: 'write', file: 'second-base.lens', which: 0 },
  { kind: 'write', file: 'more.skills.yaml', which: 1 },
  { kind: 'delete', file: 'tools/scripts/run.py', which: 0 },
  { kind: 'delete', file: 'more.skills.yaml', which: 0 },
  { kind: 'link-out', file: 'tools/scripts/run.py', which: 0 },
  { kind: 'move-folder', file: 'tools/scripts/run.py', which: 0 },
])('$kind of $file ($which) makes a new resolution', async (edit) => {
  const { root, home, fresh } = await keptResolution();
  const resident = newResolver(root, home);
  await resident.resolve('test.lens');
  apply(root, await world.makeFolder(), edit);
  passTick();
  const now = await newResolver(root, await world.makeFolder()).resolve('test.lens');
  expect(now).not.toEqual(fresh);
  expect(await resident.resolve('test.lens')).toEqual(now);
  expect(await newResolver(root, home).resolve('test.lens')).toEqual(now);
});

const script = 'tools/scripts/run.py';

test.each<Edit>([
  { kind: 'write', file: script, which: 1 },
  { kind: 'same-times', file: script, which: 1 },
  { kind: 'touch', file: script, which: 0 },
  { kind: 'write', file: 'docs/guide.md', which: 1 },
])('$kind of $file ($which) reads this text again and resolves nothing', async (edit) => {
  const { root, home, kept, fresh } = await keptResolution();
  const { ino } = statSync(kept);
  const resident = newResolver(root, home);
  await resident.resolve('test.lens');
  apply(root, await world.makeFolder(), edit);
  passTick();
  const now = await newResolver(root, await world.makeFolder()).resolve('test.lens');
  expect(now.contentHash === fresh.contentHash).toBe(edit.kind === 'touch');
  const mended = await resident.resolve('test.lens');
  expect(mended).toEqual(now);
  expect(await resident.resolve('test.lens')).toBe(mended);
  expect(await newResolver(root, home).resolve('test.lens')).toEqual(now);
  // Every new resolution is kept in a new file.
  expect(statSync(kept).ino).toBe(ino);
});

test.each<[name: string, change: (path: string) => void]>([
  ['deleted', (path) => rmSync(path)],
  ['no text', (path) => writeFileSync(path, Buffer.from([0xff, 0xfe]))],
  ['too large', (path) => writeFileSync(path, 'x'.repeat(1024 * 1024 + 1))],
  ['a folder', (path) => (rmSync(path), mkdirSync(path))],
  ['a link', (path) => (renameSync(path, `${path}.real`), symlinkSync(`${path}.real`, path))],
])('a script that is %s now makes a new resolution', async (_name, change) => {
  const { root, home, kept } = await keptResolution();
  const { ino } = statSync(kept);
  change(join(root, script));
  passTick();
  const now = await newResolver(root, await world.makeFolder()).resolve('test.lens');
  expect(await newResolver(root, home).resolve('test.lens')).toEqual(now);
  expect(statSync(kept).ino).not.toBe(ino);
});

test('a script that is also a library makes a new resolution', async () => {
  const { root, home, kept } = await keptResolution();
  const both = `${lens}  - { name: fourth, scripts: [{ name: x.sh, language: bash, path: ./more.skills.yaml }] }\n`;
  writeFileSync(join(root, 'test.lens'), both);
  passTick();
  await newResolver(root, home).resolve('test.lens');
  const { ino } = statSync(kept);
  apply(root, root, { kind: 'write', file: 'more.skills.yaml', which: 1 });
  passTick();
  const now = await newResolver(root, await world.makeFolder()).resolve('test.lens');
  expect(now.skills.map(({ skill }) => skill.instructions)).toContain('No');
  expect(await newResolver(root, home).resolve('test.lens')).toEqual(now);
  expect(statSync(kept).ino).not.toBe(ino);
});

test('who asks at once waits for what is under way and gets the same, a change since then included', async () => {
  const root = await world.makeWorkspace(start);
  passTick();
  const resolver = newResolver(root, await world.makeFolder());
  const [first, second] = await Promise.all([resolver.resolve('test.lens'), resolver.resolve('test.lens')]);
  expect(second).toBe(first);
  const before = resolver.resolve('test.lens');
  writeFileSync(join(root, 'test.lens'), lens.replace('name: third', 'name: last'));
  const [after] = await Promise.all([resolver.resolve('test.lens'), before]);
  expect(after.skills.map(({ name }) => name)).toContain('last');
});

test('what another build or another installation kept is not taken', async () => {
  const { root, home, kept, fresh } = await keptResolution();
  const bytes = readFileSync(kept);
  expect(await newResolver(root, home, 'other').resolve('test.lens')).toEqual(fresh);
  expect(readFileSync(kept).equals(bytes)).toBe(false);
  const elsewhere = await world.makeFolder();
  mkdirSync(join(elsewhere, 'resolved'));
  writeFileSync(kept.replace(home, elsewhere), bytes);
  expect(await newResolver(root, elsewhere).resolve('test.lens')).toEqual(fresh);
  expect(readFileSync(kept.replace(home, elsewhere)).equals(bytes)).toBe(false);
});

test('a damaged file is resolved anew and never believed', async () => {
  const { root, home, kept, fresh } = await keptResolution();
  const bytes = readFileSync(kept);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      async (at, flip, isCut) => {
        const damaged = Buffer.from(isCut ? bytes.subarray(0, at) : bytes);
        if (!isCut) damaged[at]! ^= flip;
        writeFileSync(kept, damaged);
        expect(await newResolver(root, home).resolve('test.lens')).toEqual(fresh);
      },
    ),
    { numRuns: 50 },
  );
});

test('unsaved texts are resolved as they are and kept nowhere', async () => {
  const { root, home, kept } = await keptResolution();
  const before = readFileSync(kept);
  const unsaved = new Map([['test.lens', 'metadata: { name: Other, version: 2.0.0 }\n']]);
  const resolution = await newResolver(root, home).resolve('test.lens', { unsaved });
  expect(resolution.lens?.metadata.name).toBe('Other');
  expect(readFileSync(kept).equals(before)).toBe(true);
  expect((await newResolver(root, home).resolve('test.lens')).lens?.metadata.name).toBe('Test');
});

test('a value that JSON cannot say is resolved every time', async () => {
  const root = await world.makeWorkspace({
    'test.lens':
      'metadata: { name: Odd, version: 1.0.0 }\nskills:\n  - { name: a, instructions: b, odd: .nan }\n',
  });
  const home = await world.makeFolder();
  passTick();
  const fresh = await newResolver(root, home).resolve('test.lens');
  expect(await newResolver(root, home).resolve('test.lens')).toEqual(fresh);
  expect(fresh.skills[0]?.skill.extra).toEqual({ odd: NaN });
});

test('a home that cannot be written costs time and nothing else', async () => {
  const root = await world.makeWorkspace(start);
  const folder = await world.makeWorkspace({ home: 'a file' });
  passTick();
  expect((await newResolver(root, join(folder, 'home')).resolve('test.lens')).lens?.metadata.name).toBe(
    'Test',
  );
});

test('the values of environment variables are not written to disk', async () => {
  const { root, home, kept } = await keptResolution();
  await newResolver(root, home).resolve('test.lens', { environment: { SECOND: 'a secret value' } });
  expect(readFileSync(kept, 'utf8')).toContain('SECOND');
  expect(readFileSync(kept, 'utf8')).not.toContain('a secret value');
});

test('only so many resolutions are kept', async () => {
  const home = await world.makeFolder();
  const files = Object.fromEntries(
    Array.from({ length: 70 }, (_, i) => [`l${i}.lens`, `metadata: { name: L${i}, version: 1.0.0 }\n`]),
  );
  const root = await world.makeWorkspace(files);
  passTick();
  for (const file of Object.keys(files)) await newResolver(root, home).resolve(file);
  expect(readdirSync(join(home, 'resolved'))).toHaveLength(64);
});

const shipped = fileURLToPath(new URL('../../../resources', import.meta.url));
const corpus = fileURLToPath(new URL('../../../../shared/corpus/sunwell', import.meta.url));

test.each([join(shipped, 'sample'), join(shipped, 'library'), corpus].filter((root) => existsSync(root)))(
  'every lens and library of %s comes back as it was kept',
  async (root) => {
    const home = await world.makeFolder();
    const { files } = await discover(root);
    for (const file of files.filter((name) => classify(name) !== 'agent-skill')) {
      const fresh = await newResolver(root, home).resolve(file);
      expect(await newResolver(root, home).resolve(file)).toEqual(fresh);
    }
    expect(readdirSync(join(home, 'resolved')).length).toBeGreaterThan(0);
  },
);
