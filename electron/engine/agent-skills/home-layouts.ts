import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Agents that can be given a home of their own. */
export const homeAgents = ['claude', 'codex', 'opencode'] as const;
export type HomeAgent = (typeof homeAgents)[number];
/** One that we know nothing about: it gets no login, and its skills where most agents look. */
export type AnyAgent = HomeAgent | 'other';

/** What an agent expects in its home; all files are below it. */
export interface HomeLayout {
  readonly title: string;
  readonly skillsFolder: string;
  /** The user's own login file, or undefined where there is no home to look in. */
  readonly login: (environment: Environment) => string | undefined;
  readonly loginFile: string;
  /** Missing where nothing is known about settings. */
  readonly settingsFile?: string;
  /** The agent's own sandbox on, its network off, nothing sent home. */
  readonly settings: string;
}

export const homeLayouts: Readonly<Record<AnyAgent, HomeLayout>> = {
  claude: {
    title: 'Claude Code',
    skillsFolder: '.claude/skills',
    login: (environment) => below(environment, 'CLAUDE_CONFIG_DIR', '.claude', '.credentials.json'),
    loginFile: '.claude/.credentials.json',
    settingsFile: '.claude/settings.json',
    settings: json({
      sandbox: { enabled: true, allowUnsandboxedCommands: false, network: { allowedDomains: [] } },
      permissions: { deny: ['WebFetch', 'WebSearch'] },
    }),
  },
  codex: {
    title: 'Codex',
    skillsFolder: '.agents/skills',
    login: (environment) => below(environment, 'CODEX_HOME', '.codex', 'auth.json'),
    loginFile: '.codex/auth.json',
    settingsFile: '.codex/config.toml',
    settings: [
      'approval_policy = "never"',
      'sandbox_mode = "workspace-write"',
      'check_for_update_on_startup = false',
      '',
      '[sandbox_workspace_write]',
      'network_access = false',
      '',
      '[tools]',
      'web_search = false',
      '',
    ].join('\n'),
  },
  opencode: {
    title: 'OpenCode',
    skillsFolder: '.claude/skills',
    login: (environment) => below(environment, 'XDG_DATA_HOME', '.local/share', 'opencode/auth.json'),
    loginFile: '.local/share/opencode/auth.json',
    settingsFile: '.config/opencode/opencode.json',
    settings: json({
      autoupdate: false,
      share: 'disabled',
      permission: { webfetch: 'deny', websearch: 'deny', external_directory: 'deny' },
    }),
  },
  other: {
    title: 'the agent',
    skillsFolder: '.agents/skills',
    login: () => undefined,
    loginFile: '',
    settings: '',
  },
};

/** A file of the folder that a variable names, or of its usual place in the home. */
function below(environment: Environment, variable: string, usual: string, file: string): string | undefined {
  const named = environment[variable];
  if (named) return join(named, file);
  const home = environment['HOME'] ?? environment['USERPROFILE'];
  return home ? join(home, usual, file) : undefined;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
