import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findChromium } from './lib/find-chromium.mjs';
import { findElectron } from './lib/find-electron.mjs';
import { setUpSystem } from './lib/system-packages.mjs';

let folder: string;
let bin: string;
let aptLists: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sunwell-setup-'));
  bin = path.join(folder, 'bin');
  aptLists = path.join(folder, 'lists');
  mkdirSync(bin);
  mkdirSync(aptLists);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function addProgram(name: string, script = ''): string {
  const file = path.join(bin, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** An apt-get that writes down its calls and puts an empty program in PATH for each package it knows. */
function addAptGet({ fails = '' } = {}): void {
  addProgram(
    'apt-get',
    `echo "$@" >> '${folder}/calls'
     case "$*" in ${fails === '' ? '' : `*${fails}*) echo "E: ${fails} is broken." >&2; exit 100;;`}
       *bubblewrap*) echo '#!/bin/sh' > '${bin}/bwrap'; /bin/chmod +x '${bin}/bwrap';;
     esac`,
  );
}

function calls(): string[] {
  const lines = readFileSync(path.join(folder, 'calls'), 'utf8').trim().split('\n');
  return lines.map((line) => line.replace(/^.* -qq /, ''));
}

const setUp = (changes: Partial<Parameters<typeof setUpSystem>[0]> = {}) =>
  setUpSystem({ env: { PATH: bin }, platform: 'linux', uid: 0, aptLists, tests: false, ...changes });

describe.skipIf(process.platform === 'win32')('setUpSystem()', () => {
  test('does nothing and says nothing when nothing is missing', () => {
    addAptGet();
    for (const name of ['bwrap', 'chromium', 'Xvfb', 'xvfb-run', 'xauth']) addProgram(name);
    expect([setUp(), setUp({ tests: true })]).toEqual([undefined, undefined]);
    expect(calls).toThrow('ENOENT');
  });

  test('installs bubblewrap as root, updating the package lists only when there are none', () => {
    addAptGet();
    expect(setUp()).toBeUndefined();
    rmSync(path.join(bin, 'bwrap'));
    writeFileSync(path.join(aptLists, 'main_Packages'), '');
    expect(setUp()).toBeUndefined();
    expect(calls()).toEqual([
      'update',
      'install -y --no-install-recommends bubblewrap',
      'install -y --no-install-recommends bubblewrap',
    ]);
  });

  test('updates old package lists after a failed install, then says why it gave up and what to run', () => {
    addAptGet({ fails: 'bubblewrap' });
    writeFileSync(path.join(aptLists, 'main_Packages'), '');
    expect(setUp()).toBe(
      'Cannot finish "apt-get install": bubblewrap is broken. Missing: bubblewrap. Run: apt-get install -y bubblewrap',
    );
    expect(calls()).toEqual([
      'install -y --no-install-recommends bubblewrap',
      'update',
      'install -y --no-install-recommends bubblewrap',
    ]);
  });

  test('names the exact command for an ordinary user and for other package managers', () => {
    addAptGet();
    const debian = setUp({ uid: 1000 });
    rmSync(path.join(bin, 'apt-get'));
    addProgram('dnf');
    const fedora = setUp({ tests: true });
    rmSync(path.join(bin, 'dnf'));
    expect([debian, fedora, setUp()]).toEqual([
      'Missing: bubblewrap. Run: sudo apt-get install -y bubblewrap',
      'Missing: bubblewrap, chromium, xvfb, xauth. Run: dnf install -y bubblewrap chromium xorg-x11-server-Xvfb xorg-x11-xauth',
      "Missing: bubblewrap. Install with the system's package manager",
    ]);
  });

  test('asks for no virtual display where there is one, and for no bubblewrap outside Linux', () => {
    addProgram('chromium');
    expect([
      setUp({ uid: 1000, tests: true, env: { PATH: bin, DISPLAY: ':0' } }),
      setUp({ platform: 'darwin', tests: true }),
    ]).toEqual(["Missing: bubblewrap. Install with the system's package manager", undefined]);
  });
});

test('setup.mjs never fails an install and is silent when turned off', () => {
  const run = (env: NodeJS.ProcessEnv) => {
    const script = path.join(import.meta.dirname, 'setup.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
    return { status, lines: stdout.split('\n').length - 1, stderr };
  };
  expect([run({ PATH: bin }), run({ PATH: bin, SUNWELL_SKIP_SETUP: '1' })]).toEqual([
    { status: 0, lines: process.platform === 'linux' ? 1 : 0, stderr: '' },
    { status: 0, lines: 0, stderr: '' },
  ]);
});

test('findChromium() prefers SUNWELL_CHROMIUM and never replaces a wrong one by another browser', () => {
  const chromium = addProgram('chromium');
  const own = addProgram('my-browser');
  expect([
    findChromium({ PATH: bin }),
    findChromium({ PATH: bin, SUNWELL_CHROMIUM: own }),
    findChromium({ PATH: bin, SUNWELL_CHROMIUM: path.join(bin, 'missing') }),
  ]).toEqual([chromium, own, undefined]);
});

test.skipIf(process.platform !== 'linux')('findElectron() finds only a binary that is there', () => {
  const electron = addProgram('electron');
  expect([
    findElectron({ ELECTRON_OVERRIDE_DIST_PATH: bin }),
    findElectron({ ELECTRON_OVERRIDE_DIST_PATH: folder }),
  ]).toEqual([electron, undefined]);
});
