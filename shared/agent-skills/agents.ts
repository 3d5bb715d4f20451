/** An agent that reads skills from folders; all paths are below the project, or below the user's home. */
export interface Agent {
  readonly id: string;
  readonly title: string;
  /** Folders of a project that the agent reads, first the one that skills are installed into. */
  readonly project: readonly string[];
  /** Folders of the home that the agent reads, first the one that skills are installed into. */
  readonly user: readonly string[];
}

const agents = '.agents/skills';
const claude = '.claude/skills';

/** An agent that keeps everything in a dot folder of its own. */
function plain(id: string, title: string, folder = id): Agent {
  return { id, title, project: [`.${folder}/skills`], user: [`.${folder}/skills`] };
}

/** An agent that shares the folders that several agents agreed on. */
function sharing(id: string, title: string): Agent {
  return { id, title, project: [agents], user: ['.config/agents/skills'] };
}

/** Every agent that skills can be installed for, and where it looks for them. */
export const agentTable: readonly Agent[] = [
  { id: 'claude', title: 'Claude Code', project: [claude], user: [claude] },
  { id: 'codex', title: 'Codex', project: [agents, '.codex/skills'], user: [agents, '.codex/skills'] },
  {
    id: 'opencode',
    title: 'OpenCode',
    project: [claude, '.opencode/skills', '.opencode/skill', agents],
    user: [claude, '.config/opencode/skills', agents],
  },
  {
    id: 'gemini',
    title: 'Gemini CLI',
    project: ['.gemini/skills', agents],
    user: ['.gemini/skills', agents],
  },
  {
    id: 'copilot',
    title: 'GitHub Copilot',
    project: ['.github/skills', claude, agents],
    user: ['.copilot/skills', agents],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    project: ['.cursor/skills', agents, claude, '.codex/skills'],
    user: ['.cursor/skills', claude, '.codex/skills'],
  },
  {
    id: 'goose',
    title: 'Goose',
    project: ['.goose/skills', claude, agents],
    user: ['.config/goose/skills', '.config/agents/skills', claude],
  },
  sharing('amp', 'Amp'),
  sharing('kimi', 'Kimi'),
  sharing('replit', 'Replit'),
  { id: 'pi', title: 'pi', project: ['.pi/skills', agents], user: ['.pi/agent/skills', agents] },
  plain('factory', 'Factory'),
  plain('junie', 'Junie'),
  plain('kiro', 'Kiro'),
  plain('roo', 'Roo'),
  { id: 'windsurf', title: 'Windsurf', project: ['.windsurf/skills'], user: ['.codeium/windsurf/skills'] },
  plain('mux', 'Mux'),
  plain('openhands', 'OpenHands'),
  plain('vibe', 'Mistral Vibe'),
  plain('trae', 'Trae'),
];

export function findAgent(id: string): Agent | undefined {
  return agentTable.find((agent) => agent.id === id);
}

/** Every folder of a project that some agent reads skills from, and our own `skills`; each once, ours and the common ones first. */
export const projectSkillFolders: readonly string[] = unique(['skills', claude, agents], 'project');

/** Every folder of a home that some agent reads skills from; each once, the common ones first. */
export const userSkillFolders: readonly string[] = unique([claude, agents], 'user');

function unique(first: readonly string[], scope: 'project' | 'user'): string[] {
  return [...new Set([...first, ...agentTable.flatMap((agent) => agent[scope])])];
}
