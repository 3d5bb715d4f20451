import { lstat, realpath, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { readSunwell } from '#shared/agent-skills/lens-skill.ts';
import type { SkillReading } from '#shared/agent-skills/read-skill.ts';
import { StudioError } from '#shared/errors.ts';
import { addSkill } from '#shared/lens/edit/lens-edits.ts';
import type { NewEntry } from '#shared/lens/edit/lens-edits.ts';
import { given } from '#shared/lens/read/given.ts';
import { isSkillName, lookupSkillName, toSkillName } from '#shared/lens/names.ts';
import { readOutline } from '#shared/lens/outline.ts';
import { openYaml } from '#shared/lens/yaml/open.ts';
import type { FileId, Revision } from '#shared/model/workspace.ts';
import { readTextFile, saveTextFile } from '../workspace/text-file.ts';
import { importNotes } from './import-notes.ts';
import type { ImportNote } from './import-notes.ts';
import { readImport } from './import-source.ts';
import type { ImportSource } from './import-source.ts';
import { SkillMountError } from './skill-errors.ts';
import { readUsable } from './usable-skill.ts';
import { executeWrite, planWrite, previewOf } from './write-trees.ts';
import type { PlannedFile, WritePlan } from './write-trees.ts';

export interface ImportRequest {
  /** The workspace. */
  readonly root: string;
  /** The lens or library that gets the entry; the skill is copied beside it. */
  readonly lens: FileId;
  readonly source: ImportSource;
  /** The name in the lens, instead of the skill's own. */
  readonly name?: string;
}

/** What an import will write. `importSkill` carries out exactly this, or nothing. */
export interface ImportPlan {
  readonly lens: FileId;
  readonly name: string;
  /** The skill's new folder, from the workspace. */
  readonly folder: string;
  readonly files: readonly PlannedFile[];
  /** The lens as it will read. */
  readonly lensText: string;
  readonly notes: readonly ImportNote[];
  readonly root: string;
  readonly revision: Revision;
  readonly write: WritePlan;
  /** True where the skill already lies in that folder, so that only the entry is new. */
  readonly isInPlace: boolean;
}

/** Works out an import without writing anything; refuses what would meet something that is there. */
export async function planImport(request: ImportRequest): Promise<ImportPlan> {
  const { root, lens, source } = request;
  const { tree, folderName, leftOut } = await readImport(source);
  const reading = readUsable(tree, folderName);
  const name = nameFor(request, reading);
  const { text, revision } = await readTextFile(root, lens);
  const inside = [dirname(lens), 'skills'].filter((part) => part !== '.').join('/');
  const isInPlace = await isSameFolder(source, join(root, inside, name));
  await refuseTaken({ root, inside, lens, text, name, isInPlace });
  const write = await planWrite(join(root, inside), [{ name, tree }]);
  return {
    lens,
    name,
    folder: `${inside}/${name}`,
    files: previewOf(write),
    lensText: withEntry(text, lens, entryFor(name, reading)),
    notes: importNotes({ reading, tree, name, leftOut }),
    root,
    revision,
    write,
    isInPlace,
  };
}

/** Carries out a plan as it is. Where anything fails, neither the skill nor the entry is there. */
export async function importSkill(plan: ImportPlan): Promise<void> {
  const { root, lens, lensText, revision, write, name, isInPlace } = plan;
  const hadFolder = (await lstat(write.folder).catch(() => undefined)) !== undefined;
  await executeWrite(write);
  try {
    await saveTextFile(root, lens, lensText, revision);
  } catch (error) {
    // What was there before is the user's own.
    if (isInPlace) throw error;
    await rm(join(write.folder, name), { recursive: true, force: true });
    if (!hadFolder) await rmdir(write.folder);
    throw error;
  }
}

/** The entry's name: as asked for, else the skill's own, brought into the form that lenses allow. */
function nameFor({ name: asked }: ImportRequest, { properties }: SkillReading): string {
  const own = asked ?? properties.name ?? '';
  const name = isSkillName(own) ? own : asked === undefined ? toSkillName(own) : undefined;
  if (name !== undefined) return name;
  const rule = 'use up to 64 lower-case letters, digits and single hyphens, starting with a letter';
  const message = `Cannot import a skill as ${JSON.stringify(own)}: ${rule}; choose another name`;
  throw new SkillMountError('invalid_name', message, { skill: own });
}

/** Nothing that is there may be written over, on systems to which case does not matter too. */
async function refuseTaken(place: {
  root: string;
  inside: string;
  lens: FileId;
  text: string;
  name: string;
  isInPlace: boolean;
}): Promise<void> {
  const { root, inside, lens, text, name, isInPlace } = place;
  const refuse = (message: string, reason: 'duplicate' | 'unsafe' = 'duplicate'): never => {
    throw new SkillMountError(reason, `Cannot import "${name}": ${message}`, { skill: name });
  };
  const wanted = lookupSkillName(name);
  if (readOutline(text).skills.some((other) => lookupSkillName(other.name) === wanted))
    refuse(`"${lens}" already has a skill of this name; choose another name`);
  if (!isInPlace && (await lstat(join(root, inside, name)).catch(() => undefined)))
    refuse(`"${inside}/${name}" is already there; choose another name, or remove it`);
  const [realRoot, realFolder] = await Promise.all([realpath(root), nearestReal(join(root, inside))]);
  if (realFolder !== realRoot && !realFolder.startsWith(realRoot + sep))
    refuse(`"${inside}" leads out of the workspace`, 'unsafe');
}

async function isSameFolder(source: ImportSource, folder: string): Promise<boolean> {
  if (source.kind !== 'path') return false;
  const from = basename(source.path) === 'SKILL.md' ? dirname(source.path) : source.path;
  const [real, target] = await Promise.all(
    [from, folder].map((path) => realpath(path).catch(() => undefined)),
  );
  return real !== undefined && real === target;
}

async function nearestReal(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  return real ?? nearestReal(dirname(path));
}

/** `enabled` is decided where the skill is listed, so the entry must say it. */
function entryFor(name: string, reading: SkillReading): NewEntry {
  const { enabled } = readSunwell(reading).metadata;
  return { name, type: 'local', path: `./skills/${name}`, ...(enabled ? { enabled: given(enabled) } : {}) };
}

function withEntry(text: string, lens: FileId, entry: NewEntry): string {
  const edited = addSkill(openYaml(text, lens).source, entry);
  if (edited.ok) return edited.source.text;
  throw new StudioError('file.unknown-kind', `Cannot add a skill to "${lens}": ${edited.message}`, {
    file: lens,
  });
}
