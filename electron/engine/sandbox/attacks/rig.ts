import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScriptLanguage } from '#shared/model/skill.ts';
import { prepareLaunch, type Bubblewrap } from '../bubblewrap.ts';
import { findInterpreter, type Interpreter } from '../interpreters.ts';
import { keeperProgram } from '../keeper-program.ts';
import { Keepers } from '../keepers.ts';
import { endSandboxesOf } from '../left-behind.ts';
import { limitsFrom, type Limits } from '../limits.ts';
import { handOver, openPrivateFolder } from '../private-folder.ts';
import { runLaunch } from '../run-script.ts';
import { filterFor } from '../seccomp/filter.ts';
import { StageStore } from '../stage/stage-store.ts';
import { readSystemLayout } from '../system-layout.ts';
import { pythonPrelude, readResult, type Attack, type AttackResult, type SandboxedRun } from './attack.ts';
import { AttackWorld } from './attack-world.ts';

const defaultAttackLimits: Partial<Limits> = {
  timeoutMs: 20_000,
  memoryBytes: 256 * 1024 * 1024,
  processes: 32,
};

/** What is taken out of the sandbox, to see who notices. */
export interface Weakness {
  readonly revise?: Bubblewrap['revise'];
  /** A keeper and init that lack something. */
  readonly program?: string;
}

/** Runs attacks in the sandbox and without it, against the same world. */
export class AttackRig implements AsyncDisposable {
  readonly world: AttackWorld;
  readonly bubblewrap: Bubblewrap;
  /** Where everything of the rig's runs lies. */
  readonly folder: string;
  readonly #stages: StageStore;

  private constructor(world: AttackWorld, folder: string, { revise, program = keeperProgram() }: Weakness) {
    this.world = world;
    this.folder = folder;
    this.#stages = new StageStore(folder, world.identity);
    this.bubblewrap = {
      path: '/usr/bin/bwrap',
      identity: world.identity,
      system: readSystemLayout(),
      seccomp: filterFor(process.arch)!,
      keepers: new Keepers({ program, identity: world.identity, folder }),
      ...(revise && { revise }),
    };
  }

  static async open(weakness: Weakness = {}): Promise<AttackRig> {
    const world = await AttackWorld.make();
    const parent = openPrivateFolder(world.identity);
    return new AttackRig(world, handOver(mkdtempSync(join(parent, 'attack-')), world.identity), weakness);
  }

  interpreter(language: ScriptLanguage): Interpreter {
    const { identity } = this.world;
    const { interpreter } = findInterpreter(language, {
      searchPath: process.env['PATH'] ?? '',
      identity,
      workspaces: [],
    });
    if (!interpreter) throw new Error(`The attacks need ${language}, and no safe one was found`);
    return interpreter;
  }

  /** The attack in the sandbox. */
  async run(attack: Attack): Promise<SandboxedRun> {
    const snapshot = await this.#stages.snapshot(this.world.workspace);
    await attack.afterStage?.(this.world);
    const language = attack.language ?? 'python';
    const limits = limitsFrom({ ...defaultAttackLimits, ...attack.limits });
    const request = {
      script: { name: 'attack', language, source: { content: textOf(attack) }, args: [this.world.facts] },
      input: {},
      workspace: (await snapshot.view()).folder,
    };
    const launch = prepareLaunch(this.bubblewrap, this.interpreter(language), request, limits);
    try {
      const outcome = await runLaunch(launch, { limits });
      return { outcome, result: readResult(outcome.stdout), world: this.world };
    } finally {
      snapshot[Symbol.dispose]();
    }
  }

  /** The attack as a plain child of the user, in the workspace itself, with the user's environment and an inherited key. */
  async runWithout(attack: Attack, as?: 'root' | 'naive'): Promise<AttackResult> {
    await attack.afterStage?.(this.world);
    const child = this.#spawnWithout(attack, as);
    let head = '';
    let tail = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      if (head.length < 100_000) head += text;
      else tail = (tail + text).slice(-1000);
    });
    await new Promise((resolve) => child.once('close', resolve));
    return readResult(head + tail);
  }

  /** Whether the attack, as a plain child, is still there half a second after it was asked to end. */
  async outlives(attack: Attack): Promise<boolean> {
    const child = this.#spawnWithout(attack);
    // What the user's own start file says comes first.
    for (let said = ''; !/^attempted (?!BASH_ENV)/m.test(said);)
      said += String(await once(child.stdout!, 'data'));
    child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const isThere = child.exitCode === null && child.signalCode === null;
    if (isThere) process.kill(-child.pid!, 'SIGKILL');
    return isThere;
  }

  #spawnWithout(attack: Attack, as?: 'root' | 'naive'): ChildProcess {
    const { uid, gid, isDropped } = this.world.identity;
    const inherited = ['inherited/key', '.'].map((path) => openSync(join(this.world.home, path), 'r'));
    const { language = 'python' } = attack;
    const run = [this.interpreter(language).path, language === 'bash' ? '-s' : '-', this.world.facts];
    const naive = [
      '/usr/bin/bwrap',
      '--dev-bind',
      '/',
      '/',
      '--tmpfs',
      '/mnt',
      '--ro-bind',
      this.world.workspace,
      '/mnt',
    ];
    const [program = '', ...args] = as === 'naive' ? [...naive, ...run] : run;
    const child = spawn(program, args, {
      cwd: this.world.workspace,
      env: { ...userEnvironment(this.world), PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir() },
      stdio: ['pipe', 'pipe', 'ignore', ...inherited],
      detached: true,
      ...(isDropped && as !== 'root' && { uid, gid }),
    });
    inherited.forEach((fd) => closeSync(fd));
    child.stdin!.on('error', () => undefined).end(textOf(attack));
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // What a mutant let go on.
    endSandboxesOf(this.folder);
    this.bubblewrap.keepers[Symbol.dispose]();
    rmSync(this.folder, { recursive: true, force: true });
    await this.world[Symbol.asyncDispose]();
  }
}

/** What a developer's shell might well export. */
export function userEnvironment(world: AttackWorld): Record<string, string> {
  return {
    API_KEY: world.secret,
    BASH_ENV: join(world.root, 'evil/bash-env'),
    PYTHONSTARTUP: '/tmp/x',
    NODE_OPTIONS: '--no-warnings',
  };
}

function textOf({ language = 'python', script }: Attack): string {
  return language === 'python' ? `${pythonPrelude}\n${script}` : script;
}
