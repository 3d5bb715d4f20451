import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AgentHome, sweepHomes } from './agent-home.ts';
import { homeAgents } from './home-layouts.ts';
import type { HomeAgent } from './home-layouts.ts';
import type { SkillSource } from './prepare-skill.ts';
import { SkillMountError } from './skill-errors.ts';
import { pathsIn, skillMd, SkillRig } from './testing/skill-rig.ts';

const rig = new SkillRig();
const run = promisify(execFile);
let bin: string;
let userHome: string;
let skills: string;

beforeAll(async () => {
  bin = await rig.makeFolder();
  for (const agent of homeAgents) {
    await copyFile(new URL('testing/fake-agent.mjs', import.meta.url), join(bin, `${agent}.mjs`));
    await chmod(join(bin, `${agent}.mjs`), 0o755);
  }
  userHome = await rig.folderWith({
    '.claude/skills/private/SKILL.md': skillMd('private'),
    '.claude/.credentials.json': 'claude login',
    '.claude/settings.json': '{"env":{"TOKEN":"secret"}}',
    '.claude.json': 'history',
    '.agents/skills/private/SKILL.md': skillMd('private'),
    '.codex/auth.json': 'codex login',
    '.codex/config.toml': 'secret = true',
    '.codex/skills/private/SKILL.md': skillMd('private'),
    '.local/share/opencode/auth.json': 'opencode login',
    '.config/opencode/skills/private/SKILL.md': skillMd('private'),
    '.ssh/id_ed25519': 'secret',
  });
  skills = await rig.folderWith({
    'pdf/SKILL.md': skillMd('pdf'),
    'pdf/scripts/x.sh*': 'x',
    'notes/SKILL.md': skillMd('notes'),
  });
});
afterAll(() => rig[Symbol.asyncDispose]());

const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  LANG: 'C.UTF-8',
  LC_ALL: 'C',
  HOME: userHome,
  ANTHROPIC_API_KEY: 'canary-1',
  OPENAI_API_KEY: 'canary-2',
  AWS_SECRET_ACCESS_KEY: 'canary-3',
  NODE_OPTIONS: '--no-warnings',
  SSH_AUTH_SOCK: '/canary-4',
  HTTPS_PROXY: 'http://user:canary-5@127.0.0.1:1',
  GITHUB_TOKEN: 'canary-6',
});
const from = (...names: readonly string[]): SkillSource[] =>
  names.map((name) => ({ kind: 'path', path: join(skills, name) }));

interface Seen {
  readonly skills: string[];
  readonly login: string | null;
  readonly files: string[];
  readonly home: string;
  readonly homeMode: string;
  readonly environment: Record<string, string>;
}

async function seenBy(home: AgentHome): Promise<Seen> {
  const { stdout } = await run(join(bin, `${home.agent}.mjs`), [], { env: home.environment });
  return JSON.parse(stdout) as Seen;
}

const files: Readonly<Record<HomeAgent, readonly string[]>> = {
  claude: ['.claude/.credentials.json', '.claude/settings.json'],
  codex: ['.codex/auth.json', '.codex/config.toml'],
  opencode: ['.config/opencode/opencode.json', '.local/share/opencode/auth.json'],
};
const skillsFolder = { claude: '.claude/skills', codex: '.agents/skills', opencode: '.claude/skills' };

describe.each(homeAgents)('a home for %s', (agent) => {
  test('shows exactly the mounted skills, the login, the settings, and no secrets', async () => {
    const parent = await rig.makeFolder();
    await using home = await AgentHome.make({ agent, environment: environment(), parent });
    expect(await home.mount(from('pdf', 'notes'))).toEqual({
      type: 'skills_installed',
      inline: [],
      referenced: ['pdf', 'notes'],
      dir: `~/${skillsFolder[agent]}`,
    });
    const seen = await seenBy(home);
    const mounted = ['notes/SKILL.md', 'pdf/SKILL.md', 'pdf/scripts/x.sh'];
    expect({ ...seen, environment: undefined }).toEqual({
      agent,
      skills: ['notes', 'pdf'],
      login: `${agent} login`,
      files: [...files[agent], ...mounted.map((path) => `${skillsFolder[agent]}/${path}`)].sort(),
      home: home.folder,
      homeMode: '700',
      environment: undefined,
    });
    expect(Object.keys(seen.environment).sort()).toEqual([
      'CLAUDE_CONFIG_DIR',
      'CODEX_HOME',
      'HOME',
      'LANG',
      'LC_ALL',
      'PATH',
      'TMPDIR',
      'USERPROFILE',
      'XDG_CACHE_HOME',
      'XDG_CONFIG_HOME',
      'XDG_DATA_HOME',
      'XDG_STATE_HOME',
    ]);
    expect(JSON.stringify(seen.environment)).not.toMatch(new RegExp(`canary|${userHome}`));
  });

  test('is gone after success, after a failing agent, and when it is disposed twice', async () => {
    const parent = await rig.makeFolder();
    const home = await AgentHome.make({ agent, environment: environment(), parent });
    await home.mount(from('pdf'));
    await seenBy(home);
    const failing = run(join(bin, `${agent}.mjs`), ['--fail'], { env: home.environment });
    await expect(failing.finally(() => home[Symbol.asyncDispose]())).rejects.toThrow('--fail');
    await home[Symbol.asyncDispose]();
    expect(await readdir(parent)).toEqual([]);
  });
});

test('the login is found where CODEX_HOME and XDG_DATA_HOME say, and only there', async () => {
  const elsewhere = await rig.folderWith({
    'codex/auth.json': 'other codex',
    'data/opencode/auth.json': 'other opencode',
    'claude/.credentials.json': 'other claude',
  });
  const moved = {
    ...environment(),
    CODEX_HOME: join(elsewhere, 'codex'),
    XDG_DATA_HOME: join(elsewhere, 'data'),
    CLAUDE_CONFIG_DIR: join(elsewhere, 'claude'),
  };
  for (const agent of homeAgents) {
    await using home = await AgentHome.make({ agent, environment: moved, parent: await rig.makeFolder() });
    expect((await seenBy(home)).login).toBe(`other ${agent}`);
  }
});

test('without HOME there is no login, and a home all the same', async () => {
  const { HOME: _home, ...homeless } = environment();
  for (const agent of homeAgents) {
    await using home = await AgentHome.make({ agent, environment: homeless, parent: await rig.makeFolder() });
    await home.mount(from('pdf'));
    const seen = await seenBy(home);
    expect([seen.login, seen.skills, seen.home]).toEqual([null, ['pdf'], home.folder]);
  }
});

describe('case 39', () => {
  test('a second mount is refused, also after an empty first, which makes no directory', async () => {
    for (const first of [from('pdf'), []]) {
      await using home = await AgentHome.make({
        agent: 'claude',
        environment: environment(),
        parent: await rig.makeFolder(),
      });
      await home.mount(first);
      const hasFolder =
        (await stat(join(home.folder, '.claude/skills')).catch(() => undefined)) !== undefined;
      expect(hasFolder).toBe(first.length > 0);
      const error = await home.mount(from('notes')).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SkillMountError);
      expect(error).toMatchObject({
        reason: 'already_mounted',
        message: expect.stringMatching(/^Skills already mounted/) as string,
      });
    }
  });
});

test('case 37: a mount that fails leaves no home', async () => {
  const parent = await rig.makeFolder();
  const home = await AgentHome.make({ agent: 'codex', environment: environment(), parent });
  await expect(home.mount(from('pdf', 'missing'))).rejects.toMatchObject({ reason: 'not_found' });
  expect(await readdir(parent)).toEqual([]);
});

describe('a process that ends', () => {
  const program = new URL('testing/home-keeper.mjs', import.meta.url);
  const start = async (parent: string): Promise<ReturnType<typeof fork>> => {
    const child = fork(program, [parent], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(child, 'message');
    return child;
  };

  test('takes its homes with it when it exits by itself', async () => {
    const parent = await rig.makeFolder();
    const child = await start(parent);
    expect(await readdir(parent)).toHaveLength(1);
    const gone = once(child, 'exit');
    child.send('exit');
    await gone;
    expect(await readdir(parent)).toEqual([]);
  });

  test('leaves them when it is killed, and the next home made sweeps them; those of the living stay', async () => {
    const parent = await rig.makeFolder();
    const [killed, living] = await Promise.all([start(parent), start(parent)]);
    expect(await readdir(parent)).toHaveLength(2);
    const gone = once(killed, 'exit');
    killed.kill('SIGKILL');
    await gone;
    expect(await readdir(parent)).toHaveLength(2);
    await mkdir(join(parent, 'not-ours'));
    await using home = await AgentHome.make({ agent: 'claude', environment: environment(), parent });
    const names = await readdir(parent);
    expect(names).toHaveLength(3);
    expect(names).toContain('not-ours');
    expect(names.filter((name) => name.startsWith(`${living.pid}-`))).toHaveLength(1);
    expect(await pathsIn(home.folder)).toContain('.claude/settings.json');
    living.kill('SIGKILL');
    await once(living, 'exit');
    expect(await sweepHomes(parent)).toBe(1);
  });
});
