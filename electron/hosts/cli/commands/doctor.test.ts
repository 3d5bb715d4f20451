import { describe, expect, test } from 'vitest';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import { probeNames } from '#engine/sandbox/preflight.ts';
import { exitCodeOf } from '../exit-code.ts';
import { CliRig } from '../testing/cli-rig.ts';

const isAvailable = await canRunScripts();
const interpreter = {
  path: expect.stringMatching(/^\//) as string,
  version: expect.stringMatching(/^\d+\./) as string,
  passedOver: expect.any(Array) as unknown[],
};

describe.skipIf(!isAvailable)('sunwell doctor', () => {
  test('--json tells what holds scripts, exactly how, and what does not', async () => {
    await using rig = await CliRig.make();
    const ran = await rig.run(['doctor', '--json']);
    expect([ran.exitCode, ran.stderr, JSON.parse(ran.stdout)]).toEqual([
      0,
      '',
      {
        platform: `${process.platform} ${process.arch}`,
        sandbox: {
          backend: 'bubblewrap',
          version: expect.stringMatching(/^\d+\.\d+/) as string,
          available: true,
          uid: expect.any(Number) as number,
          probes: probeNames.map((name) => ({ name, ok: true })),
          argv: expect.arrayContaining(['--unshare-all', '--seccomp']) as string[],
          limits: [
            expect.stringMatching(/^Memory: 512 MB/) as string,
            expect.stringMatching(/^Processes: 64/) as string,
          ],
          notContained: expect.arrayContaining([expect.stringContaining('kernel')]) as string[],
        },
        node: interpreter,
        python: interpreter,
        bash: interpreter,
        models: [],
      },
    ]);
  });

  test('prints the same for people', async () => {
    await using rig = await CliRig.make();
    const { exitCode, stdout } = await rig.run(['doctor']);
    expect([exitCode, stdout.split('\n').filter((line) => line.endsWith(' held')).length]).toEqual([
      0,
      probeNames.length,
    ]);
    expect(stdout).toMatch(/^Sandbox +bubblewrap [\d.]+, works$/m);
    expect(stdout).toMatch(/^ {2}\/\S+\/bwrap --unshare-all /m);
  });
});

test('a refusal of the sandbox ends commands with 3', () => {
  expect(exitCodeOf('sandbox.unavailable')).toBe(3);
});
