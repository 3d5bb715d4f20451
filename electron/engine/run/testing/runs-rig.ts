import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RunEvent } from '#shared/model/event.ts';
import type { Plan } from '#shared/model/plan.ts';
import type { RunRecord, RunRequest } from '#shared/model/run.ts';
import { DiskWorld } from '../../../testing/disk-world.ts';
import type { ActionCache } from '../../cache/action-cache.ts';
import type { ResponseLimits } from '../../models/guarded-fetch.ts';
import type { Keychain } from '../../models/keychain.ts';
import type { Models } from '../../models/models.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ActiveRun } from '../active-run.ts';
import type { StartOptions, WorkspaceRuns } from '../workspace-runs.ts';
import { openRuns, type OpenedRuns } from './open-runs.ts';

/** What ships with the program. */
export const resources = join(import.meta.dirname, '../../../../resources');

/** A workspace and a user's folder on disk, with runs in the real sandbox. */
export class RunsRig implements AsyncDisposable {
  readonly world: DiskWorld;
  readonly home: string;
  readonly sandbox: Sandbox;
  root: string;
  lens = 'a.lens';
  /** Where keys of models come from. */
  environment: Readonly<Record<string, string>> = {};
  keychain: Keychain | undefined;
  limits: Partial<ResponseLimits> = {};
  /** Names the program, where it keeps plans for later. */
  build: string | undefined;
  #opened: OpenedRuns | undefined;

  private constructor(parts: { world: DiskWorld; home: string; root: string; sandbox: Sandbox }) {
    this.world = parts.world;
    this.home = parts.home;
    this.root = parts.root;
    this.sandbox = parts.sandbox;
  }

  /** A workspace with one lens `a.lens` that has these skills, as YAML items of a list, and these files. */
  static async make(
    sandbox: Sandbox,
    skills: string,
    files: Record<string, string> = {},
    head = '',
  ): Promise<RunsRig> {
    const world = new DiskWorld();
    const lens = lensText(skills, head);
    const root = await world.makeWorkspace({ 'a.lens': lens, ...files });
    return new RunsRig({ world, home: await world.makeFolder(), root, sandbox });
  }

  /** The sample workspace. */
  static async sample(sandbox: Sandbox): Promise<RunsRig> {
    const world = new DiskWorld();
    const root = join(await world.makeFolder(), 'harbor');
    await cp(join(resources, 'sample'), root, { recursive: true });
    const rig = new RunsRig({ world, home: await world.makeFolder(), root, sandbox });
    rig.lens = 'lenses/harbor-docs.lens';
    return rig;
  }

  /** As after a start of the program: nothing is remembered but what is on disk. */
  async restart(): Promise<void> {
    await this.#close();
  }

  runs(): WorkspaceRuns {
    return this.#open().runs;
  }

  models(): Models {
    return this.#open().models;
  }

  get cache(): ActionCache {
    return this.#open().cache;
  }

  plan(request: RunRequest = {}): Promise<Plan> {
    return this.runs().plan(this.lens, request);
  }

  start(request: RunRequest = {}, options: StartOptions = {}): Promise<ActiveRun> {
    return this.runs().start(this.lens, request, options);
  }

  /** Runs to the end and returns the record with every event. */
  async run(
    request: RunRequest = {},
    options: StartOptions = {},
  ): Promise<{ record: RunRecord; events: RunEvent[] }> {
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent): void => {
      events.push(event);
      options.onEvent?.(event);
    };
    const run = await this.start(request, { ...options, onEvent });
    return { record: await run.done, events };
  }

  read(file: string): Promise<string> {
    return readFile(join(this.root, file), 'utf8');
  }

  async write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.root, file)), { recursive: true });
    await writeFile(join(this.root, file), text);
  }

  /** Writes within the very call: for a moment of a run that does not wait. */
  writeNow(file: string, text: string): void {
    writeFileSync(join(this.root, file), text);
  }

  /** Flips a bit in everything that the cache keeps. */
  damageCache(): void {
    const folder = join(this.home, 'cache');
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      if (!statSync(path).isFile() || !/[0-9a-f]{60}/.test(name)) continue;
      const bytes = readFileSync(path);
      bytes[0]! ^= 1;
      writeFileSync(path, bytes);
    }
  }

  /** Changes a file by replacing one text that is in it. */
  async edit(file: string, before: string, after: string): Promise<void> {
    const text = await this.read(file);
    if (!text.includes(before)) throw new Error(`"${file}" does not have ${JSON.stringify(before)}`);
    await this.write(file, text.replace(before, after));
  }

  async move(name: string): Promise<void> {
    await this.#close();
    const target = join(dirname(this.root), name);
    await rename(this.root, target);
    this.root = target;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await rm(this.root, { recursive: true, force: true });
    await this.world[Symbol.asyncDispose]();
  }

  #open(): OpenedRuns {
    return (this.#opened ??= openRuns({
      root: this.root,
      home: this.home,
      resources,
      sandbox: this.sandbox,
      environment: this.environment,
      keychain: this.keychain,
      limits: this.limits,
      build: this.build,
    }));
  }

  async #close(): Promise<void> {
    await this.#opened?.close();
    this.#opened = undefined;
  }
}

/** One skill of a lens with one bash script, which sees no files; `more` are further lines of it. */
export function bashSkill(name: string, lines: readonly string[], ...others: readonly string[]): string {
  const more = others.some((line) => line.startsWith('files:')) ? others : ['files: []', ...others];
  const fields = ['description: d', ...more.filter((line) => line !== '')]
    .map((line) => `  ${line}\n`)
    .join('');
  const script = lines.map((line) => `        ${line}\n`).join('');
  return `- name: ${name}\n${fields}  scripts:\n    - name: ${name}.sh\n      content: |\n${script}`;
}

/** A lens with these skills, as YAML items of a list. */
export function lensText(skills: string, head = ''): string {
  return `metadata: { name: A, version: 1.0.0 }\n${head}skills:\n${skills.replace(/^(?=.)/gm, '  ')}\n`;
}

/** Decisions by skill. */
export function decisionsOf({ decisions }: Plan): Record<string, string> {
  return Object.fromEntries(decisions.map(({ skill, decision }) => [skill, decision]));
}

/** States by skill. */
export function statesOf({ steps }: RunRecord): Record<string, string> {
  return Object.fromEntries(steps.map(({ skill, state }) => [skill, state]));
}
