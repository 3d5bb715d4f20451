import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { ResolvedSkill } from '#engine/resolve/nodes.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { classify } from '#engine/workspace/discovery.ts';
import { StudioError } from '#shared/errors.ts';
import { downstream, upstream } from '#shared/graph/closure.ts';
import { compareText } from '#shared/graph/compare-text.ts';
import { didYouMean, lookupSkillName } from '#shared/lens/names.ts';
import { CommandWorkspace } from './command-workspace.ts';
import { workspaceFolderOf } from './workspace-folder.ts';
import { kindByName } from './kind-by-name.ts';
import { resolveNamed } from './find-lens.ts';
import type { Invocation } from './invocation.ts';
import { allLibraries, libraryReference, noLibrary, openForLibrary } from './skill-catalog.ts';

/** A skill that a user named, with the workspace it was found in. */
export interface NamedSkill extends SkillAmongOthers {
  readonly workspace: CommandWorkspace;
}

/** A skill and the skills around it in the graphs it was found in; ids, sorted. */
interface SkillAmongOthers {
  readonly skill: ResolvedSkill;
  /** The graph that it was found in. */
  readonly resolution: Resolution;
  readonly upstream: readonly string[];
  readonly downstream: readonly string[];
}

/** The skill that `LENS#SKILL`, `<library>:<name>`, an id or a bare name means; refuses what means none or several. */
export async function findSkill(invocation: Invocation, text: string): Promise<NamedSkill> {
  const hash = text.lastIndexOf('#');
  if (hash > 0) {
    const { resolution, workspace } = await resolveNamed(invocation, text.slice(0, hash));
    return { workspace, ...pickInLens(resolution, text.slice(hash + 1), text) };
  }
  const colon = text.lastIndexOf(':');
  if (colon < 0) {
    const inFolder = await skillInFolder(invocation, text);
    if (inFolder) return inFolder;
    const workspace = await CommandWorkspace.open(invocation);
    return { workspace, ...pick(await allResolutions(invocation, workspace), text, text) };
  }
  const workspace = await openForLibrary(invocation, text.slice(0, colon));
  if (text.startsWith('fount://')) {
    // An id has the version in it. As a reference it would be another range, to be fetched and pinned anew.
    const all = await allResolutions(invocation, workspace);
    const skill = all.flatMap(({ skills }) => skills).find(({ id }) => id === text);
    if (skill) return { workspace, ...around(skill, all) };
  }
  const library = await resolveLibrary(invocation, workspace, text.slice(0, colon));
  const named = pickInLens(library, text.slice(colon + 1), text);
  // What needs a library's skill is rarely in the library itself.
  const all = [library, ...(await allResolutions(invocation, workspace))];
  return { workspace, ...around(named.skill, all) };
}

/** The graph that a skill was found in, by its id: that counts from the top of its workspace, wherever the command is called. */
export async function resolveSkillById(
  invocation: Invocation,
  { root }: CommandWorkspace,
  id: string,
): Promise<Resolution> {
  const terminal = { ...invocation.terminal, workingDirectory: root };
  return (await findSkill({ ...invocation, terminal, workspace: root }, id)).resolution;
}

/** The Agent Skill whose folder or SKILL.md this is; a name that is also a folder without one stays a name. */
async function skillInFolder(invocation: Invocation, text: string): Promise<NamedSkill | undefined> {
  const path = resolve(invocation.terminal.workingDirectory, text);
  const folder = /^skill\.md$/i.test(basename(path)) ? dirname(path) : path;
  const names = await readdir(folder).catch(() => []);
  if (!names.some((name) => /^skill\.md$/i.test(name))) return undefined;
  const workspace = await CommandWorkspace.open(invocation, workspaceFolderOf(invocation, folder));
  const reference = await libraryReference(invocation, workspace, folder);
  const resolution = await workspace.resolveReference(reference);
  const [skill] = resolution.skills;
  return skill && { workspace, ...around(skill, [resolution]) };
}

/** The library, or the lens where an id of a lens's own skill was written. */
export async function resolveLibrary(
  invocation: Invocation,
  workspace: CommandWorkspace,
  text: string,
): Promise<Resolution> {
  const reference = await libraryReference(invocation, workspace, text);
  if (reference.kind === 'path' && kindByName(reference.path) === 'lens') {
    return workspace.resolve('lens', workspace.source(join(workspace.root, reference.path)));
  }
  const library = await (await workspace.libraries()).load(reference, workspace.top);
  if ('problem' in library) throw noLibrary(text, library.problem);
  return workspace.resolveReference(reference);
}

/** Every graph of the workspace: of its lenses, its libraries, the built-in library and its Agent Skills. */
async function allResolutions({ terminal }: Invocation, workspace: CommandWorkspace): Promise<Resolution[]> {
  const resolutions: Resolution[] = [];
  const add = async (work: Promise<Resolution>): Promise<void> => {
    terminal.interrupted.throwIfAborted();
    try {
      resolutions.push(await work);
    } catch (error) {
      // A file that cannot be read has no skills to find; "sunwell validate" says why.
      if (!(error instanceof StudioError)) throw error;
    }
  };
  for (const file of await workspace.files()) {
    if (classify(file) === 'lens') await add(workspace.resolve('lens', workspace.resolver.source(file)));
  }
  for (const reference of await allLibraries(workspace)) await add(workspace.resolveReference(reference));
  return resolutions;
}

function pick(resolutions: readonly Resolution[], name: string, text: string): SkillAmongOthers {
  const wanted = lookupSkillName(name);
  const all = resolutions.flatMap(({ skills }) => skills);
  const meant = all.filter((skill) => lookupSkillName(skill.name) === wanted);
  const found = new Map(meant.map((skill) => [skill.id, skill]));
  const [only] = found.values();
  if (!only) throw unknownSkill(text, didYouMean(name, new Set(all.map((skill) => skill.name))));
  if (found.size > 1) throw ambiguousSkill(text, [...found.keys()].sort(compareText));
  return around(only, resolutions);
}

/** In a lens a name means its own skill before one that it reaches, as in its `depends_on`. */
export function pickInLens(resolution: Resolution, name: string, text: string): SkillAmongOthers {
  const wanted = lookupSkillName(name);
  const own = resolution.lens?.skills.find(({ value }) => lookupSkillName(value.name) === wanted);
  const skill = resolution.skills.find(({ id }) => own && id === `${own.source.file}:${own.value.name}`);
  return skill ? around(skill, [resolution]) : pick([resolution], name, text);
}

function around(skill: ResolvedSkill, resolutions: readonly Resolution[]): SkillAmongOthers {
  const above = new Set<string>();
  const below = new Set<string>();
  for (const { graph } of resolutions) {
    const node = graph.indexOf.get(skill.id);
    if (node === undefined) continue;
    for (const other of upstream(graph, [node])) above.add(graph.ids[other]!);
    for (const other of downstream(graph, [node])) below.add(graph.ids[other]!);
  }
  above.delete(skill.id);
  below.delete(skill.id);
  const resolution = resolutions.find(({ skills }) => skills.includes(skill))!;
  return {
    skill,
    resolution,
    upstream: [...above].sort(compareText),
    downstream: [...below].sort(compareText),
  };
}

function unknownSkill(text: string, meant: string | undefined): StudioError {
  const hint = meant === undefined ? 'see "sunwell skills list"' : `did you mean "${meant}"?`;
  return new StudioError('graph.unknown-skill', `Cannot find skill "${text}": ${hint}`, {
    name: text,
    ...(meant === undefined ? {} : { didYouMean: meant }),
  });
}

function ambiguousSkill(text: string, candidates: readonly string[]): StudioError {
  const listed = candidates.map((id) => `"${id}"`).join(' or ');
  return new StudioError(
    'graph.ambiguous-skill',
    `Cannot tell which skill "${text}" means: write ${listed}`,
    {
      name: text,
      candidates,
    },
  );
}
