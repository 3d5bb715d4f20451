import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { SkillsInstalled } from '#shared/agent-skills/file-events.ts';
import { isMarkAlive, ownMark } from '../store/process-mark.ts';
import { homeLayouts } from './home-layouts.ts';
import type { AnyAgent, Environment } from './home-layouts.ts';
import { installEvent } from './install.ts';
import { prepareSkills } from './prepare-skill.ts';
import type { SkillSource } from './prepare-skill.ts';
import { SkillMountError } from './skill-errors.ts';
import { executeWrite, planWrite } from './write-trees.ts';

export interface AgentHomeOptions {
  readonly agent: AnyAgent;
  /** The user's own environment: what may pass is taken from it, and where the agent's login lies. */
  readonly environment: Environment;
  /** The folder that homes are made in; one for this user in the temporary folder where it is left out. */
  readonly parent?: string;
}

const maxLoginBytes = 1024 * 1024;

/** Homes of this process that are still on disk; removed at the latest when it exits. */
const living = new Set<string>();

/**
 * A home folder for one run of an agent: it holds the mounted skills, the agent's login and settings without network,
 * and nothing else of the user's. Whoever makes it disposes it; what a killed process left is removed by the next one.
 */
export class AgentHome implements AsyncDisposable {
  readonly agent: AnyAgent;
  readonly folder: string;
  /** The whole environment for the agent: nothing of the user's beyond what every program needs. */
  readonly environment: Readonly<Record<string, string>>;
  #isMounted = false;

  private constructor(agent: AnyAgent, folder: string, environment: Record<string, string>) {
    this.agent = agent;
    this.folder = folder;
    this.environment = environment;
  }

  static async make({ agent, environment, parent }: AgentHomeOptions): Promise<AgentHome> {
    const layout = homeLayouts[agent];
    const place = parent ?? (await usualParent());
    await mkdir(place, { recursive: true, mode: 0o700 });
    await sweepHomes(place);
    const folder = join(place, `${ownMark()}-${randomBytes(8).toString('hex')}`);
    const home = new AgentHome(agent, folder, scrubbed(environment, folder));
    remember(folder);
    try {
      await mkdir(folder, { mode: 0o700 });
      await mkdir(join(folder, 'tmp'), { mode: 0o700 });
      await copyLogin(layout.login(environment), join(folder, layout.loginFile));
      if (layout.settingsFile !== undefined)
        await writePrivate(join(folder, layout.settingsFile), layout.settings);
      return home;
    } catch (error) {
      await home[Symbol.asyncDispose]();
      const message = `Cannot make a home for ${layout.title}: ${(error as Error).message}`;
      throw new SkillMountError('io', message, { agent });
    }
  }

  /** Puts skills where the agent looks for them, once for each home. Where that fails, the home is gone. */
  async mount(sources: readonly SkillSource[]): Promise<SkillsInstalled> {
    if (this.#isMounted) {
      throw new SkillMountError('already_mounted', 'Skills already mounted: make another home for others', {
        agent: this.agent,
      });
    }
    this.#isMounted = true;
    const { skillsFolder } = homeLayouts[this.agent];
    try {
      const skills = await prepareSkills(sources);
      await executeWrite(await planWrite(join(this.folder, skillsFolder), skills));
      return installEvent(skills, `~/${skillsFolder}`);
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Removes the home; doing it again does nothing. */
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    forget(this.folder);
  }
}

/** Removes the homes of processes that are no more; says how many. */
export async function sweepHomes(parent: string): Promise<number> {
  const names = await readdir(parent).catch(() => []); // No homes yet.
  const dead = names.filter((name) => /^\d+-[^-]+-[0-9a-f]{16}$/.test(name) && !isMarkAlive(name));
  for (const name of dead) await rm(join(parent, name), { recursive: true, force: true });
  return dead.length;
}

function remember(folder: string): void {
  if (living.size === 0) process.on('exit', removeAll);
  living.add(folder);
}

function forget(folder: string): void {
  living.delete(folder);
  if (living.size === 0) process.off('exit', removeAll);
}

function removeAll(): void {
  for (const folder of living) rmSync(folder, { recursive: true, force: true });
}

/** A folder that only this user can read; another user may have made the usual one first, and then a fresh one is made. */
async function usualParent(): Promise<string> {
  const self = process.geteuid?.() ?? 0;
  const folder = join(tmpdir(), `sunwell-homes-${self}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  const isOurs = found.isDirectory() && (process.platform === 'win32' || found.uid === self);
  if (!isOurs) return mkdtemp(`${folder}-`);
  await chmod(folder, 0o700);
  return folder;
}

const passed = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|NO_COLOR|SystemRoot|ComSpec|PATHEXT)$/;

function scrubbed(environment: Environment, home: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && passed.test(name)) kept[name] = value;
  }
  return {
    ...kept,
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CODEX_HOME: join(home, '.codex'),
    TMPDIR: join(home, 'tmp'),
  };
}

/** An agent without a login asks for one itself, so a missing file is no failure. */
async function copyLogin(from: string | undefined, to: string): Promise<void> {
  if (from === undefined || !isAbsolute(from)) return;
  const handle = await open(from, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    const found = await handle.stat();
    if (!found.isFile() || found.size > maxLoginBytes) throw new Error(`"${from}" is no login file`);
    await writePrivate(to, await handle.readFile());
  } finally {
    await handle.close();
  }
}

async function writePrivate(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, content, { mode: 0o600 });
}
