import { basename, dirname } from 'node:path';
import { lensSections } from '#shared/agent-skills/lens-sections.ts';
import type { LensJudgment, SectionLink } from '#shared/agent-skills/lens-sections.ts';
import { toNewSkill } from '#shared/agent-skills/lens-skill.ts';
import type { SkillFilePaths } from '#shared/agent-skills/lens-skill.ts';
import { readSkillFile } from '#shared/agent-skills/read-skill.ts';
import { writeSkill } from '#shared/agent-skills/write-skill.ts';
import { StudioError } from '#shared/errors.ts';
import { lookupName, toSkillName } from '#shared/lens/names.ts';
import type { Metadata } from '#shared/model/lens.ts';
import type { Dependency, Skill } from '#shared/model/skill.ts';
import { FileNames } from './file-names.ts';
import { readSkillFolder } from './read-folder.ts';
import { SkillMountError } from './skill-errors.ts';
import { byPath } from './skill-tree.ts';
import type { SkillTree, SkillTreeFile } from './skill-tree.ts';
import type { NamedTree } from './write-trees.ts';

/** A skill of a resolved graph, as far as exporting needs it. */
export interface ExportedSkill {
  readonly id: string;
  readonly name: string;
  readonly skill: Skill;
  readonly scripts: readonly { readonly name: string; readonly content: string }[];
  readonly resources: readonly {
    readonly name: string;
    readonly url?: string;
    readonly file?: string;
    readonly content?: string;
  }[];
  readonly dependsOn: readonly { readonly id: string; readonly dependency: Dependency }[];
  readonly skillFile?: { readonly file: { readonly path: string }; readonly isWhole: boolean };
}

/** A resolved lens or library, as far as exporting needs it. */
export interface ExportedLens {
  readonly lens: LensParts | undefined;
  readonly skills: readonly ExportedSkill[];
}

interface LensParts {
  readonly metadata: Metadata;
  readonly heuristics: readonly { readonly value: LensJudgment['heuristics'][number] }[];
  readonly personas: readonly { readonly value: LensJudgment['personas'][number] }[];
  readonly validators: Readonly<
    Record<'deterministic' | 'heuristic', readonly { readonly value: LensJudgment['validators'][number] }[]>
  >;
}

/** A skill folder to be written: made from a lens, or copied byte for byte from the folder it was imported into. */
export interface ExportedTree extends NamedTree {
  readonly origin: 'inline' | 'referenced';
}

const encoder = new TextEncoder();

/** The skill folders of these skills, in their order; refuses two of one name. */
export async function exportSkills(
  from: ExportedLens,
  wanted: readonly ExportedSkill[] = from.skills,
): Promise<readonly ExportedTree[]> {
  const judgment = judgmentOf(from.lens);
  const trees: ExportedTree[] = [];
  const ids = new Map<string, string>();
  for (const skill of wanted) {
    const tree = await exportSkill(from, skill, judgment);
    const other = ids.get(tree.name);
    if (other !== undefined) {
      const message = `Duplicate skill name "${tree.name}": "${other}" and "${skill.id}" both have it`;
      throw new SkillMountError('duplicate', message, { skill: tree.name, sources: [other, skill.id] });
    }
    ids.set(tree.name, skill.id);
    trees.push(tree);
  }
  return trees;
}

/** The judgment of a lens as a skill of its own; undefined where the lens has none. */
export function exportJudgment({ lens }: ExportedLens, taken: readonly string[]): ExportedTree | undefined {
  const sections = lensSections(judgmentOf(lens));
  if (lens === undefined || sections === '') return undefined;
  const { metadata } = lens;
  const title = metadata.name ?? 'Lens';
  const usual = toSkillName(title) ?? 'lens';
  const name = taken.includes(usual) ? `${usual.slice(0, 59).replace(/-$/, '')}-lens` : usual;
  const usualDescription = `Judges work as the lens "${title}" does. Use it to write or review in that manner.`;
  const description = [...(metadata.description?.trim() || usualDescription)].slice(0, 1024).join('');
  const text = writeSkill({
    name,
    description,
    ...(metadata.license === undefined ? {} : { license: metadata.license }),
    body: `\n# ${title.replace(/\s+/g, ' ')}\n\n${sections}\n`,
  });
  return { name, origin: 'inline', tree: { files: [skillMd(text)], emptyFolders: [] } };
}

async function exportSkill(
  from: ExportedLens,
  node: ExportedSkill,
  judgment: LensJudgment,
): Promise<ExportedTree> {
  const folder = node.skillFile && dirname(node.skillFile.file.path);
  const kept = folder === undefined ? undefined : await folderTree(folder);
  if (kept && node.skillFile?.isWhole) return { name: basename(folder!), tree: kept, origin: 'referenced' };

  refuseIncomplete(node);
  const { files, paths, links } = filesOf(node);
  const sections = lensSections(judgmentFor(node.skill, judgment), links);
  const written = toNewSkill(forExport(from, node), { paths, sections });
  const text = writeSkill({ ...originalFields(kept, node.name), ...written });
  const made = [skillMd(text), ...files];
  const replaced = new Set(made.map(({ path }) => path));
  const others = (kept?.files ?? []).filter(({ path }) => !replaced.has(path));
  const tree = { files: [...others, ...made].sort(byPath), emptyFolders: kept?.emptyFolders ?? [] };
  return { name: node.name, tree, origin: 'inline' };
}

async function folderTree(folder: string): Promise<SkillTree> {
  const options = { label: basename(folder), links: 'refuse', leaveOut: ['.git'] } as const;
  return (await readSkillFolder(folder, options)).tree;
}

/** What only the original SKILL.md says and a lens has no field for. */
function originalFields(kept: SkillTree | undefined, name: string): { license?: string } {
  const file = kept?.files.find(({ path }) => path === 'SKILL.md');
  const license =
    file && readSkillFile(file.bytes, { directoryName: name, profile: 'lenient' }).properties.license;
  return license === undefined ? {} : { license };
}

/**
 * The skill with its dependencies as they read beside the exported folders: a file of the lens is not there any more,
 * so its skills go by their names; libraries that anybody can reach stay named.
 */
function forExport({ skills }: ExportedLens, node: ExportedSkill): Skill {
  const { dependsOn } = node.skill;
  if (dependsOn === undefined) return node.skill;
  const nameOf = (dependency: Dependency): string => {
    const id = node.dependsOn.find((resolved) => resolved.dependency.text === dependency.text)?.id;
    const library = dependency.reference?.library?.kind;
    const target =
      library === undefined || library === 'path' ? skills.find((other) => other.id === id) : undefined;
    return target?.name ?? dependency.text;
  };
  return {
    ...node.skill,
    dependsOn: dependsOn.map((dependency) => ({ ...dependency, text: nameOf(dependency) })),
  };
}

interface SkillFiles {
  readonly files: readonly SkillTreeFile[];
  readonly paths: SkillFilePaths;
  readonly links: readonly SectionLink[];
}

/** Scripts, templates and resources as files of the skill's folder, each under a name that nothing else has there. */
function filesOf({ skill, scripts, resources }: ExportedSkill): SkillFiles {
  const names = new FileNames(['SKILL.md']);
  const files: SkillTreeFile[] = [];
  const links: SectionLink[] = [];
  const add = (folder: string, title: string, content: string, mode: number): string => {
    const path = names.take(folder, title);
    files.push({ path, bytes: encoder.encode(content), mode });
    links.push({ title, target: path });
    return path;
  };
  const paths = {
    scripts: scripts.map(({ name, content }) => add('scripts', name, content, 0o755)),
    templates: (skill.templates ?? []).map(({ name, content }) => add('assets', name, content, 0o644)),
    resources: resources.map(({ name, url, file, content }) => {
      if (content === undefined) {
        links.push({ title: name, target: url ?? '' });
        return undefined;
      }
      const path = names.take('references', basename(file ?? name));
      files.push({ path, bytes: encoder.encode(content), mode: 0o644 });
      links.push({ title: name, target: path });
      return path;
    }),
  };
  return { files, paths, links };
}

function refuseIncomplete({ id, skill, scripts, resources }: ExportedSkill): void {
  const isWhole =
    scripts.length === (skill.scripts?.length ?? 0) && resources.length === (skill.resources?.length ?? 0);
  if (isWhole) return;
  const message = `Cannot export "${id}": a script or resource of it cannot be read`;
  throw new StudioError('skill.incomplete', message, { skill: id });
}

function judgmentOf(lens: LensParts | undefined): LensJudgment {
  if (lens === undefined) return { heuristics: [], validators: [], personas: [] };
  const { deterministic, heuristic } = lens.validators;
  return {
    heuristics: lens.heuristics.map(({ value }) => value),
    validators: [...deterministic, ...heuristic].map(({ value }) => value),
    personas: lens.personas.map(({ value }) => value),
  };
}

/** The judges that a skill names, or all where it names none. */
function judgmentFor(
  { validateWith }: Skill,
  { heuristics, validators, personas }: LensJudgment,
): LensJudgment {
  const pick = <T extends { name: string }>(
    all: readonly T[],
    names: readonly string[] | undefined,
  ): readonly T[] => {
    const wanted = names && new Set(names.map(lookupName));
    return wanted ? all.filter(({ name }) => wanted.has(lookupName(name))) : all;
  };
  return {
    heuristics,
    validators: pick(validators, validateWith?.validators),
    personas: pick(personas, validateWith?.personas),
  };
}

function skillMd(text: string): SkillTreeFile {
  return { path: 'SKILL.md', bytes: encoder.encode(text), mode: 0o644 };
}
