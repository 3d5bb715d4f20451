import { execFile } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { Backend, BackendParts, Driver } from '../driver.ts';
import type { Interpreter } from '../interpreters.ts';
import { fixedLimits, limitsFrom } from '../limits.ts';
import { judge, probeNames, type PreflightResult, type ProbeName } from '../preflight.ts';
import { notContained, type SandboxReport } from '../report.ts';
import type { SandboxHearer } from '../keeper.ts';
import { watchRun } from '../run-script.ts';
import { StageStore } from '../stage/stage-store.ts';
import { launchSeatbelt, prepareSeatbelt, type Seatbelt } from './launch-seatbelt.ts';
import { probeScript } from './probe-script.ts';

const limits = limitsFrom({ timeoutMs: 10_000 });

/**
 * The sandbox of macOS, where its probes hold. It was written without a Mac, so nothing but the probes speaks for it:
 * each must get out when it runs without the sandbox and must not with it, else no script runs.
 */
export async function openSeatbelt(
  { identity, ownFolder }: Pick<BackendParts, 'identity' | 'ownFolder'>,
  program = '/usr/bin/sandbox-exec',
): Promise<Backend> {
  const seatbelt = { program, folder: ownFolder };
  const bash: Interpreter = { language: 'bash', path: '/bin/bash' };
  const { probes, problem, argv } =
    identity.isDropped && process.platform === 'darwin'
      ? {
          probes: [],
          problem: 'Scripts do not run as root on macOS: start the studio as an ordinary user',
          argv: [],
        }
      : isOfSystem(program)
        ? await runSeatbeltPreflight(seatbelt, bash, new StageStore(ownFolder, identity))
        : { probes: [], problem: `"${program}" is missing or can be changed by other users`, argv: [] };
  const report: SandboxReport = {
    backend: 'seatbelt',
    version: undefined,
    available: problem === undefined,
    ...(problem !== undefined && { problem }),
    uid: identity.uid,
    probes,
    argv,
    limits: ['Memory: 512 MB of all processes in the script’s group, measured every 250 ms'],
    notContained: notContained.seatbelt,
  };
  return problem === undefined ? { report, driver: seatbeltDriver(seatbelt) } : { report };
}

export function seatbeltDriver(seatbelt: Seatbelt): Driver {
  return {
    run: async (request, interpreter, limits) => {
      const { signal, onOutput } = request;
      const start = (hearer: SandboxHearer) =>
        launchSeatbelt(prepareSeatbelt(seatbelt, interpreter, request, limits), limits, hearer);
      return watchRun(start, { limits, signal, onOutput });
    },
    [Symbol.dispose]: () => undefined,
  };
}

async function runSeatbeltPreflight(
  seatbelt: Seatbelt,
  bash: Interpreter,
  stages: StageStore,
): Promise<PreflightResult> {
  const outside = join(seatbelt.folder, 'outside');
  const workspace = join(seatbelt.folder, 'preflight');
  for (const folder of [outside, workspace]) mkdirSync(folder, { recursive: true });
  for (const path of ['outside/canary', 'preflight/.env', 'preflight/visible.txt'])
    writeFileSync(join(seatbelt.folder, path), 'CANARY\n');
  const listener = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as { port: number };
  const wanted = `0 ${fixedLimits.openFiles} ${fixedLimits.fileBytes / 1024}`;
  const args = [String(port), String(process.pid), outside, seatbelt.program, wanted];
  const snapshot = await stages.snapshot(workspace);
  const script = { name: 'preflight', language: 'bash' as const, source: { content: probeScript }, args };
  const request = { script, input: {}, workspace: (await snapshot.view()).folder };
  const start = prepareSeatbelt(seatbelt, bash, request, limits);
  try {
    const unshown = await notShown(workspace, args);
    if (unshown.length > 0) {
      const problem = `The sandbox of this machine cannot be tried: without it, these probes do not get out either: ${unshown.join(', ')}`;
      return { probes: [], problem, argv: start.argv };
    }
    const { stdout, stderr } = await watchRun((hearer) => launchSeatbelt(start, limits, hearer), { limits });
    return judge(stdout, stderr, start.argv);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { probes: [], problem: error.message, argv: start.argv };
  } finally {
    snapshot[Symbol.dispose]();
    listener.close();
  }
}

/** The probes that find nothing even without the sandbox: what they say with it would be worth nothing. */
async function notShown(workspace: string, args: readonly string[]): Promise<ProbeName[]> {
  const stdout = await new Promise<string>((resolve) => {
    execFile(
      '/bin/bash',
      ['-c', `exec 9< /dev/null; ${probeScript}`, 'probe', ...args],
      { cwd: workspace, env: { PATH: '/usr/bin:/bin', TMPDIR: workspace, CANARY: '1' }, timeout: 10_000 },
      (_error, said) => resolve(said),
    );
  });
  const held = (name: ProbeName) => !new RegExp(`^${name} (?!held$).+$`, 'm').test(stdout);
  return probeNames.filter(held);
}

function isOfSystem(program: string): boolean {
  const found = statSync(program, { throwIfNoEntry: false });
  return found !== undefined && found.uid === 0 && (found.mode & 0o022) === 0;
}
