import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { encodeWords } from '../init.ts';
import type { LaunchRequest } from '../launch.ts';
import { descriptors } from '../keeper.ts';
import type { Attack } from './attack.ts';
import { userEnvironment, type AttackRig } from './rig.ts';

/** Rows 24 and 25. */
export const inheritedAttack: Attack = {
  row: 24,
  title: 'reads inherited descriptors',
  script: `
for fd in range(3, 40):
    try: os.fstat(fd)
    except OSError: continue
    if stat.S_ISDIR(os.fstat(fd).st_mode):
        attempt('folder', lambda: os.read(os.open('.ssh/id_rsa', os.O_RDONLY, dir_fd=fd), 20))
    else:
        os.set_blocking(fd, False)
        attempt('file', lambda: os.read(fd, 20))
        attempt('descriptor', lambda: os.readlink('/proc/self/fd/%d' % fd))
attempt('key in the environment', lambda: os.environ['API_KEY'])
print('attempted all')`,
  control: 'any',
};

/** Starts bubblewrap as a keeper does, but with descriptors and an environment to inherit, as a careless caller would. */
export async function runCareless(rig: AttackRig, request: LaunchRequest): Promise<string> {
  const opened = ['inherited/key', '.'].map((path) => openSync(join(rig.world.home, path), 'r'));
  const init = openSync(request.keepers.program, 'r');
  const { placed, seccomp, options } = request;
  const { identity } = rig.world;
  const pipe = 'pipe' as const;
  const child = spawn(request.bwrap, ['--args', String(descriptors.options), '--', ...request.command], {
    env: userEnvironment(rig.world),
    stdio: ['ignore', pipe, 'ignore', pipe, pipe, pipe, pipe, init, ...placed.map(() => pipe), ...opened],
    ...(identity.isDropped && { uid: identity.uid, gid: identity.gid }),
  });
  [...opened, init].forEach((fd) => closeSync(fd));
  const streams = child.stdio as unknown as (Readable & Writable)[];
  // A start that fails leaves what was sent to it unread, which resets the connection.
  for (const stream of streams.slice(1)) stream?.on('error', () => stream.destroy());
  streams[descriptors.channel]!.write(encodeWords(request.words));
  streams[descriptors.filter]!.end(seccomp);
  streams[descriptors.options]!.end(options.map((option) => `${option}\0`).join(''));
  for (const [i, content] of placed.entries()) streams[descriptors.firstPlaced + i]!.end(content);
  for (const fd of [descriptors.channel, descriptors.status]) streams[fd]!.resume();
  return text(streams[1]!);
}
