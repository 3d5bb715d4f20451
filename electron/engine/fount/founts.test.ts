import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { makePackage } from '../../testing/make-tarball.ts';
import { TestRegistry } from '../../testing/test-registry.ts';
import { parseFount } from './fount-reference.ts';
import { readLock } from './lock-file.ts';
import { codeOf, manifest, openDesk, refusal, skills } from './testing/fount-desk.ts';

const world = new DiskWorld();
let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start();
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

/** A user whose packages come from the registry, unless told otherwise. */
function desk(options: Partial<Parameters<typeof openDesk>[1]> = {}) {
  return openDesk(world, { founts: { default: registry.url }, ...options });
}

/** The address of a registry that is not there. */
async function unreachable(): Promise<string> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/`;
}

test('resolve() takes the highest version in the range and pins it, whatever is tagged latest', async () => {
  for (const version of ['1.0.0', '1.3.0-beta.1', '1.2.0', '2.0.0', '1.1.0']) {
    await registry.publish('ranges', version, skills);
  }
  const { founts, folder, home } = await desk();
  const picked = async (range: string) => (await founts.resolve(parseFount(`ranges@${range}`))).version;
  expect([
    await picked('^1.0.0'),
    await picked('>=1 <1.2'),
    await picked('*'),
    await picked('^1.3.0-beta'),
    await picked('latest'),
  ]).toEqual(['1.2.0', '1.1.0', '2.0.0', '1.3.0-beta.1', '1.1.0']);
  const fount = await founts.resolve(parseFount('ranges@^1.0.0'));
  expect(await readdir(fount.folder)).toEqual(['docs.skills.yaml', 'package.json']);
  expect(fount.folder.startsWith(join(home, 'fount', 'ranges@1.2.0-'))).toBe(true);
  expect((await readLock(folder)).founts['fount://ranges@^1.0.0']).toEqual({
    version: '1.2.0',
    integrity: fount.tree,
    resolved: 'registry',
  });
});

test('the lock holds a fount where it is until it is updated', async () => {
  await registry.publish('steady', '1.0.0', skills);
  const { founts, frozen, folder, home } = await desk();
  expect(await founts.add('steady@^1.0.0')).toMatchObject({ to: '1.0.0', changed: true });
  const before = await readFile(join(folder, 'sunwell.lock'), 'utf8');
  await registry.publish('steady', '1.1.0', { ...skills, 'more.skills.yaml': 'skills: []\n' });
  await registry.publish('steady', '2.0.0', skills);

  expect((await founts.resolve(parseFount('steady@^1.0.0'))).version).toBe('1.0.0');
  const elsewhere = await desk({ folder });
  expect((await elsewhere.frozen.resolve(parseFount('steady@^1.0.0'))).version).toBe('1.0.0');
  expect(await founts.outdated([parseFount('steady@^1.0.0'), parseFount('other@^1')])).toEqual([
    { request: 'fount://other@^1', package: 'other', range: '^1', state: 'not-in-lock' },
    {
      request: 'fount://steady@^1.0.0',
      package: 'steady',
      range: '^1.0.0',
      state: 'update-available',
      version: '1.0.0',
      update: '1.1.0',
      latest: '2.0.0',
    },
  ]);
  expect(await codeOf(frozen.update())).toBe('fount.frozen');
  expect(await codeOf(frozen.add('steady@^2'))).toBe('fount.frozen');
  expect(await codeOf(frozen.resolve(parseFount('steady@^2')))).toBe('fount.frozen');
  expect(await readFile(join(folder, 'sunwell.lock'), 'utf8')).toBe(before);

  expect(await elsewhere.frozen.add('steady@^1.0.0')).toMatchObject({ to: '1.0.0', changed: false });
  expect(await founts.update('steady')).toMatchObject([{ from: '1.0.0', to: '1.1.0', changed: true }]);
  expect(await founts.update()).toMatchObject([{ from: '1.1.0', to: '1.1.0', changed: false }]);
  expect(await founts.outdated()).toMatchObject([{ state: 'current', latest: '2.0.0' }]);
  expect(await codeOf(founts.update('unknown'))).toBe('fount.not-in-lock');
  expect((await readdir(join(home, 'fount'))).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('add() without a range pins a caret range of the latest version', async () => {
  await registry.publish('@team/plain', '0.4.2', skills);
  const { founts } = await desk();
  expect(await founts.add('@team/plain')).toMatchObject({
    request: 'fount://@team/plain@^0.4.2',
    to: '0.4.2',
  });
});

test('additions made at once are all in the lock', async () => {
  const names = ['crowd-a', 'crowd-b', 'crowd-c', 'crowd-d'];
  for (const name of names) await registry.publish(name, '1.0.0', skills);
  const { founts, folder } = await desk();
  await Promise.all([...names, 'crowd-a'].map((name) => founts.resolve(parseFount(`${name}@^1`))));
  expect(Object.keys((await readLock(folder)).founts)).toEqual(names.map((name) => `fount://${name}@^1`));
});

test('additions made at once by several processes are all in the lock', async () => {
  const names = ['queue-a', 'queue-b', 'queue-c', 'queue-d'];
  for (const name of names) await registry.publish(name, '1.0.0', skills);
  const { home, folder } = await desk();
  const desks = await Promise.all(names.map(() => desk({ home, folder })));
  await Promise.all(names.map((name, i) => desks[i]!.founts.resolve(parseFount(`${name}@^1`))));
  expect(Object.keys((await readLock(folder)).founts)).toEqual(names.map((name) => `fount://${name}@^1`));
});

test('a locked package works without the network once it is on the machine', async () => {
  await registry.publish('away', '1.0.0', skills);
  const online = await desk();
  const { tree } = await online.founts.resolve(parseFount('away@^1'));
  const places = { default: await unreachable() };
  const offline = await desk({ home: online.home, folder: online.folder, founts: places });
  expect((await offline.frozen.resolve(parseFount('away@^1'))).tree).toBe(tree);
  expect(await offline.founts.outdated()).toMatchObject([
    { state: 'current', problem: { code: 'fount.unreachable' } },
  ]);
  expect(await codeOf(offline.founts.resolve(parseFount('new@^1')))).toBe('fount.unreachable');

  const newcomer = await desk({ folder: online.folder, founts: places });
  expect(await newcomer.founts.outdated()).toMatchObject([{ state: 'missing' }]);
  expect(await codeOf(newcomer.founts.resolve(parseFount('away@^1'), { offline: true }))).toBe(
    'fount.not-in-store',
  );
  expect(await codeOf(newcomer.founts.resolve(parseFount('new@^1'), { offline: true }))).toBe(
    'fount.not-in-lock',
  );
});

test('a tarball that was altered in the registry is refused', async () => {
  await registry.publish('swapped', '1.0.0', skills);
  await registry.swapTarball(
    'swapped',
    '1.0.0',
    makePackage({ 'package.json': manifest('swapped', '1.0.0'), 'evil.skills.yaml': 'skills: []\n' }),
  );
  const { founts, folder, home } = await desk();
  expect(await refusal(founts.add('swapped@^1'))).toMatchObject({
    code: 'fount.damaged',
    message: `Cannot use "fount://swapped@^1": its bytes are not the ones "${registry.url}" promises (EINTEGRITY)`,
  });
  expect(await readdir(folder)).toEqual([]);
  expect(await readdir(join(home, 'fount'))).toEqual([]);
});

test('a registry that serves other content for a locked version is refused', async () => {
  await registry.publish('moved', '1.0.0', skills);
  const first = await desk();
  const { tree: expected } = await first.founts.resolve(parseFount('moved@^1'));
  const liar = await TestRegistry.start();
  await liar.publish('moved', '1.0.0', { ...skills, 'evil.skills.yaml': 'skills: []\n' });
  const second = await desk({ folder: first.folder, founts: { default: liar.url } });
  const error = await refusal(second.founts.resolve(parseFount('moved@^1')));
  const got = expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/) as string;
  expect(error).toMatchObject({ code: 'fount.tampered', details: { package: 'moved', expected, got } });
  const short = (hash: unknown): string => `${String(hash).slice(0, 19)}…`;
  expect(error.message).toBe(
    `Cannot use "fount://moved@^1": expected ${short(expected)}, got ${short(error.details['got'])}: ` +
      'its source now serves other bytes; ask its publisher, then "sunwell fount update" accepts them',
  );
  expect(await readdir(join(second.home, 'fount'))).toEqual([]);
  await liar[Symbol.asyncDispose]();
});

test.each([
  ['a changed byte', (folder: string) => writeFile(join(folder, 'docs.skills.yaml'), 'skills: [ ]\n')],
  ['an added file', (folder: string) => writeFile(join(folder, 'new.txt'), '')],
  ['a removed file', (folder: string) => rm(join(folder, 'docs.skills.yaml'))],
  ['a file made executable', (folder: string) => chmod(join(folder, 'docs.skills.yaml'), 0o755)],
])('%s in the stored package stops its use', async (_case, tamper) => {
  await registry.publish('touched', '1.0.0', skills).catch(() => undefined);
  const { founts, frozen } = await desk();
  const fount = await founts.resolve(parseFount('touched@^1'));
  await tamper(fount.folder);
  expect(await refusal(frozen.resolve(parseFount('touched@^1')))).toMatchObject({
    code: 'fount.tampered',
    details: { package: 'touched', expected: fount.tree, folder: fount.folder },
  });
  expect(await founts.outdated()).toMatchObject([{ state: 'changed-on-disk', version: '1.0.0' }]);
  await rm(fount.folder, { recursive: true });
  expect((await frozen.resolve(parseFount('touched@^1'))).tree).toBe(fount.tree);
});

test('a link put into the stored package stops its use', async () => {
  await registry.publish('linked', '1.0.0', skills);
  const { founts } = await desk();
  const fount = await founts.resolve(parseFount('linked@^1'));
  await symlink('/etc/passwd', join(fount.folder, 'passwd'));
  expect(await codeOf(founts.resolve(parseFount('linked@^1')))).toBe('fount.unsafe');
  expect(await founts.outdated()).toMatchObject([{ state: 'changed-on-disk' }]);
});

test('a scope has its own registry, and its token goes nowhere else', async () => {
  await registry.publish('@private/notes', '1.0.0', skills);
  const token = await registry.logIn('ada');
  const founts = { default: await unreachable(), '@private': registry.url };
  const npmConfig = { [`//${registry.host}/:_authToken`]: token };
  const { version } = await (
    await desk({ founts, npmConfig })
  ).founts.resolve(parseFount('@private/notes@^1'));
  expect(version).toBe('1.0.0');

  const anonymous = await desk({ founts });
  expect(await codeOf(anonymous.founts.add('@private/notes@^1'))).toBe('fount.unauthorized');
  const wrong = await desk({ founts, npmConfig: { [`//${registry.host}/:_authToken`]: 'npm_WrongToken' } });
  const error = await refusal(wrong.founts.add('@private/notes@^1'));
  expect(error.code).toBe('fount.unauthorized');
  expect(JSON.stringify([error.message, error.details])).not.toContain('npm_WrongToken');

  const seen: (string | undefined)[] = [];
  const listener = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const other = { default: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/` };
  expect(await codeOf((await desk({ founts: other, npmConfig })).founts.add('notes@^1'))).toBe(
    'fount.not-found',
  );
  expect(new Set(seen)).toEqual(new Set([undefined]));
  listener.closeAllConnections();
  await new Promise((resolve) => listener.close(resolve));
});

test('the registries of .npmrc are used where config.yaml names none', async () => {
  await registry.publish('@team/rc', '1.0.0', skills);
  const npmConfig = { registry: await unreachable(), '@team:registry': registry.url };
  const { founts } = await desk({ founts: {}, npmConfig });
  expect((await founts.add('@team/rc@^1')).to).toBe('1.0.0');
  expect(await codeOf(founts.add('plain@^1'))).toBe('fount.unreachable');
});

test('a missing package, a missing version and a bad reference each say so', async () => {
  await registry.publish('present', '1.0.0', skills);
  const { founts } = await desk();
  expect(await refusal(founts.add('absent@^1'))).toMatchObject({
    code: 'fount.not-found',
    message: `Cannot find "fount://absent@^1" at "${registry.url}": check the name and the source`,
  });
  expect(await refusal(founts.add('present@^2'))).toMatchObject({
    code: 'fount.no-version',
    message: 'Cannot resolve "fount://present@^2": no version is in the range; there are 1.0.0',
  });
  for (const text of ['', 'Up@^1', 'x@npm:y@1', 'x@github:a/b', 'x@../y', 'x@ext::sh -c true', './local']) {
    expect([text, await codeOf(founts.add(text))]).toEqual([text, 'fount.bad-reference']);
  }
});

test.each(['git+https://ada:pw@127.0.0.1/x', 'https://pw@127.0.0.1/x.tgz', 'git+ssh://git:pw@127.0.0.1/x'])(
  'a reference with a password is refused without repeating it: %s',
  async (range) => {
    const error = await refusal((await desk()).founts.add(`x@${range}`));
    expect(error.code).toBe('fount.bad-reference');
    expect(JSON.stringify([error.message, error.details])).not.toMatch(/pw|ada/);
  },
);

test('a home that cannot be written is told about', async () => {
  const place = await world.makeWorkspace({ home: 'a file' });
  const { founts } = await desk({ home: join(place, 'home') });
  expect(await codeOf(founts.add('present@^1'))).toBe('file.unwritable');
});

test('one package has one hash, from a registry, a tarball, a folder and git', async () => {
  const files = { 'package.json': manifest('same', '1.2.3'), ...skills, 'skills/run.sh': 'echo\n' };
  await registry.publish('same', '1.2.3', files);
  const folder = await world.makeWorkspace({ 'same/.gitignore': 'junk\n', 'same/junk': 'x' });
  for (const [path, text] of Object.entries(files)) await world.writeFile(folder, `same/${path}`, text);
  await writeFile(join(folder, 'same.tgz'), makePackage(files));
  commitAll(join(folder, 'same'));
  const { founts } = await desk({ folder });
  const changes = [];
  for (const range of ['^1', 'file:./same.tgz', 'file:./same', `git+${pathToFileURL(folder).href}/same`]) {
    changes.push(await founts.add(`same@${range}`));
  }
  expect(new Set(changes.map((change) => change.integrity)).size).toBe(1);
  const resolved = Object.values((await readLock(folder)).founts).map((entry) => entry.resolved);
  expect(resolved).toEqual(['registry', 'folder', 'tarball', expect.stringMatching(/^git#[0-9a-f]{40}$/)]);
});

test('a scope can be a folder of packages, and what is stored does not follow it', async () => {
  const team = await world.makeWorkspace({
    'one/package.json': manifest('@team/docs', '1.0.0'),
    'one/docs.skills.yaml': 'skills: []\n',
    '@team/docs/package.json': manifest('@team/docs', '1.1.0'),
    '@team/docs/docs.skills.yaml': 'skills: []\n',
    'notes/readme.md': 'no package',
    'broken/package.json': '{',
  });
  const { founts } = await desk({ founts: { '@team': team } });
  const first = await founts.resolve(parseFount('@team/docs@^1'));
  expect(first.version).toBe('1.1.0');
  await world.writeFile(team, '@team/docs/docs.skills.yaml', 'skills: [] # edited\n');
  expect((await founts.resolve(parseFount('@team/docs@^1'))).tree).toBe(first.tree);
  expect(await founts.outdated()).toMatchObject([
    { state: 'update-available', version: '1.1.0', update: '1.1.0' },
  ]);
  expect(await founts.update()).toMatchObject([{ from: '1.1.0', to: '1.1.0', changed: true }]);
  expect(await codeOf(founts.add('@team/none@^1'))).toBe('fount.not-found');
  await world.writeFile(team, 'copy/package.json', manifest('@team/docs', '1.1.0'));
  expect(await codeOf(founts.update())).toBe('fount.wrong-package');
});

test('a git fount is pinned to its commit, and runs none of its scripts', async () => {
  const mark = join(await world.makeFolder(), 'ran');
  const script = `touch "${mark}"`;
  const scripts = {
    preinstall: script,
    install: script,
    postinstall: script,
    prepare: script,
    build: script,
  };
  const folder = await world.makeWorkspace({
    'package.json': manifest('from-git', '1.0.0', { scripts, workspaces: ['w'] }),
    'skills/a/SKILL.md': '---\nname: a\n---\n',
  });
  commitAll(folder);
  const { founts, folder: place } = await desk();
  const reference = parseFount(`agentskills://from-git@git+${pathToFileURL(folder).href}#main`);
  const fount = await founts.resolve(reference);
  expect(await readdir(fount.folder)).toEqual(['package.json', 'skills']);
  await world.writeFile(folder, 'skills/a/SKILL.md', '---\nname: a\n---\nnew\n');
  commitAll(folder);
  const elsewhere = await desk({ folder: place });
  expect((await elsewhere.frozen.resolve(reference)).tree).toBe(fount.tree);
  expect(await founts.outdated()).toMatchObject([{ state: 'update-available', update: '1.0.0' }]);
  expect(await founts.update()).toMatchObject([{ changed: true }]);
  expect(await readdir(join(mark, '..'))).toEqual([]);
  execFileSync('git', ['tag', 'v1.0.0'], { cwd: folder });
  expect((await founts.add(`from-git@git+${pathToFileURL(folder).href}#semver:^1`)).to).toBe('1.0.0');
  const missing = parseFount(`gone@git+${pathToFileURL(folder).href}-gone`);
  expect(await codeOf(founts.resolve(missing))).toBe('fount.unreachable');
});

function commitAll(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: folder });
  git('init', '-q');
  git('symbolic-ref', 'HEAD', 'refs/heads/main');
  git('add', '-A');
  git('commit', '-q', '-m', 'state');
}
