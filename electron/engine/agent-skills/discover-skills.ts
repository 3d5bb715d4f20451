import { join } from 'node:path';
import picomatch from 'picomatch';
import { projectSkillFolders, userSkillFolders } from '#shared/agent-skills/agents.ts';
import type { SkillsDiscovered } from '#shared/agent-skills/file-events.ts';
import { topOfFile } from '#shared/agent-skills/problem.ts';
import type { SkillProblem } from '#shared/agent-skills/problem.ts';
import { readSunwell } from '#shared/agent-skills/lens-skill.ts';
import { readSkillFile } from '#shared/agent-skills/read-skill.ts';
import type { SkillReading } from '#shared/agent-skills/read-skill.ts';
import { suggestDependencies } from '#shared/agent-skills/references.ts';
import type { ReferringSkill, SuggestedDependency } from '#shared/agent-skills/references.ts';
import { Pace } from '../store/pace.ts';
import { SkillFolderWalk } from './find-skill-folders.ts';
import type { SkillFolder, WalkLimits } from './find-skill-folders.ts';
import type { Environment } from './home-layouts.ts';
import { readSkillFolder } from './read-folder.ts';
import { SkillMountError, SkillNotFoundError, SkillValidationError } from './skill-errors.ts';
import { hashSkillTree } from './skill-tree.ts';

/** Whose skills: of the project, of the user, or of a folder that was named besides. Earlier ones win. */
export const skillScopes = ['project', 'user', 'configured'] as const;
export type SkillScope = (typeof skillScopes)[number];

export interface DiscoverRequest {
  readonly project?: string;
  /** The user's home; without it there are no skills of the user's own. */
  readonly home?: string;
  /** Where XDG_CONFIG_HOME and CODEX_HOME may say that parts of the home are elsewhere. */
  readonly environment?: Environment;
  /** More folders of skills. */
  readonly configured?: readonly string[];
  /** Globs of names; without any, all are allowed. */
  readonly allow?: readonly string[];
  /** Globs of names that are hidden, also where they are allowed. */
  readonly deny?: readonly string[];
  /** Also looks for dependencies that skills speak of and do not declare. */
  readonly suggest?: boolean;
  readonly limits?: WalkLimits;
}

/** One skill that agents would load, pinned by the hash of its whole folder. */
export interface DiscoveredSkill {
  readonly name: string;
  readonly description: string;
  readonly scope: SkillScope;
  /** Its SKILL.md, below the project, below `~` or below the configured folder. */
  readonly file: string;
  /** Its folder on this machine. */
  readonly folder: string;
  readonly sha256: string;
  readonly problems: readonly SkillProblem[];
}

/** A skill that another of the same name hides. */
export interface ShadowedSkill {
  readonly name: string;
  readonly scope: SkillScope;
  readonly file: string;
  /** The SKILL.md that is used instead. */
  readonly by: string;
}

/** A folder with a SKILL.md that no agent could load, and why. */
export interface SkippedSkill {
  readonly scope: SkillScope;
  readonly file: string;
  readonly problems: readonly SkillProblem[];
}

export interface SkillDiscovery {
  readonly skills: readonly DiscoveredSkill[];
  readonly shadowed: readonly ShadowedSkill[];
  readonly skipped: readonly SkippedSkill[];
  /** Names that the globs hide. */
  readonly hidden: readonly string[];
  /** Dependencies that the skills do not declare but speak of; empty unless asked for. */
  readonly suggestions: readonly SuggestedDependency[];
  /** Why not every folder was looked at, where that is so. */
  readonly leftOut: string | undefined;
  readonly event: SkillsDiscovered;
}

/** Lists the skills of all scopes, as agents load them: what can be used is used, with its problems. */
export async function discoverSkills(request: DiscoverRequest): Promise<SkillDiscovery> {
  const pace = new Pace();
  const walk = new SkillFolderWalk(request.limits, pace);
  const places: Place[] = [];
  for (const root of rootsOf(request)) {
    for (const found of await walk.find(root.folder)) places.push({ ...found, ...labelled(root, found) });
  }
  const loaded: (LoadedSkill | SkippedSkill)[] = [];
  for (const place of places) loaded.push(await load(place, pace));
  return sorted(loaded, request, walk.cut);
}

interface LoadedSkill {
  readonly skill: DiscoveredSkill;
  readonly reading: SkillReading;
}

interface Root {
  readonly folder: string;
  readonly scope: SkillScope;
  /** How its files are named to people. */
  readonly label: string;
}

type Place = SkillFolder & { readonly scope: SkillScope; readonly file: string };

function rootsOf({ project, home, environment = {}, configured = [] }: DiscoverRequest): Root[] {
  const roots: Root[] = [];
  if (project !== undefined) {
    for (const label of projectSkillFolders) {
      roots.push({ folder: join(project, label), scope: 'project', label });
    }
  }
  for (const label of userSkillFolders) {
    const moved = movedFolder(label, environment);
    if (moved !== undefined) roots.push({ ...moved, scope: 'user' });
    else if (home !== undefined)
      roots.push({ folder: join(home, label), scope: 'user', label: `~/${label}` });
  }
  for (const folder of configured) roots.push({ folder, scope: 'configured', label: folder });
  return roots;
}

/** Parts of a home that a variable puts somewhere else. */
const movable = { '.config/': 'XDG_CONFIG_HOME', '.codex/': 'CODEX_HOME' } as const;

function movedFolder(label: string, environment: Environment): Pick<Root, 'folder' | 'label'> | undefined {
  for (const [start, variable] of Object.entries(movable)) {
    const elsewhere = environment[variable];
    if (!label.startsWith(start) || !elsewhere) continue;
    const inside = label.slice(start.length);
    return { folder: join(elsewhere, inside), label: `$${variable}/${inside}` };
  }
  return undefined;
}

function labelled({ scope, label }: Root, { inside }: SkillFolder): Pick<Place, 'scope' | 'file'> {
  return { scope, file: [label, inside, 'SKILL.md'].filter((part) => part !== '').join('/') };
}

async function load({ folder, inside, scope, file }: Place, pace: Pace): Promise<LoadedSkill | SkippedSkill> {
  const folderName = inside.split('/').at(-1) || folder.split(/[\\/]/).at(-1)!;
  try {
    const options = { label: folderName, links: 'leave-out', leaveOut: ['.git', '__pycache__'] } as const;
    const { tree } = await readSkillFolder(folder, options, pace);
    const skillMd = tree.files.find(({ path }) => path === 'SKILL.md');
    if (skillMd === undefined) return skipped('agent-skill.file-name', 'Missing required file: SKILL.md');
    const reading = readSkillFile(skillMd.bytes, { directoryName: folderName, profile: 'lenient' });
    const { name, description } = reading.properties;
    if (!reading.isUsable || name === undefined || description === undefined) {
      return { scope, file, problems: reading.problems };
    }
    const { problems } = reading;
    const skill = { name, description, scope, file, folder, sha256: hashSkillTree(tree), problems };
    return { skill, reading };
  } catch (error) {
    if (error instanceof SkillMountError && error.reason === 'too_large')
      return skipped('agent-skill.too-large', error.message);
    const isRefused = [SkillMountError, SkillNotFoundError, SkillValidationError].some(
      (kind) => error instanceof kind,
    );
    if (isRefused) return skipped('agent-skill.file-name', (error as Error).message);
    throw error;
  }

  function skipped(code: SkillProblem['code'], message: string): SkippedSkill {
    return { scope, file, problems: [{ ...topOfFile, code, severity: 'error', message }] };
  }
}

function sorted(
  loaded: readonly (LoadedSkill | SkippedSkill)[],
  { allow = [], deny = [], suggest = false }: DiscoverRequest,
  leftOut: string | undefined,
): SkillDiscovery {
  const isAllowed = allow.length === 0 ? () => true : picomatch([...allow], { dot: true });
  const isDenied = deny.length === 0 ? () => false : picomatch([...deny], { dot: true });
  const skills = new Map<string, LoadedSkill>();
  const shadowed: ShadowedSkill[] = [];
  const skipped: SkippedSkill[] = [];
  const hidden = new Set<string>();
  for (const found of loaded) {
    if (!('skill' in found)) {
      skipped.push(found);
      continue;
    }
    const { name, scope, file } = found.skill;
    const winner = skills.get(name);
    if (!isAllowed(name) || isDenied(name)) hidden.add(name);
    else if (winner === undefined) skills.set(name, found);
    else shadowed.push({ name, scope, file, by: winner.skill.file });
  }
  const list = [...skills.values()].map(({ skill }) => skill);
  const event: SkillsDiscovered = {
    type: 'skills_discovered',
    skills: list.map(({ name, file, sha256 }) => ({ name, file, sha256 })),
    shadowed: shadowed.length,
    skipped: skipped.length,
  };
  const suggestions = suggest ? suggestDependencies([...skills.values()].map(referring)) : [];
  return { skills: list, shadowed, skipped, hidden: [...hidden], suggestions, leftOut, event };
}

function referring({ skill, reading }: LoadedSkill): ReferringSkill {
  const { depends_on: dependsOn } = readSunwell(reading).metadata;
  return { name: skill.name, body: reading.body, ...(dependsOn ? { dependsOn } : {}) };
}
