import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBuilder } from 'vite';
import { findAppRoot } from '#engine/app-root.ts';

/** An installed studio: the command line as the build makes it, in a folder of its own. */
let app: string;
let cli: string;

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'sunwell-main-'));
  cli = join(app, 'dist/cli.js');
  await mkdir(join(app, 'dist/renderer/renderer'), { recursive: true });
  await mkdir(join(app, 'resources/sample'), { recursive: true });
  await writeFile(join(app, 'package.json'), '{"type":"module"}');
  await writeFile(join(app, 'dist/renderer/renderer/index.html'), '<title>Studio</title>');
  const builder = await createBuilder({
    configFile: join(findAppRoot(import.meta.url), 'vite.config.ts'),
    logLevel: 'error',
    environments: { node: { build: { outDir: join(app, 'dist') } } },
  });
  const { node } = builder.environments;
  if (node) await builder.build(node);
}, 60_000);
afterAll(() => rm(app, { recursive: true }));

function start(words: readonly string[]) {
  const environment = { PATH: process.env['PATH'], SUNWELL_HOME: join(app, 'home') };
  return spawn(cli, words, { cwd: app, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function run(words: readonly string[]) {
  const child = start(words);
  const closed = once(child, 'close') as Promise<[number]>;
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode, stdout, stderr };
}

test('the built command is executable by itself and loads nothing to print its version', async () => {
  const { version } = JSON.parse(
    await readFile(join(findAppRoot(import.meta.url), 'package.json'), 'utf8'),
  ) as { version: string };
  const source = await readFile(cli, 'utf8');
  expect([(await stat(cli)).mode & 0o777, source.split('\n', 1), source.match(/^import .*$/gm)]).toEqual([
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

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops a served studio with exit code 0', async (signal) => {
  const child = start(['studio', '--web', '--no-open']);
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { status } = await fetch(line.trim(), { redirect: 'manual' });
  child.kill(signal);
  expect([status, await closed]).toEqual([303, [0, null]]);
});
