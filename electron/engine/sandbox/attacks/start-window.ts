import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareLaunch } from '../bubblewrap.ts';
import { BubblewrapProcesses } from '../bubblewrap-processes.ts';
import { launch } from '../launch.ts';
import { writersTo } from '../left-behind.ts';
import { limitsFrom } from '../limits.ts';
import { runLaunch } from '../run-script.ts';
import { Sandbox } from '../sandbox.ts';
import { must, within } from './must.ts';
import { AttackRig } from './rig.ts';

export interface StartWindowParts {
  readonly rounds: number;
  /** The built `starting-host.ts`. */
  readonly host: string;
}

/** What must hold while a sandbox is being built, when the kernel does not yet end one of its processes with another. */
export const startWindow: Readonly<Record<string, (parts: StartWindowParts) => Promise<void>>> = {
  '63. a script that is cancelled while its sandbox is built is gone': ({ rounds }) =>
    endWhileBuilt(rounds, (ms) => ({ signal: AbortSignal.timeout(Math.floor(ms)), timeoutMs: 30_000 })),

  '63. a script whose deadline comes while its sandbox is built is gone': ({ rounds }) =>
    endWhileBuilt(rounds, (ms) => ({ signal: undefined, timeoutMs: 1 + Math.floor(ms) })),

  '66. a bubblewrap that is killed while it builds leaves nothing': ({ rounds }) =>
    endWhileBuilt(rounds, (ms) => {
      setTimeout(killBubblewraps, ms);
      // Where pipes had to be made first, that was before there was a bubblewrap.
      const again = setInterval(killBubblewraps, 2000);
      return { signal: undefined, timeoutMs: 30_000, over: () => clearInterval(again) };
    }),

  '66. a studio that is killed while sandboxes are built leaves no script': async ({ rounds, host }) => {
    await using rig = await AttackRig.open();
    const { root, token } = rig.world;
    const own = join(root, 'own');
    // Each starts eight at once and kills itself.
    for (let i = 0; i < rounds / 8; i++) {
      const args = [host, own, join(root, 'user'), token];
      await once(spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] }), 'exit');
      await within(5000, () => rig.world.survivors().length === 0, 'A script goes on without its studio');
    }
    // What bubblewrap had started and not yet told to go on is left for the next studio.
    new Sandbox({ folder: own })[Symbol.dispose]();
    await within(5000, () => writersTo(join(own, 'live')).length === 0, 'A process is left');
  },

  '66. a script is not started before its first process dies with bubblewrap': async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sunwell-window-'));
    const status = openSync(join(folder, 'status'), 'w+');
    // Stands in for a bubblewrap whose first process has come as far as to be known.
    const content = 'sleep 60 & echo "{ \\"child-pid\\": $! }" >&3; echo told; wait';
    const child = spawn('/usr/bin/bash', ['-c', content], { stdio: ['ignore', 'pipe', 'ignore', status] });
    const closed = once(child, 'close');
    await once(child.stdout!, 'data');
    const processes = new BubblewrapProcesses(child, status, join(folder, 'none'));
    const held = processes.whenHeld();
    processes.kill();
    must((await held) === undefined, 'It counts as held');
    await closed;
    await processes.untilGone();
    rmSync(folder, { recursive: true });
  },

  '66. init is told nothing before it says hello': async () => {
    await using rig = await AttackRig.open();
    const path = join(rig.folder, 'silent');
    // Stands in for a bubblewrap whose init has not come to its first word.
    const content = '#!/usr/bin/bash\nread -r -t 0.3 -u 3 && echo told || echo silent\n';
    writeFileSync(path, content, { mode: 0o755 });
    const script = { name: 'x', language: 'bash', source: { content: ':' } } as const;
    const bubblewrap = { ...rig.bubblewrap, path };
    const running = await launch(
      prepareLaunch(bubblewrap, rig.interpreter('bash'), { script, input: {} }, limitsFrom({})),
    );
    const [said] = (await once(running.stdout, 'data')) as [Buffer];
    must(said.toString() === 'silent\n', 'It is told what to run');
    for (const stream of [running.stderr, running.artifacts]) stream.resume();
    await running.gone;
  },

  '66. what a studio that was killed left behind is ended by the next': async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sunwell-window-'));
    const pipes = join(folder, 'live/1-0-dead/pipes-x');
    mkdirSync(pipes, { recursive: true });
    writeFileSync(join(pipes, '0'), '');
    const output = openSync(join(pipes, '0'), 'w');
    const left = spawn('/usr/bin/sleep', ['60'], { stdio: ['ignore', output, 'ignore'] });
    closeSync(output);
    const exited = once(left, 'exit').then(() => true);
    new Sandbox({ folder })[Symbol.dispose]();
    const isEnded = await Promise.race([exited, delay(5000, false, { ref: false })]);
    left.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    must(isEnded, 'It goes on');
  },
};

interface End {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Called when it has ended. */
  readonly over?: () => void;
}

/** Ends scripts that run for a minute, each at another moment of its start. */
async function endWhileBuilt(rounds: number, endOf: (ms: number) => End): Promise<void> {
  await using rig = await AttackRig.open();
  const run = (content: string, { signal, timeoutMs }: End) => {
    const script = { name: 'x', language: 'bash', source: { content }, args: [rig.world.token] } as const;
    const limits = limitsFrom({ timeoutMs });
    const launch = prepareLaunch(rig.bubblewrap, rig.interpreter('bash'), { script, input: {} }, limits);
    return runLaunch(launch, { limits, signal });
  };
  const { durationMs } = await run(':', { signal: undefined, timeoutMs: 30_000 });
  const lane = async () => {
    for (let i = 0; i < rounds / 5; i++) {
      // Which way it ends depends on how far it came.
      const end = endOf(Math.random() * 2 * durationMs);
      const ended = run('sleep 60', end).then(
        () => true,
        () => true,
      );
      const isEnded = await Promise.race([ended, delay(10_000, false, { ref: false })]);
      end.over?.();
      must(isEnded, 'It does not end');
    }
  };
  await Promise.all(Array.from({ length: 5 }, lane));
  const left = () => [...rig.world.survivors(), ...writersTo(rig.folder)];
  await within(5000, () => left().length === 0, 'A process is left');
}

/** All that this process started, as one who wants none of them would. */
function killBubblewraps(): void {
  const children = readFileSync('/proc/thread-self/children', 'latin1').split(' ').filter(Boolean);
  const isBubblewrap = (pid: string) => readFileSync(`/proc/${pid}/comm`, 'latin1') === 'bwrap\n';
  for (const pid of children.filter(isBubblewrap)) process.kill(Number(pid), 'SIGKILL');
}
