import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { scriptLanguages, type ScriptLanguage } from '#shared/model/skill.ts';
import { installKey } from '../store/install-key.ts';
import { isMarkAlive, ownMark } from '../store/process-mark.ts';
import {
  agentLaunch,
  agentOutcome,
  handOverHome,
  type AgentOutcome,
  type AgentRequest,
} from './agent-request.ts';
import type { Backend, Driver } from './driver.ts';
import { findProgram, type Program } from './find-program.ts';
import { GroupRecords } from './cgroup/group-records.ts';
import { sandboxIdentity, type Identity } from './identity.ts';
import { InterpreterVersions } from './interpreter-versions.ts';
import {
  findInterpreter,
  type FoundInterpreter,
  type Interpreter,
  type InterpreterSearch,
} from './interpreters.ts';
import { endSandboxesOf } from './left-behind.ts';
import { limitsFrom } from './limits.ts';
import { handOver, openPrivateFolder } from './private-folder.ts';
import type { InterpreterReport, SandboxDoctorReport, SandboxReport } from './report.ts';
import type { ScriptOutcome } from './run-script.ts';
import { checkRequest, type ScriptRequest } from './script-request.ts';
import type { WorkspaceHashes } from './stage/hash-workspace.ts';
import { stageChanges, type ViewChanges } from './stage/stage-changes.ts';
import { openSkillFolder, stageSkill, type SkillFile } from './stage/stage-skill.ts';
import type { Snapshot, StagedView } from './stage/snapshot.ts';
import { StageStore } from './stage/stage-store.ts';
import type { WalkOptions } from './stage/walk.ts';

/** Names the program by its code; missing where it runs unbuilt. */
declare const __BUILD__: string | undefined;

export interface SandboxOptions {
  /** Where the user's interpreters are; default: PATH. */
  readonly searchPath?: string;
  /** Open workspaces: no interpreter is taken from them. */
  readonly workspaces?: readonly string[];
  /** Default: a neutral folder of this user below /var/tmp. */
  readonly folder?: string;
  /** The user's folder, where probes that held are remembered; without one every process tries them. */
  readonly home?: string;
  /** Where to look for bubblewrap; default: the system's folders. */
  readonly bubblewrapPlaces?: readonly string[];
}

/**
 * Runs scripts of strangers. Where they cannot run safely every run is refused, and the report says why; staging and
 * interpreters work all the same. Make one for the life of the program, on the main thread, and dispose it.
 */
export class Sandbox implements Disposable {
  readonly #options: SandboxOptions;
  readonly #identity: Identity = sandboxIdentity();
  readonly #ownFolder: string;
  readonly #groupRecords: GroupRecords;
  readonly #folder: string;
  readonly #stages: StageStore;
  readonly #versions: InterpreterVersions;
  readonly #found = new Map<ScriptLanguage, FoundInterpreter>();
  #backend: Promise<Backend> | undefined;
  /** Of the backend once it is open, so that it can be closed at once. */
  #driver: Driver | undefined;
  #skillFolder: string | undefined;

  constructor(options: SandboxOptions = {}) {
    this.#options = options;
    const { folder, ownFolder } = openFolders(options.folder, this.#identity);
    this.#folder = folder;
    this.#ownFolder = ownFolder;
    this.#groupRecords = new GroupRecords(join(folder, 'groups'));
    this.#groupRecords.sweep();
    this.#stages = new StageStore(folder, this.#identity);
    this.#versions = new InterpreterVersions(folder);
  }

  /** Whether scripts can run here. The first call tries to get out of the sandbox, unless that is known; `again` tries whatever is known. */
  async report({ again = false }: { again?: boolean } = {}): Promise<SandboxReport> {
    return (await this.#open(again)).report;
  }

  /** What scripts may see of the workspace by content, for plans and fingerprints; copies nothing and starts nothing. */
  hashWorkspace(workspace: string, options?: WalkOptions): Promise<WorkspaceHashes> {
    return this.#stages.hash(workspace, options);
  }

  /** Lets the first starts be made ready, for whoever is about to run scripts; why it cannot be is told by the report. */
  async prepare(): Promise<void> {
    const backend = await this.#open().catch(() => undefined);
    backend?.driver?.prepare?.();
  }

  /** Copies what scripts may see of the workspace, once for a run. */
  snapshot(workspace: string, options?: WalkOptions): Promise<Snapshot> {
    return this.#stages.snapshot(workspace, options);
  }

  /** Copies a skill's own files and returns the folder for `ScriptRequest.skill`. */
  stageSkill(files: readonly SkillFile[]): string {
    this.#skillFolder ??= openSkillFolder(this.#folder, this.#identity) ?? this.#ownFolder;
    return stageSkill(this.#skillFolder, files, this.#identity);
  }

  /** A view as it would be with these changes, as a folder for `ScriptRequest.workspace`. */
  stageChanges(view: StagedView, changes: ViewChanges): Promise<string> {
    return stageChanges(this.#ownFolder, view, changes, this.#identity);
  }

  /** Runs one script to its end. A script that fails is an outcome; a script that could not be run safely is an error. */
  async run(request: ScriptRequest): Promise<ScriptOutcome> {
    checkRequest(request);
    const limits = limitsFrom(request.limits ?? {});
    const { driver, report } = await this.#open();
    if (!driver) {
      const { problem = 'it did not start' } = report;
      throw new StudioError('sandbox.unavailable', `Cannot run "${request.script.name}": ${problem}`, {
        problem,
      });
    }
    return driver.run(request, this.interpreter(request.script.language), limits);
  }

  /** Runs a program of the user's own choice with the network of the machine; nothing of a workspace can ask for that. */
  async runAgent(request: AgentRequest): Promise<AgentOutcome> {
    const { request: script, limits, agent } = agentLaunch(request, this.#find('node').interpreter);
    checkRequest(script);
    const { driver, report } = await this.#open();
    if (!driver?.runAgent) {
      const { problem = 'agents run on Linux only for now' } = report;
      throw new StudioError('sandbox.unavailable', `Cannot run the agent: ${problem}`, { problem });
    }
    handOverHome(request.home, this.#identity);
    return agentOutcome(await driver.runAgent(script, this.interpreter('bash'), limits, agent));
  }

  /** The folder that homes of agents are made in; it goes with this process. */
  agentHomes(): string {
    const folder = join(this.#ownFolder, 'homes');
    mkdirSync(folder, { recursive: true });
    return handOver(folder, this.#identity);
  }

  /** The program that the user means by a word of the configuration; throws why there is none to use. */
  program(word: string): Program {
    const found = findProgram(word, this.#search);
    if (!found) throw new Error('there is no such program on the search path');
    return found;
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

  /** The program that runs scripts of a language; undefined where none is safe. */
  interpreterPath(language: ScriptLanguage): string | undefined {
    return this.#find(language).interpreter?.path;
  }

  /** The interpreter's version, for the fingerprint; undefined when there is none. */
  async interpreterVersion(language: ScriptLanguage): Promise<string | undefined> {
    const { interpreter } = this.#find(language);
    return interpreter && this.#versions.of(interpreter);
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
    return { platform: `${process.platform} ${process.arch}`, sandbox: await this.report(), ...byLanguage };
  }

  [Symbol.dispose](): void {
    // Before the keepers go: the kernel lets whoever removes it wait for all the files without names that they close in it.
    const isRemoved = removeEmptyFolder(this.#ownFolder);
    this.#close();
    if (!isRemoved) rmSync(this.#ownFolder, { recursive: true, force: true });
    // Groups whose last process is still being taken down; the next studio removes what is left after this one.
    this.#groupRecords.clear(basename(this.#ownFolder));
  }

  #close(): void {
    if (this.#driver) this.#driver[Symbol.dispose]();
    else void this.#backend?.then(({ driver }) => driver?.[Symbol.dispose]()).catch(() => undefined);
    [this.#backend, this.#driver] = [undefined, undefined];
  }

  #open(again = false): Promise<Backend> {
    if (again) this.#close();
    this.#backend ??= this.#openBackend(again);
    return this.#backend;
  }

  /** Loaded only where a script may run: a plan needs none of it. */
  async #openBackend(isAskedAgain: boolean): Promise<Backend> {
    const backend = await this.#findBackend(isAskedAgain);
    this.#driver = backend.driver;
    return backend;
  }

  async #findBackend(isAskedAgain: boolean): Promise<Backend> {
    const [{ openBackend }, { ProvenPlaces }, { RememberedPreflight }] = await Promise.all([
      import('./backend.ts'),
      import('./cgroup/proven-places.ts'),
      import('./remembered-preflight.ts'),
    ]);
    const { home } = this.#options;
    const build = typeof __BUILD__ === 'string' ? __BUILD__ : undefined;
    const remembered =
      home === undefined || build === undefined
        ? undefined
        : new RememberedPreflight({ path: join(home, 'preflight'), key: installKey(home), build });
    return openBackend({
      identity: this.#identity,
      ownFolder: this.#ownFolder,
      bubblewrapPlaces: this.#options.bubblewrapPlaces,
      groups: {
        records: this.#groupRecords,
        proven: new ProvenPlaces(join(this.#folder, 'proven-groups.json')),
      },
      remembered,
      isAskedAgain,
    });
  }

  #find(language: ScriptLanguage): FoundInterpreter {
    const known = this.#found.get(language) ?? findInterpreter(language, this.#search);
    this.#found.set(language, known);
    return known;
  }

  get #search(): InterpreterSearch {
    const { searchPath = process.env['PATH'] ?? '', workspaces = [] } = this.#options;
    return { searchPath, identity: this.#identity, workspaces };
  }
}

/** It is empty where nothing was staged but skills, and then there is nothing to walk through. */
function removeEmptyFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function openFolders(given: string | undefined, identity: Identity): { folder: string; ownFolder: string } {
  try {
    const folder = given ?? openPrivateFolder(identity);
    return { folder, ownFolder: openOwnFolder(folder, identity) };
  } catch (error) {
    const { message } = error as Error;
    throw new StudioError('sandbox.unavailable', `Cannot make a folder for staged files: ${message}`, {
      message,
    });
  }
}

/** In it every script makes and removes something; one that runs longer is none. */
const longestIdleMs = 24 * 3_600_000;

/** A folder that goes with this process; what processes that died left behind is ended and removed. */
function openOwnFolder(folder: string, identity: Identity): string {
  const live = join(folder, 'live');
  mkdirSync(live, { recursive: true });
  handOver(live, identity);
  for (const name of readdirSync(live)) {
    if (isMarkAlive(name, { path: join(live, name), goodForMs: longestIdleMs })) continue;
    endSandboxesOf(join(live, name));
    rmSync(join(live, name), { recursive: true, force: true });
  }
  return handOver(mkdtempSync(join(live, `${ownMark()}-`)), identity);
}
