import { basename } from 'node:path';
import { prepareLaunch, type Bubblewrap } from './bubblewrap.ts';
import { openControlGroups } from './cgroup/open-control-groups.ts';
import type { Backend, BackendParts, Driver } from './driver.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { findInterpreter } from './interpreters.ts';
import { PipePool } from './pipes.ts';
import { runPreflight } from './preflight.ts';
import { openSeatbelt } from './macos/open-seatbelt.ts';
import { limitsBy, notContained, notContainedBy, type SandboxReport } from './report.ts';
import { runLaunch } from './run-script.ts';
import { filterFor } from './seccomp/filter.ts';
import { readSystemLayout } from './system-layout.ts';

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
  const found = await findBubblewrap(parts.bubblewrapPlaces);
  if ('missing' in found) return missing(parts, found.missing, found.version);
  const bash = findInterpreter('bash', { searchPath: '', identity, workspaces: [] }).interpreter;
  if (bash?.path !== '/usr/bin/bash') {
    return missing(parts, 'There is no safe /usr/bin/bash: install the package "bash"', found.version);
  }
  const pipes = new PipePool(ownFolder);
  const bubblewrap = { path: found.path, identity, system: readSystemLayout(), seccomp, pipes };
  const owner = basename(ownFolder);
  const [{ probes, problem, argv }, open] = await Promise.all([
    runPreflight(bubblewrap, bash, ownFolder),
    openControlGroups({ ...parts.groups, bubblewrap, bash, owner }),
  ]);
  const report: SandboxReport = {
    backend: 'bubblewrap',
    version: found.version,
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
  const driver = driverOf({ ...bubblewrap, ...(open && { groups: open.groups }) }, () =>
    open?.[Symbol.dispose](),
  );
  return { report, driver };
}

function driverOf(bubblewrap: Bubblewrap, close: () => void): Driver {
  return {
    run: (request, interpreter, limits) =>
      runLaunch(prepareLaunch(bubblewrap, interpreter, request, limits), {
        limits,
        signal: request.signal,
        onOutput: request.onOutput,
      }),
    [Symbol.dispose]: close,
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
