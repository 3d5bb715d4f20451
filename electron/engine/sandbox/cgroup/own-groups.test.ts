import { expect, test } from 'vitest';
import { ownGroups } from './own-groups.ts';

const unifiedMount = '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate';
const v1Mount = (name: string, options = name, root = '/') =>
  `31 23 0:27 ${root} /sys/fs/cgroup/${name} rw - cgroup cgroup rw,${options}`;

test('ownGroups() finds the one group of a desktop with version 2', () => {
  const scope = '/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope';
  expect(ownGroups(`0::${scope}\n`, unifiedMount)).toEqual({ unified: `/sys/fs/cgroup${scope}` });
});

test('ownGroups() finds the groups of version 1, also of controllers that are mounted together', () => {
  const mounts = [v1Mount('memory'), v1Mount('pids,misc', 'pids,misc')].join('\n');
  expect(ownGroups('9:pids,misc:/a\n8:memory:/a/b c\n1:name=systemd:/x\n', mounts)).toEqual({
    memory: '/sys/fs/cgroup/memory/a/b c',
    pids: '/sys/fs/cgroup/pids,misc/a',
  });
});

test('ownGroups() counts from the root of the mount inside a container', () => {
  const mounts = v1Mount('memory', 'memory', '/docker/1\\0402');
  expect(ownGroups('8:memory:/docker/1 2/inner\n', mounts)).toEqual({
    memory: '/sys/fs/cgroup/memory/inner',
  });
});

test('ownGroups() finds none for a group outside what is mounted', () => {
  expect(
    ownGroups(
      '8:memory:/elsewhere\n0::/../../x\n',
      `${v1Mount('memory', 'memory', '/docker')}\n${unifiedMount}`,
    ),
  ).toEqual({});
  expect(ownGroups('', '')).toEqual({});
});
