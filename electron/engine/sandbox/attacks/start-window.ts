import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareLaunch } from '../bubblewrap.ts';
import { launch } from '../launch.ts';
import { endSandboxesOf, sandboxesOf } from '../left-behind.ts';
import { limitsFrom } from '../limits.ts';
import { runLaunch, type ScriptOutcome } from '../run-script.ts';
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
      setTimeout(() => killAll(bubblewraps()), ms);
      // Where a keeper had to be started first, that was before there was a bubblewrap.
      const again = setInterval(() => killAll(bubblewraps()), 2000);
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
    await within(5000, () => sandboxesOf(join(own, 'live')).length === 0, 'A process is left');
  },

  '66. a keeper that is killed while bubblewrap builds leaves no script': async ({ rounds }) => {
    await using rig = await AttackRig.open();
    for (let i = 0; i < rounds / 8; i++) {
      const ended = Array.from({ length: 8 }, () =>
        run(rig, 'sleep 60', { timeoutMs: 30_000 }).catch(() => undefined),
      );
      setTimeout(() => killAll(keepers()), Math.random() * 40);
      const again = setInterval(() => killAll(keepers()), 500);
      await Promise.all(ended);
      clearInterval(again);
      await within(5000, () => rig.world.survivors().length === 0, 'A script goes on without its keeper');
    }
    // What bubblewrap had started and not yet told to go on is left for the next studio.
    endSandboxesOf(rig.folder);
    await within(5000, () => sandboxesOf(rig.folder).length === 0, 'A process is left');
  },

  '66. a script is not started before its first process dies with bubblewrap': () =>
    // Stands in for a bubblewrap whose first process is known and has not asked for that.
    staysSilent(`sleep 60 & echo "{ \\"child-pid\\": $! }" >&4; printf 'hello\\n' >&3`, 'kill $!'),

  '66. init is told nothing before it says hello': () =>
    // Stands in for a bubblewrap whose init has not come to its first word,.
    staysSilent('echo "{ \\"child-pid\\": $$ }" >&4', ':'),

  '66. what a studio that was killed left behind is ended by the next': async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sunwell-window-'));
    const dead = join(folder, 'live/1-0-dead');
    mkdirSync(dead, { recursive: true });
    const status = openSync(join(dead, 'status'), 'w');
    const left = spawn('/usr/bin/sleep', ['60'], { stdio: ['ignore', 'ignore', 'ignore', 'ignore', status] });
    closeSync(status);
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

/** Runs bash in place of bubblewrap, which then waits whether it is told what to run. */
async function staysSilent(before: string, after: string): Promise<void> {
  await using rig = await AttackRig.open();
  const path = join(rig.folder, 'silent');
  const content = `#!/usr/bin/bash\n${before}\nread -r -t 0.3 -u 3 && echo told || echo silent\n${after}\n`;
  writeFileSync(path, content, { mode: 0o755 });
  const script = { name: 'x', language: 'bash', source: { content: ':' } } as const;
  const bubblewrap = { ...rig.bubblewrap, path };
  const request = prepareLaunch(bubblewrap, rig.interpreter('bash'), { script, input: {} }, limitsFrom({}));
  let said = '';
  const printed = (_stream: string, bytes: Buffer) => void (said += bytes.toString());
  const running = await launch(request, { first: () => undefined, sent: () => undefined, printed });
  await running.gone;
  must(said === 'silent\n', `It is told what to run: ${said}`);
}

function run(
  rig: AttackRig,
  content: string,
  { signal, timeoutMs }: Pick<End, 'timeoutMs'> & Partial<Pick<End, 'signal'>>,
): Promise<ScriptOutcome> {
  const script = { name: 'x', language: 'bash', source: { content }, args: [rig.world.token] } as const;
  const limits = limitsFrom({ timeoutMs });
  const request = prepareLaunch(rig.bubblewrap, rig.interpreter('bash'), { script, input: {} }, limits);
  return runLaunch(request, { limits, signal });
}

/** Ends scripts that run for a minute, each at another moment of its start. */
async function endWhileBuilt(rounds: number, endOf: (ms: number) => End): Promise<void> {
  await using rig = await AttackRig.open();
  const { durationMs } = await run(rig, ':', { timeoutMs: 30_000 });
  const lane = async () => {
    for (let i = 0; i < rounds / 5; i++) {
      // Which way it ends depends on how far it came.
      const end = endOf(Math.random() * 2 * durationMs);
      const ended = run(rig, 'sleep 60', end).then(
        () => true,
        () => true,
      );
      const isEnded = await Promise.race([ended, delay(10_000, false, { ref: false })]);
      end.over?.();
      must(isEnded, 'It does not end');
    }
  };
  await Promise.all(Array.from({ length: 5 }, lane));
  const left = () => [...rig.world.survivors(), ...bubblewraps()];
  await within(5000, () => left().length === 0, 'A process is left');
}

/** As by one who wants none of them. */
function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** All bubblewraps that this process's keepers started. */
function bubblewraps(): number[] {
  return keepers().flatMap((pid) => childrenOf(`${pid}/task/${pid}`, 'bwrap'));
}

/** Below the processes that wait for them. */
function keepers(): number[] {
  return childrenOf('thread-self', 'keeper').flatMap((pid) => childrenOf(`${pid}/task/${pid}`, 'keeper'));
}

/** The children of a process whose program has a name that begins so. */
function childrenOf(task: string, name: string): number[] {
  const textOf = (path: string): string => {
    try {
      return readFileSync(`/proc/${path}`, 'latin1');
    } catch {
      return ''; // It has ended.
    }
  };
  const children = textOf(`${task}/children`).split(' ').filter(Boolean);
  return children.filter((pid) => textOf(`${pid}/comm`).startsWith(name)).map(Number);
}
