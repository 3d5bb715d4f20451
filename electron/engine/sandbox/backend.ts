import type { Bubblewrap } from './bubblewrap.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import type { Identity } from './identity.ts';
import { findInterpreter } from './interpreters.ts';
import { PipePool } from './pipes.ts';
import { runPreflight } from './preflight.ts';
import { notContained, type SandboxReport } from './report.ts';
import { filterFor } from './seccomp/filter.ts';
import { readSystemLayout } from './system-layout.ts';

/** What runs scripts here; without `bubblewrap` nothing does, and the report says why. */
export interface Backend {
  readonly report: SandboxReport;
  readonly bubblewrap?: Bubblewrap;
}

/** Finds what is needed and tries to get out of it; whatever is missing or gives way means that no script runs. */
export async function openBackend(parts: {
  identity: Identity;
  ownFolder: string;
  bubblewrapPlaces: readonly string[] | undefined;
}): Promise<Backend> {
  const { identity, ownFolder } = parts;
  const missing = (problem: string, version?: string): Backend => ({
    report: { ...nothing, uid: identity.uid, version, problem },
  });
  if (process.platform !== 'linux') return missing(platformProblem(process.platform));
  const seccomp = filterFor(process.arch);
  if (!seccomp)
    return missing(`There is no system call filter for ${process.arch}: use a 64-bit Intel or ARM machine`);
  const found = await findBubblewrap(parts.bubblewrapPlaces);
  if ('missing' in found) return missing(found.missing, found.version);
  const bash = findInterpreter('bash', { searchPath: '', identity, workspaces: [] }).interpreter;
  if (bash?.path !== '/usr/bin/bash') {
    return missing('There is no safe /usr/bin/bash: install the package "bash"', found.version);
  }
  const pipes = new PipePool(ownFolder);
  const bubblewrap = { path: found.path, identity, system: readSystemLayout(), seccomp, pipes };
  const { probes, problem, argv } = await runPreflight(bubblewrap, bash, ownFolder);
  const report: SandboxReport = {
    backend: 'bubblewrap',
    version: found.version,
    available: problem === undefined,
    ...(problem !== undefined && { problem }),
    uid: identity.uid,
    probes,
    argv,
    notContained: notContained.bubblewrap,
  };
  return problem === undefined ? { report, bubblewrap } : { report };
}

const nothing = {
  backend: 'none',
  available: false,
  probes: [],
  argv: [],
  notContained: notContained.none,
} as const;

function platformProblem(platform: string): string {
  if (platform === 'win32') {
    return 'Windows has no sandbox of its own for scripts: run the studio inside WSL2, where scripts run as on Linux';
  }
  return `There is no sandbox for scripts on ${platform} yet: run the studio on Linux`;
}
