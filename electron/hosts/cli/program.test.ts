import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CliRig } from './testing/cli-rig.ts';

const harbor =
  'lens:\n  metadata: { name: Harbor, version: 1.2.0, domain: docs }\n  skills:\n    - name: read\n';

describe('sunwell', () => {
  test.each([
    [['lens', 'lits'], 'unknown command "lits" (Did you mean list?)'],
    [['stodio'], 'unknown command "stodio" (Did you mean studio?)'],
    [['lens', 'list', '--jsn'], 'unknown option "--jsn" (Did you mean --json?)'],
    [
      ['studio', '--port', '70000'],
      'option "--port <number>" argument "70000" is invalid. A port is a number from 0 to 65535',
    ],
    [['studio', '--port'], 'option "--port <number>" argument missing'],
    [['lens', 'list', 'x'], 'too many arguments for "list". Expected 0 arguments but got 1'],
    [['a\u001b[31mb'], 'unknown command "ab"'],
  ])('%j is refused in one line, with exit code 2', async (words, reason) => {
    await using rig = await CliRig.make();
    expect(await rig.run(words)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `Cannot read the command line: ${reason}, see "sunwell --help"\n`,
    });
  });

  test('--help of any command goes to standard output with exit code 0', async () => {
    await using rig = await CliRig.make();
    const ran = await rig.run(['studio', '--help']);
    expect([ran.exitCode, ran.stderr, ran.stdout.split('\n', 1)]).toEqual([
      0,
      '',
      ['Usage: sunwell studio [options] [dir]'],
    ]);
  });

  test('--json makes an error one document on standard output, and keeps the line for people', async () => {
    await using rig = await CliRig.make();
    const ran = await rig.run(['lens', 'list', '--json', '--workspace', '/no/such']);
    const message = 'Cannot open "/no/such": there is no such folder';
    expect([ran.exitCode, ran.stderr, JSON.parse(ran.stdout)]).toEqual([
      2,
      `${message}\n`,
      { error: { code: 'workspace.not-found', message, details: { folder: '/no/such' } } },
    ]);
  });

  test('a bug is written to the log and shown as a reference, never as a stack trace', async () => {
    await using rig = await CliRig.make({ 'work/a.lens': harbor });
    rig.breakOutput();
    const ran = await rig.run(['lens', 'list']);
    const log = await readFile(join(rig.folder, 'home/logs/studio.log'), 'utf8');
    const { reference, error } = JSON.parse(log) as { reference: string; error: string };
    expect([ran.exitCode, ran.stderr, error.split('\n', 1)]).toEqual([
      1,
      `Something went wrong inside the studio: see "${reference}" in "${join(rig.folder, 'home/logs/studio.log')}"\n`,
      ['TypeError: a bug'],
    ]);
  });

  test('a command that was cancelled ends with 130', async () => {
    await using rig = await CliRig.make({ 'work/a.lens': harbor });
    rig.pressCtrlC();
    expect(await rig.run(['lens', 'list'])).toEqual({ exitCode: 130, stdout: '', stderr: 'Cancelled\n' });
  });
});

describe('sunwell lens list', () => {
  test('lists the lenses of the nearest workspace, with their problems on standard error', async () => {
    await using rig = await CliRig.make({
      'work/lenses/harbor.lens': harbor,
      'work/evil.lens': 'lens:\n  metadata: { name: "\\e]0;x\\aE\\u202Evil\\nx" }\n',
      'work/broken.lens': 'lens: [\n',
      'work/deep/down/x.txt': '',
    });
    const ran = await rig.run(['lens', 'list'], 'work/deep/down');
    expect([ran.exitCode, ran.stdout, ran.stderr.split(': ', 1)]).toEqual([
      0,
      'NAME     VERSION  SKILLS  FILE\n' +
        'broken   –        0       broken.lens\n' +
        'E\uFFFDvil\uFFFDx  –        0       evil.lens\n' +
        'Harbor   1.2.0    1       lenses/harbor.lens\n',
      ['Cannot read "broken.lens"'],
    ]);
  });

  test('--json prints one document with every field that the lens has', async () => {
    await using rig = await CliRig.make({ 'work/harbor.lens': harbor });
    const ran = await rig.run(['lens', 'list', '--json']);
    expect([ran.exitCode, ran.stderr, JSON.parse(ran.stdout)]).toEqual([
      0,
      '',
      [{ file: 'harbor.lens', name: 'Harbor', version: '1.2.0', domain: 'docs', skillCount: 1 }],
    ]);
  });

  test('says where it looked when there is nothing', async () => {
    await using rig = await CliRig.make();
    expect(await rig.run(['lens', 'list'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `No lenses in "${join(rig.folder, 'work')}": open another folder with --workspace\n`,
    });
  });
});

describe('sunwell studio', () => {
  test('--web prints one line, the address, and stops well on Ctrl+C', async () => {
    await using rig = await CliRig.make();
    const ran = rig.run(['studio', '--web', '--no-open']);
    const address = await rig.line();
    const response = await fetch(address, { redirect: 'manual' });
    rig.pressCtrlC();
    expect([
      address.replace(/:\d+\/\?code=[\w-]{32}$/, ':PORT/?code=CODE'),
      response.status,
      await ran,
    ]).toEqual([
      'http://127.0.0.1:PORT/?code=CODE',
      303,
      {
        exitCode: 0,
        stdout: `${address}\n`,
        stderr: 'Open this address in a browser on this machine, press Ctrl+C to stop the studio\n',
      },
    ]);
  });

  test('without Electron’s binary it says so in one line and serves instead', async () => {
    await using rig = await CliRig.make();
    const ran = rig.run(['studio', '--json']);
    await rig.line();
    rig.pressCtrlC();
    const { stdout, stderr } = await ran;
    expect([Object.keys(JSON.parse(stdout) as object), stderr.split('\n')[0]]).toEqual([
      ['address'],
      'No window, Electron’s binary is not installed: serving the studio to a browser instead',
    ]);
  });

  test('opens a window on the named folder and waits for it', async () => {
    await using rig = await CliRig.make();
    await rig.installElectron(`echo "$@" > "${rig.folder}/argv"`);
    expect(await rig.run(['studio', '.'])).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    const argv = (await readFile(join(rig.folder, 'argv'), 'utf8')).trim().replace(/^--no-sandbox /, '');
    expect(argv).toBe(`${join(rig.folder, 'app')} ${join(rig.folder, 'work')}`);
  });

  test('an Electron that cannot start is named as the reason to serve instead', async () => {
    await using rig = await CliRig.make();
    await rig.installElectron('echo noise >&2; echo "electron: libgtk-3.so.0: cannot open" >&2; exit 127');
    const ran = rig.run(['studio', '--no-open']);
    await rig.line();
    rig.pressCtrlC();
    expect((await ran).stderr.split('\n')[0]).toBe(
      'No window, Electron stopped: electron: libgtk-3.so.0: cannot open: serving the studio to a browser instead',
    );
  });

  test('Ctrl+C closes the window', async () => {
    await using rig = await CliRig.make();
    await rig.installElectron(
      `trap 'exit 0' TERM; touch "${rig.folder}/started"; while :; do sleep 0.05; done`,
    );
    const ran = rig.run(['studio']);
    await expect
      .poll(() =>
        readFile(join(rig.folder, 'started')).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    rig.pressCtrlC();
    expect((await ran).exitCode).toBe(0);
  });

  test.each([
    [['studio', '/no/such', '--web'], 2, 'Cannot open "/no/such": there is no such folder\n'],
    [
      ['studio', '--host', '0.0.0.0'],
      2,
      'Cannot serve on "0.0.0.0": other machines could reach it, add --i-know-this-is-exposed if that is meant\n',
    ],
  ])('%j is refused with exit code %i', async (words, exitCode, stderr) => {
    await using rig = await CliRig.make();
    expect(await rig.run(words)).toEqual({ exitCode, stdout: '', stderr });
  });

  test('a taken port is refused with exit code 1', async () => {
    await using rig = await CliRig.make();
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    expect(await rig.run(['studio', '--port', String(port)])).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `Cannot listen on port ${port}: another program uses it, choose another with --port or leave it out\n`,
    });
    taken.close();
  });
});
