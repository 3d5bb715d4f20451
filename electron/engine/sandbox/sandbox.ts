import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StudioError } from '#shared/errors.ts';
import { scriptLanguages, type ScriptLanguage } from '#shared/model/skill.ts';
import { prepareLaunch, type Bubblewrap } from './bubblewrap.ts';
import { findBubblewrap } from './find-bubblewrap.ts';
import { sandboxIdentity, type Identity } from './identity.ts';
import { findInterpreter, type FoundInterpreter, type Interpreter } from './interpreters.ts';
import { limitsFrom } from './limits.ts';
import { PipePool } from './pipes.ts';
import { runPreflight } from './preflight.ts';
import { handOver, openPrivateFolder } from './private-folder.ts';
import {
  notContained,
  type InterpreterReport,
  type SandboxDoctorReport,
  type SandboxReport,
} from './report.ts';
import { runLaunch, type ScriptOutcome } from './run-script.ts';
import { checkRequest, type ScriptRequest } from './script-request.ts';
import { filterFor } from './seccomp/filter.ts';
import { isMarkAlive, ownMark } from '../store/process-mark.ts';
import { stageSkill, type SkillFile } from './stage/stage-skill.ts';
import type { Snapshot } from './stage/snapshot.ts';
import { StageStore } from './stage/stage-store.ts';
import type { WalkOptions } from './stage/walk.ts';
import { readSystemLayout } from './system-layout.ts';

export interface SandboxOptions {
  /** Where the user's interpreters are; default: PATH. */
  readonly searchPath?: string;
  /** Open workspaces: no interpreter is taken from them. */
  readonly workspaces?: readonly string[];
  /** Default: a neutral folder of this user below /var/tmp. */
  readonly folder?: string;
  /** Where to look for bubblewrap; default: the system's folders. */
  readonly bubblewrapPlaces?: readonly string[];
}

/**
 * Runs scripts of strangers. Opening it never fails: where scripts cannot run safely it says why, and every run is
 * refused. Make one for the life of the program, on the main thread, and dispose it.
 */
export class Sandbox implements Disposable {
  readonly report: SandboxReport;
  readonly #options: SandboxOptions;
  readonly #identity: Identity;
  readonly #ownFolder: string;
  readonly #stages: StageStore;
  readonly #bubblewrap: Bubblewrap | undefined;
  readonly #found = new Map<ScriptLanguage, FoundInterpreter>();
  readonly #versions = new Map<ScriptLanguage, Promise<string | undefined>>();

  static async open(options: SandboxOptions = {}): Promise<Sandbox> {
    const identity = sandboxIdentity();
    const folder = options.folder ?? openPrivateFolder(identity);
    const ownFolder = openOwnFolder(folder, identity);
    const pipes = new PipePool(ownFolder);
    const { report, bubblewrap } = await prepare({ options, identity, ownFolder, pipes });
    return new Sandbox({ options, identity, folder, ownFolder, report, bubblewrap });
  }

  private constructor(parts: {
    options: SandboxOptions;
    identity: Identity;
    folder: string;
    ownFolder: string;
    report: SandboxReport;
    bubblewrap: Bubblewrap | undefined;
  }) {
    this.#options = parts.options;
    this.#identity = parts.identity;
    this.#ownFolder = parts.ownFolder;
    this.#stages = new StageStore(parts.folder, parts.identity);
    this.report = parts.report;
    this.#bubblewrap = parts.bubblewrap;
  }

  /** Copies what scripts may see of the workspace, once for a run. */
  snapshot(workspace: string, options?: WalkOptions): Promise<Snapshot> {
    return this.#stages.snapshot(workspace, options);
  }

  /** Copies a skill's own files and returns the folder for `ScriptRequest.skill`. */
  stageSkill(files: readonly SkillFile[]): string {
    return stageSkill(this.#ownFolder, files, this.#identity);
  }

  /** Runs one script to its end. A script that fails is an outcome; a script that could not be run safely is an error. */
  async run(request: ScriptRequest): Promise<ScriptOutcome> {
    checkRequest(request);
    const limits = limitsFrom(request.limits ?? {});
    if (!this.#bubblewrap) {
      const { problem = 'it did not start' } = this.report;
      throw new StudioError('sandbox.unavailable', `Cannot run "${request.script.name}": ${problem}`, {
        problem,
      });
    }
    const launch = prepareLaunch(
      this.#bubblewrap,
      this.interpreter(request.script.language),
      request,
      limits,
    );
    return runLaunch(launch, { limits, signal: request.signal, onOutput: request.onOutput });
  }

  /** The interpreter that runs scripts of a language. */
  interpreter(language: ScriptLanguage): Interpreter {
    const { interpreter, passedOver } = this.#find(language);
    if (interpreter) return interpreter;
    throw new StudioError(
      'sandbox.no-interpreter',
      `Cannot run ${language} scripts: no safe interpreter was found`,
      {
        language,
        passedOver,
      },
    );
  }

  /** The interpreter's version, for the fingerprint; undefined when there is none. */
  interpreterVersion(language: ScriptLanguage): Promise<string | undefined> {
    const known = this.#versions.get(language) ?? versionOf(this.#find(language).interpreter);
    this.#versions.set(language, known);
    return known;
  }

  /** Everything that `sunwell doctor` and the settings page say about scripts. */
  async doctor(): Promise<SandboxDoctorReport> {
    const reports = await Promise.all(
      scriptLanguages.map(async (language): Promise<[ScriptLanguage, InterpreterReport]> => {
        const { interpreter, passedOver } = this.#find(language);
        return [
          language,
          { path: interpreter?.path, version: await this.interpreterVersion(language), passedOver },
        ];
      }),
    );
    const byLanguage = Object.fromEntries(reports) as Record<ScriptLanguage, InterpreterReport>;
    return { platform: `${process.platform} ${process.arch}`, sandbox: this.report, ...byLanguage };
  }

  [Symbol.dispose](): void {
    rmSync(this.#ownFolder, { recursive: true, force: true });
  }

  #find(language: ScriptLanguage): FoundInterpreter {
    const known = this.#found.get(language) ?? search(language, this.#options, this.#identity);
    this.#found.set(language, known);
    return known;
  }
}

function search(language: ScriptLanguage, options: SandboxOptions, identity: Identity): FoundInterpreter {
  const { searchPath = process.env['PATH'] ?? '', workspaces = [] } = options;
  return findInterpreter(language, { searchPath, identity, workspaces });
}

/** A folder that goes with this process; what processes that died left behind is removed. */
function openOwnFolder(folder: string, identity: Identity): string {
  const live = join(folder, 'live');
  mkdirSync(live, { recursive: true });
  handOver(live, identity);
  for (const name of readdirSync(live)) {
    if (!isMarkAlive(name)) rmSync(join(live, name), { recursive: true, force: true });
  }
  return handOver(mkdtempSync(join(live, `${ownMark()}-`)), identity);
}

async function prepare(parts: {
  options: SandboxOptions;
  identity: Identity;
  ownFolder: string;
  pipes: PipePool;
}): Promise<{ report: SandboxReport; bubblewrap: Bubblewrap | undefined }> {
  const { options, identity, ownFolder, pipes } = parts;
  const missing = (problem: string, version?: string) => ({
    report: { ...blank, uid: identity.uid, version, problem },
    bubblewrap: undefined,
  });
  if (process.platform !== 'linux') return missing(platformProblem(process.platform));
  const seccomp = filterFor(process.arch);
  if (!seccomp)
    return missing(`There is no system call filter for ${process.arch}: use a 64-bit Intel or ARM machine`);
  const found = await findBubblewrap(options.bubblewrapPlaces);
  if ('missing' in found) return missing(found.missing, found.version);
  const bash = search('bash', { ...options, searchPath: '' }, identity).interpreter;
  if (bash?.path !== '/usr/bin/bash')
    return missing('There is no safe /usr/bin/bash: install the package "bash"', found.version);
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
  return { report, bubblewrap: problem === undefined ? bubblewrap : undefined };
}

const blank = {
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

async function versionOf(interpreter: Interpreter | undefined): Promise<string | undefined> {
  if (!interpreter) return undefined;
  try {
    const { stdout } = await promisify(execFile)(interpreter.path, ['--version'], {
      env: {},
      cwd: '/',
      timeout: 10_000,
    });
    return /\d+\.\d+(?:\.\d+)?/.exec(stdout)?.[0];
  } catch {
    return undefined; // It does not even say its version; a run will say why.
  }
}
