import { basename } from 'node:path';
import { prepareLaunch, type AgentStart, type Bubblewrap } from './bubblewrap.ts';
import { wallsAbove, type Walls } from './cgroup/control-groups.ts';
import { openControlGroups } from './cgroup/open-control-groups.ts';
import type { Backend, BackendParts, Driver } from './driver.ts';
import { findBubblewrap, placeBubblewrap, type FoundBubblewrap } from './find-bubblewrap.ts';
import { findInterpreter, type Interpreter } from './interpreters.ts';
import { keeperProgram } from './keeper-program.ts';
import { Keepers } from './keepers.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { runPreflight, type PreflightResult } from './preflight.ts';
import { preflightCircumstances } from './remembered-preflight.ts';
import { openSeatbelt } from './macos/open-seatbelt.ts';
import { limitsBy, notContained, notContainedBy, type SandboxReport } from './report.ts';
import { runLaunch } from './run-script.ts';
import type { ScriptRequest } from './script-request.ts';
import { filterFor } from './seccomp/filter.ts';
import { readSystemLayout } from './system-layout.ts';
import { usualConcurrency } from './usual-concurrency.ts';

/** Keepers that are started before it is known how many are needed. */
const mostAhead = 4;

/** Finds what is needed and tries to get out of it; whatever is missing or gives way means that no script runs. */
export async function openBackend(parts: BackendParts): Promise<Backend> {
  if (process.platform === 'darwin') return openSeatbelt(parts);
  if (process.platform !== 'linux') return missing(parts, platformProblem(process.platform));
  return openBubblewrap(parts);
}

async function openBubblewrap(parts: BackendParts): Promise<Backend> {
  const { identity, ownFolder } = parts;
  const seccomp = filterFor(process.arch);
  if (!seccomp)
    return missing(
      parts,
      `There is no system call filter for ${process.arch}: use a 64-bit Intel or ARM machine`,
    );
  const placed = placeBubblewrap(parts.bubblewrapPlaces);
  if ('missing' in placed) return missing(parts, placed.missing);
  const bash = findInterpreter('bash', { searchPath: '', identity, workspaces: [] }).interpreter;
  if (bash?.path !== '/usr/bin/bash') {
    return missing(parts, 'There is no safe /usr/bin/bash: install the package "bash"');
  }
  const keeperParts = { program: keeperProgram(), identity, folder: ownFolder };
  const keepers = new Keepers(keeperParts);
  const bubblewrap = { path: placed.path, identity, system: readSystemLayout(), seccomp, keepers };
  const owner = basename(ownFolder);
  const [tried, open] = await Promise.all([
    tryOut(parts, bubblewrap, bash),
    openControlGroups({ ...parts.groups, bubblewrap, bash, owner }),
  ]);
  keepers[Symbol.dispose]();
  if ('missing' in tried) {
    open?.[Symbol.dispose]();
    return missing(parts, tried.missing, tried.version);
  }
  const { version, probes, problem, argv } = tried;
  const report: SandboxReport = {
    backend: 'bubblewrap',
    version,
    available: problem === undefined,
    ...(problem !== undefined && { problem }),
    uid: identity.uid,
    probes,
    argv,
    limits: limitsBy(open?.groups),
    notContained: notContainedBy(open?.groups),
  };
  if (problem !== undefined) {
    open?.[Symbol.dispose]();
    return { report };
  }
  const groups = open?.groups;
  const makeGroup = groups && ((walls: Walls) => groups.take(walls));
  const held = new Keepers({ ...keeperParts, makeGroup });
  const driver = driverOf({ ...bubblewrap, keepers: held }, () => open?.[Symbol.dispose]());
  return { report, driver };
}

/** What the probes say, or said when everything was as it is now. */
async function tryOut(
  { ownFolder, remembered, isAskedAgain, bubblewrapPlaces }: BackendParts,
  bubblewrap: Bubblewrap,
  bash: Interpreter,
): Promise<(PreflightResult & { readonly version: string }) | Extract<FoundBubblewrap, { missing: string }>> {
  // Before the probes: what changes while they run is a change.
  const circumstances = preflightCircumstances(bubblewrap, bash);
  const held = isAskedAgain ? undefined : remembered?.read(circumstances);
  if (held) return held;
  const [found, result] = await Promise.all([
    findBubblewrap(bubblewrapPlaces),
    runPreflight(bubblewrap, bash, ownFolder),
  ]);
  if ('missing' in found || result.problem !== undefined) remembered?.forget();
  if ('missing' in found) return found;
  const { probes, argv, problem } = result;
  const { version } = found;
  if (problem === undefined) remembered?.write(circumstances, { version, probes, argv });
  return { ...result, version };
}

function driverOf(bubblewrap: Bubblewrap, close: () => void): Driver {
  const { keepers } = bubblewrap;
  const usual = wallsAbove(defaultLimits);
  const start = (request: ScriptRequest, interpreter: Interpreter, limits: Limits, agent?: AgentStart) =>
    runLaunch(prepareLaunch(bubblewrap, interpreter, request, limits, agent), {
      limits,
      signal: request.signal,
      onOutput: request.onOutput,
    });
  return {
    run: (request, interpreter, limits) => start(request, interpreter, limits),
    runAgent: start,
    prepare: () => keepers.prepare(usual, Math.min(usualConcurrency(), mostAhead)),
    [Symbol.dispose]: () => {
      keepers[Symbol.dispose]();
      close();
    },
  };
}

function missing({ identity }: BackendParts, problem: string, version?: string): Backend {
  const nothing = { backend: 'none', available: false, probes: [], argv: [], limits: [] } as const;
  return {
    report: { ...nothing, notContained: notContained.none, uid: identity.uid, version, problem },
  };
}

function platformProblem(platform: string): string {
  if (platform === 'win32') {
    return 'Windows has no sandbox of its own for scripts: run the studio inside WSL2, where scripts run as on Linux';
  }
  return `There is no sandbox for scripts on ${platform} yet: run the studio on Linux`;
}
