import { chmodSync, copyFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bubblewrap } from './bubblewrap.ts';
import { sandboxIdentity } from './identity.ts';
import { Keepers } from './keepers.ts';
import { preflightCircumstances } from './remembered-preflight.ts';
import { Sandbox } from './sandbox.ts';
import { filterFor } from './seccomp/filter.ts';
import { readSystemLayout } from './system-layout.ts';

const isRoot = process.geteuid?.() === 0;

describe.runIf(process.platform === 'linux')('a remembered preflight', () => {
  let folder: string;
  let made = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sunwell-preflight-'));
    await chmod(folder, 0o755);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function newHome(): Promise<string> {
    const home = join(folder, `home-${made++}`);
    await mkdir(home);
    return home;
  }

  /** What a new process would be told; its command names a port and a folder that no other try of the probes has. */
  async function tried(
    home: string,
    { again = false, places }: { again?: boolean; places?: string[] } = {},
  ): Promise<string> {
    const place = places && { bubblewrapPlaces: places };
    using sandbox = new Sandbox({ folder: join(folder, 'own'), home, ...place });
    const report = await sandbox.report({ again });
    expect(report).toMatchObject({ available: true, version: expect.stringMatching(/^\d/) as string });
    expect(report.probes.map(({ ok }) => ok)).toEqual(Array<boolean>(12).fill(true));
    return report.argv.join(' ');
  }

  test('is counted on by the next process, and lets it run scripts', async () => {
    const home = await newHome();
    const first = await tried(home);
    expect(await tried(home)).toBe(first);
    using sandbox = new Sandbox({ folder: join(folder, 'own'), home });
    const script = { name: 'x', language: 'bash' as const, source: { content: 'echo ran' } };
    expect(await sandbox.run({ script, input: {} })).toMatchObject({ exitCode: 0, stdout: 'ran\n' });
    expect((await sandbox.report()).argv.join(' ')).toBe(first);
  });

  test('does not count for a user who asks again, and the new one does from then on', async () => {
    const home = await newHome();
    const first = await tried(home);
    const again = await tried(home, { again: true });
    expect(again).not.toBe(first);
    expect(await tried(home)).toBe(again);
  });

  test.each<[string, (bytes: Buffer) => Buffer | string]>([
    ['with a changed byte', (bytes) => ((bytes[bytes.length - 9]! ^= 1), bytes)],
    ['with another signature', (bytes) => ((bytes[3] = bytes[3] === 0x30 ? 0x31 : 0x30), bytes)],
    ['cut short', (bytes) => bytes.subarray(0, 40)],
    ['emptied', () => ''],
    ['without a signature', (bytes) => bytes.subarray(65)],
  ])('%s is tried again', async (_name, change) => {
    const home = await newHome();
    const first = await tried(home);
    writeFileSync(join(home, 'preflight'), change(readFileSync(join(home, 'preflight'))));
    expect(await tried(home)).not.toBe(first);
  });

  test('of another installation is tried again', async () => {
    const [home, other] = [await newHome(), await newHome()];
    const first = await tried(home);
    copyFileSync(join(home, 'preflight'), join(other, 'preflight'));
    expect(await tried(other)).not.toBe(first);
  });

  test.runIf(isRoot)('of a bubblewrap that was replaced or touched is tried again', async () => {
    const home = await newHome();
    const places = [join(folder, 'bwrap')];
    copyFileSync('/usr/bin/bwrap', places[0]!);
    chmodSync(places[0]!, 0o755);
    const first = await tried(home, { places });
    expect(await tried(home, { places })).toBe(first);
    utimesSync(places[0]!, 1, 1);
    const second = await tried(home, { places });
    expect(second).not.toBe(first);
    expect(await tried(home)).not.toBe(second);
  });

  test.runIf(isRoot)('is forgotten when a probe gets out, and the failure is not remembered', async () => {
    const home = await newHome();
    await tried(home);
    const broken = join(folder, 'broken-bwrap');
    writeFileSync(broken, '#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.0\n');
    chmodSync(broken, 0o755);
    using sandbox = new Sandbox({ folder: join(folder, 'own'), home, bubblewrapPlaces: [broken] });
    expect((await sandbox.report()).available).toBe(false);
    expect(existsSync(join(home, 'preflight'))).toBe(false);
    await tried(home);
  });

  test('depends on who runs scripts, on the filter, on the system and on every option', async () => {
    const bash = { language: 'bash', path: '/usr/bin/bash' } as const;
    const seccomp = filterFor(process.arch)!;
    const identity = sandboxIdentity();
    using keepers = new Keepers({ program: '/usr/bin/true', identity, folder });
    using otherKeepers = new Keepers({ program: '/usr/bin/env', identity, folder });
    const real: Bubblewrap = {
      path: '/usr/bin/bwrap',
      identity,
      system: readSystemLayout(),
      seccomp,
      keepers,
    };
    const others: Partial<Bubblewrap>[] = [
      { path: '/usr/bin/env' },
      { keepers: otherKeepers },
      { identity: { ...identity, uid: identity.uid + 1 } },
      { system: { ...real.system, binds: [...real.system.binds, '/etc'] } },
      { seccomp: seccomp.slice(8) },
      { revise: (launch) => ({ ...launch, options: launch.options.slice(1) }) },
      { revise: (launch) => ({ ...launch, command: [...launch.command, ''] }) },
    ];
    const all = [{}, ...others].map((other) => preflightCircumstances({ ...real, ...other }, bash));
    expect(preflightCircumstances(real, bash)).toBe(all[0]);
    expect(new Set(all).size).toBe(all.length);
    expect(preflightCircumstances(real, { ...bash, path: '/usr/bin/env' })).not.toBe(all[0]);
  });
});
