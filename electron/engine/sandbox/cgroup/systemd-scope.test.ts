import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSystemdScope } from './systemd-scope.ts';

// No test machine of ours has both systemd and version 2: what is real here is the talk with the program that is started.
describe.runIf(process.platform === 'linux' && process.geteuid?.() === 0)('openSystemdScope()', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sunwell-scope-'));
    mkdirSync(join(root, 'groups/given.scope'), { recursive: true });
    writeFileSync(join(root, 'groups/given.scope/cgroup.subtree_control'), '');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const placesWith = (script: string) => {
    const program = join(root, 'systemd-run');
    writeFileSync(program, `#!/bin/bash\n${script}\n`);
    chmodSync(program, 0o755);
    return { program, bootedMark: root, groupRoot: join(root, 'groups') };
  };

  test('divides the group it was given, and lets it go when disposed', async () => {
    const ended = join(root, 'ended');
    const scope = await openSystemdScope(
      placesWith(`echo "$@" > ${root}/args; env > ${root}/env; echo /given.scope; read -r; echo > ${ended}`),
    );
    expect(readFileSync(join(root, 'groups/given.scope/cgroup.subtree_control'), 'utf8')).toBe(
      '+memory +pids',
    );
    expect(readFileSync(join(root, 'groups/given.scope/keeper/cgroup.procs'), 'utf8')).toMatch(/^\d+$/);
    expect(scope?.place.hierarchies.map(({ folder }) => folder)).toEqual([join(root, 'groups/given.scope')]);
    expect(readFileSync(join(root, 'args'), 'utf8')).toMatch(/^--scope --quiet --collect .*Delegate=yes/);
    expect(readFileSync(join(root, 'env'), 'utf8')).not.toMatch(/PATH=.*node_modules|HOME=/);
    expect(existsSync(ended)).toBe(false);
    scope?.[Symbol.dispose]();
    await expect.poll(() => existsSync(ended) && readFileSync(ended, 'utf8'), { timeout: 5000 }).toBe('\n');
  });

  test.each([
    ['there is no systemd', { bootedMark: '/nowhere' }],
    ['there is no such program', { program: '/nowhere' }],
  ])('gives none where %s', async (_why, changes) => {
    expect(
      await openSystemdScope({ ...placesWith('echo /given.scope; read -r'), ...changes }),
    ).toBeUndefined();
  });

  test('gives none where systemd refuses', async () => {
    expect(await openSystemdScope(placesWith('exit 1'))).toBeUndefined();
  });
});
