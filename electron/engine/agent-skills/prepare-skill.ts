import { lstat, readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { SkillReading } from '#shared/agent-skills/read-skill.ts';
import type { SkillProblem } from '#shared/agent-skills/problem.ts';
import { renameInFrontmatter } from '#shared/agent-skills/rename-skill.ts';
import { isPortableName } from '#shared/agent-skills/write-skill.ts';
import { readSkillFolder } from './read-folder.ts';
import { SkillMountError, SkillNotFoundError, SkillValidationError } from './skill-errors.ts';
import { skillLimits, TreeBuilder } from './skill-tree.ts';
import type { LeftOut, SkillTree } from './skill-tree.ts';
import { readUsable } from './usable-skill.ts';
import type { NamedTree } from './write-trees.ts';

/** A skill to install: a folder or file on disk, or one that was made from a lens. */
export type SkillSource =
  | {
      readonly kind: 'path';
      /** A folder with SKILL.md, that file, or any other single `.md` file. */
      readonly path: string;
      /** The name to install it under, instead of the folder's or the file's. */
      readonly name?: string;
      /** Follows links inside the folder that lead to files inside it, instead of leaving them out. */
      readonly followLinks?: boolean;
    }
  | {
      readonly kind: 'tree';
      readonly name: string;
      readonly tree: SkillTree;
      /** Whether it was made, or copied from a folder of its own. */
      readonly origin: 'inline' | 'referenced';
    };

/** A skill that is ready to be written: checked, named, complete. */
export interface PreparedSkill extends NamedTree {
  readonly origin: 'inline' | 'referenced';
  readonly leftOut: readonly LeftOut[];
  /** What is wrong with it and does not keep it from being installed. */
  readonly warnings: readonly SkillProblem[];
  /** The name in its own file, where the copy has another. */
  readonly renamedFrom?: string;
}

const neverCopied = ['.git', '__pycache__'];

/** Checks skills to be written, all before the first is; two of one name are refused. */
export async function prepareSkills(sources: readonly SkillSource[]): Promise<readonly PreparedSkill[]> {
  const prepared: PreparedSkill[] = [];
  const labels = new Map<string, string>();
  for (const source of sources) {
    const skill = source.kind === 'path' ? await fromPath(source) : fromTree(source);
    const label = source.kind === 'path' ? source.path : source.name;
    const other = labels.get(skill.name);
    if (other !== undefined) {
      const message = `Duplicate skill name "${skill.name}": "${other}" and "${label}" both have it`;
      throw new SkillMountError('duplicate', message, { skill: skill.name, sources: [other, label] });
    }
    labels.set(skill.name, label);
    prepared.push(skill);
  }
  return prepared;
}

async function fromPath(source: Extract<SkillSource, { kind: 'path' }>): Promise<PreparedSkill> {
  if (source.name !== undefined) checkName(source.name);
  const found = await stat(source.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')
      throw new SkillMountError('io', `Cannot read skill "${source.path}": ${error.message}`);
    throw new SkillNotFoundError(`Cannot find skill "${source.path}": there is nothing`, {
      path: source.path,
    });
  });
  const path = resolve(source.path);
  if (found.isFile() && basename(path) === 'SKILL.md') return fromFolder({ ...source, path: dirname(path) });
  if (found.isFile() && /\.md$/i.test(path)) return fromFile({ ...source, path });
  if (found.isDirectory()) return fromFolder({ ...source, path });
  const message = `Cannot use "${source.path}": it is neither a folder with SKILL.md nor a ".md" file`;
  throw new SkillValidationError('not_directory', message, { path: source.path });
}

async function fromFolder({
  path,
  name,
  followLinks = false,
}: Extract<SkillSource, { kind: 'path' }>): Promise<PreparedSkill> {
  const isLink = (await lstat(path)).isSymbolicLink();
  const { tree, leftOut } = await readSkillFolder(path, {
    label: basename(path),
    links: followLinks ? 'follow-inside' : 'leave-out',
    leaveOut: neverCopied,
  });
  const folderName = basename(path);
  const reading = readUsable(tree, folderName);
  // An installer's link may be called anything; what it leads to is called as it calls itself.
  const wanted = name ?? (isLink ? (reading.properties.name ?? folderName) : folderName);
  return finish({ reading, tree, name: wanted, leftOut });
}

async function fromFile({ path, name }: Extract<SkillSource, { kind: 'path' }>): Promise<PreparedSkill> {
  const stem = basename(path).replace(/\.md$/i, '');
  const builder = new TreeBuilder(stem);
  const { size } = await stat(path);
  if (size > skillLimits.skillMdBytes) throw builder.tooLarge('is larger than 1 MiB');
  builder.addFile({ path: 'SKILL.md', bytes: await readFile(path), mode: 0o644 });
  const tree = builder.build();
  return finish({ reading: readUsable(tree, stem), tree, name: name ?? stem, leftOut: [] });
}

function fromTree({ name, tree, origin }: Extract<SkillSource, { kind: 'tree' }>): PreparedSkill {
  return { ...finish({ reading: readUsable(tree, name), tree, name, leftOut: [] }), origin };
}

function finish(parts: {
  reading: SkillReading;
  tree: SkillTree;
  name: string;
  leftOut: readonly LeftOut[];
}): PreparedSkill {
  const { reading, tree, name, leftOut } = parts;
  checkName(name);
  const given = reading.properties.name;
  const warnings = reading.problems.filter(({ code }) => code !== 'agent-skill.directory-mismatch');
  const prepared = { name, origin: 'referenced' as const, leftOut, warnings };
  if (given === name) return { ...prepared, tree };
  const renamed = renameInFrontmatter(reading.text, name);
  if (renamed === undefined) {
    const message = `Cannot install "${given ?? name}" as "${name}": its frontmatter cannot be edited`;
    throw new SkillMountError('invalid_frontmatter', message, { skill: name });
  }
  const bytes = new TextEncoder().encode(renamed);
  const files = tree.files.map((file) => (file.path === 'SKILL.md' ? { ...file, bytes } : file));
  return { ...prepared, tree: { ...tree, files }, ...(given === undefined ? {} : { renamedFrom: given }) };
}

/** Agents agree on plain names only, and a name is a folder: anything else could lead out of it. */
function checkName(name: string): void {
  if (isPortableName(name)) return;
  const rule = 'use up to 64 of a to z, 0 to 9 and single hyphens';
  const message = `Cannot install a skill as ${JSON.stringify(name)}: ${rule}`;
  throw new SkillMountError('invalid_name', message, { skill: name });
}
