import { compileGlob } from '#shared/glob.ts';
import { toolNames } from '#shared/model/tool-names.ts';
import type { ToolName } from '#shared/model/tool-names.ts';
import { matchesCommand } from './bash-command.ts';

/** What other agents call the same tools, in lower case. */
const otherNames: Readonly<Record<string, readonly ToolName[]>> = {
  read_file: ['Read'],
  write_file: ['Write'],
  create_file: ['Write'],
  multiedit: ['Edit'],
  edit_file: ['Edit'],
  search_replace: ['Edit'],
  list_dir: ['Glob'],
  ls: ['Glob'],
  list_files: ['Glob'],
  search: ['Grep'],
  codebase_search: ['Glob', 'Grep'],
  run_terminal_cmd: ['Bash'],
  shell: ['Bash'],
  run_script: ['RunScript'],
  skill: ['activate_skill', 'open_sections'],
  activateskill: ['activate_skill', 'open_sections'],
};

/** What `allowed_tools` of a skill allow: what it does not list is not offered. */
export class ToolRules {
  /** Entries that name no tool we have. */
  readonly unknown: readonly string[];
  /** Patterns by tool; undefined among them allows everything. */
  readonly #patterns = new Map<ToolName, (string | undefined)[]>();

  constructor(allowed: readonly string[] = []) {
    const unknown: string[] = [];
    for (const entry of allowed) {
      const [, name = '', pattern] = /^\s*([^()\s]+)\s*(?:\((.*)\))?\s*$/s.exec(entry) ?? [];
      const meant = namesMeant(name);
      if (meant.length === 0) unknown.push(entry);
      for (const tool of meant) {
        const isAll =
          pattern === undefined || pattern.trim() === '' || /^(?:\*|:\*|\*\*)$/.test(pattern.trim());
        this.#patterns.set(tool, [...(this.#patterns.get(tool) ?? []), isAll ? undefined : pattern.trim()]);
      }
    }
    this.unknown = unknown;
  }

  get offered(): readonly ToolName[] {
    return toolNames.filter((name) => this.#patterns.has(name));
  }

  /** The patterns that limit a tool; none where it may do everything. */
  limitsOf(tool: ToolName): readonly string[] {
    const patterns = this.#patterns.get(tool) ?? [];
    return patterns.includes(undefined) ? [] : (patterns as readonly string[]);
  }

  /** Whether a tool may be used on a path of the workspace. */
  allowsPath(tool: ToolName, path: string): boolean {
    const limits = this.limitsOf(tool);
    return (
      limits.length === 0 || limits.some((glob) => compileGlob(glob.replace(/^\/+/, ''))(path.split('/')))
    );
  }

  /** Whether a command may be run. */
  allowsCommand(command: string): boolean {
    const limits = this.limitsOf('Bash');
    return limits.length === 0 || limits.some((pattern) => matchesCommand(command, pattern));
  }
}

function namesMeant(name: string): readonly ToolName[] {
  const exact = toolNames.filter((tool) => tool.toLowerCase() === name.toLowerCase());
  return exact.length > 0 ? exact : (otherNames[name.toLowerCase()] ?? []);
}
