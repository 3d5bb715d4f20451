import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createBuilder } from 'vite';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import { findAppRoot } from '#engine/store/app-root.ts';

/** An installed studio: the command line as the build makes it, in a folder of its own. */
let app: string;
let cli: string;
const parts = ['cli', 'command', 'quick'];

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'sunwell-main-'));
  cli = join(app, 'dist/cli.cjs');
  await mkdir(join(app, 'dist/renderer/renderer'), { recursive: true });
  await mkdir(join(app, 'resources/sample'), { recursive: true });
  await writeFile(join(app, 'package.json'), '{"type":"module"}');
  await writeFile(join(app, 'dist/renderer/renderer/index.html'), '<title>Studio</title>');
  const builder = await createBuilder({
    configFile: join(findAppRoot(import.meta.url), 'vite.config.ts'),
    logLevel: 'error',
    environments: Object.fromEntries(parts.map((name) => [name, { build: { outDir: join(app, 'dist') } }])),
  });
  for (const name of parts) await builder.build(builder.environments[name]!);
}, 60_000);
afterAll(() => rm(app, { recursive: true }));

function start(words: readonly string[], input = '', home = join(app, 'home')) {
  const environment = { PATH: process.env['PATH'], SUNWELL_HOME: home };
  const child = spawn(cli, words, { cwd: app, env: environment });
  // Most commands end without having read anything.
  child.stdin.on('error', () => undefined).end(input);
  return child;
}

async function run(words: readonly string[], input?: string, home?: string) {
  const child = start(words, input, home);
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close') as Promise<[number]>;
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode, stdout, stderr };
}

test('the built command is executable by itself and loads nothing to print its version', async () => {
  const { version } = JSON.parse(
    await readFile(join(findAppRoot(import.meta.url), 'package.json'), 'utf8'),
  ) as { version: string };
  const source = await readFile(cli, 'utf8');
  const files = source.match(/require\("(?!node:).*$/gm);
  expect([(await stat(cli)).mode & 0o777, source.split('\n', 1), files]).toEqual([
    0o755,
    ['#!/usr/bin/env node'],
    null,
  ]);
  expect(await run(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});

test('the built command hands exit codes and both streams to the shell', async () => {
  expect(await run(['lens', 'list', '--workspace', '/no/such'])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'Cannot open "/no/such": there is no such folder\n',
  });
});

test('what is more than a pipe holds reaches a reader that takes its time, and so does the exit code', async () => {
  const lens = join(app, 'large.lens');
  const skills = Array.from(
    { length: 600 },
    (_, i) => `  - { name: s${i}, description: Says s${i}, depends_on: [none] }`,
  );
  await writeFile(lens, `metadata: { name: Large, version: 1.0.0 }\nskills:\n${skills.join('\n')}\n`);
  const child = start(['validate', lens, '--json', '--workspace', app]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit') as Promise<[number]>;
  await once(child.stdout, 'readable');
  const stdout = await text(child.stdout);
  expect([stdout.length > 65_536 * 2, typeof JSON.parse(stdout), await exited]).toEqual([
    true,
    'object',
    [1, null],
  ]);
});

test.skipIf(!(await canRunScripts()))(
  'a run whose reader has seen enough goes on to its end, and ends with its own exit code',
  async () => {
    const root = join(app, 'unread');
    const keeper = 'resources/sandbox';
    await cp(join(findAppRoot(import.meta.url), keeper), join(app, keeper), { recursive: true });
    await mkdir(join(root, '.git'), { recursive: true });
    const skill = (name: string, content: string, more = '') =>
      `  - { name: ${name}, description: d, files: [], ${more}scripts: [{ name: a.sh, content: "${content}" }] }\n`;
    await writeFile(
      join(root, 'a.lens'),
      'metadata: { name: Unread, version: 1.0.0 }\nskills:\n' +
        skill('make', 'echo new > $SUNWELL_FILES/made; echo x', 'produces: [x], ') +
        skill('fail', 'sleep 1; exit 1', 'depends_on: [make], '),
    );
    const words = ['apply', join(root, 'a.lens'), '--all', '--write', '--json-stream', '--workspace', root];
    const child = start(words);
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close') as Promise<[number]>;
    const stderr = text(child.stderr);
    child.stdout.once('data', () => child.stdout.destroy());
    expect([await closed, await stderr]).toEqual([[1, null], '']);
    const { stdout } = await run(['run', 'list', '--json', '--workspace', root]);
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'failed', ran: 1, failed: 1 }]);
    expect(await readFile(join(root, 'made'), 'utf8')).toBe('new\n');
  },
  30_000,
);

test('the built command keeps compiled code, uses it as long as it is its own, and never needs it', async () => {
  await mkdir(join(app, 'home'), { recursive: true });
  const list = () => run(['lens', 'list', '--workspace', join(app, 'resources')]);
  const plain = await list();
  const file = join(app, 'home/code/lens.run.js');
  const kept = await readFile(file);
  expect([plain.exitCode, kept.length > 10_000]).toEqual([0, true]);
  await list();
  expect(await readFile(file)).toEqual(kept);
  const changed = Buffer.from(kept);
  changed[kept.length >> 1]! ^= 1;
  const other = await readFile(cli);
  for (const damaged of [changed, kept.subarray(0, 1000), Buffer.alloc(0), other]) {
    await writeFile(file, damaged);
    expect(await list()).toEqual(plain);
    expect(await readFile(file)).not.toEqual(damaged);
  }
  await rm(join(app, 'home'), { recursive: true });
  expect(await list()).toEqual(plain);
});

test.skipIf(process.platform !== 'linux')(
  'a home where nothing can be made is refused at once, whatever is called',
  async () => {
    await writeFile(join(app, 'plain.lens'), 'metadata: { name: Plain, version: 1.0.0 }\nskills: []\n');
    const refused = (home: string, problem: string) => ({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^Cannot use "${home}", which SUNWELL_HOME names: ${problem}; name another folder\\n$`),
      ) as string,
    });
    for (const words of [
      ['lens', 'list'],
      ['lens', 'skill-plan', 'plain.lens'],
      ['apply', 'plain.lens', '--all'],
      ['cache', 'stats'],
    ]) {
      expect(await run(words, '', '/proc/x/y')).toEqual(
        refused('/proc/x/y', 'nothing can be made in "/proc" \\(E[A-Z]+\\)'),
      );
    }
    const list = (home: string) => run(['lens', 'list'], '', home);
    expect(await list('/sys/x')).toEqual(refused('/sys/x', 'nothing can be made in "/sys" \\(E[A-Z]+\\)'));
    expect(await list('/dev/null/x')).toEqual(refused('/dev/null/x', '"/dev/null" is no folder'));
    expect(await list('/dev/null')).toEqual(refused('/dev/null', '"/dev/null" is no folder'));
    expect((await run(['--help'], '', '/proc/x')).exitCode).toBe(0);
  },
);

test('kept code still loads what only some calls need', async () => {
  await mkdir(join(app, 'home'), { recursive: true });
  const lens = join(app, 'asks.lens');
  const skill = 'name: a, description: A, instructions: Say a';
  await writeFile(lens, `metadata: { name: Asks, version: 1.0.0 }\nskills:\n  - { ${skill} }\n`);
  const apply = (...more: string[]) =>
    run(['apply', lens, '--all', '--no-cache', '--workspace', app, ...more], 'Answered');
  // The first call keeps its code without having read an answer.
  expect((await apply()).exitCode).toBe(1);
  const { exitCode, stdout } = await apply('--manual', '--json');
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ steps: [expect.objectContaining({ content: 'Answered' })] }),
  ]);
});

test.skipIf(process.platform !== 'linux')(
  'output that finds no room is told, and notes that find none cost no work',
  async () => {
    await writeFile(join(app, 'full.lens'), 'metadata: { name: Full, version: 1.0.0 }\nskills: []\n');
    const environment = { PATH: process.env['PATH'], SUNWELL_HOME: join(app, 'home') };
    await using full = await open('/dev/full', 'w');
    const runInto = async (words: readonly string[], where: 'stdout' | 'stderr') => {
      const stdio = where === 'stdout' ? [full.fd, 'pipe'] : ['pipe', full.fd];
      const child = spawn(cli, words, {
        cwd: app,
        env: environment,
        stdio: ['ignore', ...stdio] as StdioOptions,
      });
      const closed = once(child, 'close') as Promise<[number]>;
      const said = await text((child.stderr ?? child.stdout)!);
      return [(await closed)[0], said];
    };
    // The plan of the second call is the one that the first kept.
    for (const words of [
      ['lens', 'list'],
      ['lens', 'skill-plan', 'full.lens'],
      ['lens', 'skill-plan', 'full.lens'],
    ]) {
      const message = 'Cannot write to standard output: ENOSPC: no space left on device, write\n';
      expect(await runInto(words, 'stdout')).toEqual([1, message]);
    }
    expect(await runInto(['apply', 'full.lens', '--all'], 'stderr')).toEqual([0, '']);
    expect(await runInto(['apply', 'full.lens', '--all'], 'stderr')).toEqual([0, '']);
    expect(await runInto(['lens', 'show', 'gone.lens'], 'stderr')).toEqual([2, '']);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a file that is standard output as well is added to, and nothing in it replaced',
  async () => {
    await writeFile(join(app, 'out.lens'), 'metadata: { name: Out, version: 1.0.0 }\nskills: []\n');
    const shown = join(app, 'shown.txt');
    for (const target of ['/dev/stdout', shown]) {
      await using file = await open(shown, 'w');
      await file.write('before\n');
      const child = spawn(cli, ['apply', 'out.lens', '--all', '--json', '--report', `md=${target}`], {
        cwd: app,
        env: { PATH: process.env['PATH'], SUNWELL_HOME: join(app, 'home') },
        stdio: ['ignore', file.fd, 'ignore'],
      });
      await once(child, 'close');
      expect(await readFile(shown, 'utf8')).toMatch(
        /^before\n# Out: succeeded\n[^]*\n\{\n {2}"runId"[^]*\}\n$/,
      );
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'a folder that was removed is told, and only where it is needed',
  async () => {
    const environment = { PATH: process.env['PATH'], SUNWELL_HOME: join(app, 'home') };
    const runThere = async (...words: string[]) => {
      const gone = await mkdtemp(join(app, 'gone-'));
      const child = spawn('/bin/sh', ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', cli, ...words], {
        cwd: gone,
        env: environment,
      });
      const closed = once(child, 'close') as Promise<[number]>;
      const [stdout, stderr, [exitCode]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        closed,
      ]);
      return { exitCode, stdout, stderr };
    };
    const stderr = 'Cannot work in this folder: it was removed, change to another one\n';
    expect(await runThere('lens', 'list')).toEqual({ exitCode: 2, stdout: '', stderr });
    expect(await runThere('lens', 'skill-plan', 'a.lens')).toEqual({ exitCode: 2, stdout: '', stderr });
    expect(JSON.parse((await runThere('lens', 'list', '--json')).stdout)).toMatchObject({
      error: { code: 'workspace.not-found' },
    });
    expect((await runThere('completion', 'bash')).exitCode).toBe(0);
  },
);

/** Gives commands a terminal of their own; not every system has it. */
const script = '/usr/bin/script';

test.skipIf(process.platform !== 'linux' || !existsSync(script))(
  'an answer of several lines that is pasted into a terminal is taken whole',
  async () => {
    const lens = join(app, 'pasted.lens');
    const skill = 'name: a, description: A, instructions: Say a';
    await writeFile(lens, `metadata: { name: Pasted, version: 1.0.0 }\nskills:\n  - { ${skill} }\n`);
    const words = [cli, 'apply', lens, '--all', '--manual', '--no-cache', '--json', '--workspace', app];
    const environment = { PATH: process.env['PATH'], SUNWELL_HOME: join(app, 'home') };
    const child = spawn(script, ['-qec', words.join(' '), '/dev/null'], { cwd: app, env: environment });
    onTestFinished(() => void child.kill());
    let said = '';
    child.stdout.on('data', (bytes: Buffer) => {
      const isAsked = !said.includes('single dot') && (said += String(bytes)).includes('single dot');
      if (isAsked) child.stdin.write('one\ntwo\n\nfour\n.\n');
    });
    const stdout = text(child.stdout);
    await once(child, 'close');
    expect(await stdout).toContain(String.raw`"content": "one\ntwo\n\nfour"`);
  },
);

test('a command that goes on keeps the code of its start before it ends', async () => {
  const file = join(app, 'home/code/studio.run.js');
  await mkdir(join(app, 'home'), { recursive: true });
  await rm(file, { force: true });
  const child = start(['studio', '--web', '--no-open']);
  const closed = once(child, 'close');
  const kept = await vi.waitFor(async () => (await stat(file)).size, { timeout: 30_000 });
  child.kill('SIGINT');
  await closed;
  expect([kept > 10_000, (await stat(file)).size >= kept]).toEqual([true, true]);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops a served studio with exit code 0', async (signal) => {
  const child = start(['studio', '--web', '--no-open']);
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { status } = await fetch(line.trim(), { redirect: 'manual' });
  child.kill(signal);
  expect([status, await closed]).toEqual([303, [0, null]]);
});
