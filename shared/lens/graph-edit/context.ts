import type { ResolvedGraph, ResolvedGraphSkill } from '../../model/graph-document.ts';
import type { Skill } from '../../model/skill.ts';
import type { SkillReference } from '../reference.ts';
import { refuseEdit } from './graph-edit.ts';
import type { RefusedEdit } from './graph-edit.ts';
import { libraryText, refersTo } from './reference-text.ts';
import { entryNamed, isLensFile, openSkillFile } from './skill-file.ts';
import type { SkillFile } from './skill-file.ts';

/** What edits of a graph start from: the open file, what it resolves to, and the texts of the workspace as they are now. */
export interface GraphContext {
  readonly file: string;
  readonly graph: ResolvedGraph;
  /** Undefined for a file that is not of the workspace, and so not the user's to change. */
  readonly textOf: (file: string) => string | undefined;
}

/** The entry that an edit of a skill changes. */
export interface SkillHome {
  readonly ok: true;
  readonly file: string;
  readonly text: string;
  readonly opened: SkillFile;
  readonly entry: Skill;
}

/** The skill of a record key; a key that is gone is a refusal, because the graph on the screen is older than the text. */
export function skillAt({ graph }: GraphContext, key: string): ResolvedGraphSkill | RefusedEdit {
  const skill = Object.hasOwn(graph.skills, key) ? graph.skills[key] : undefined;
  return skill ?? refuseEdit(`Cannot find skill "${key}": it is not in this graph any more`);
}

export function isRefused(value: object): value is RefusedEdit {
  return 'ok' in value && value.ok === false;
}

/** The entry of the open file that stands for a skill, else the one in the file that the skill comes from. */
export function homeOf(context: GraphContext, key: string): SkillHome | RefusedEdit {
  const skill = skillAt(context, key);
  if (isRefused(skill)) return skill;
  for (const file of new Set([context.file, skill.origin.file])) {
    const text = context.textOf(file);
    if (text === undefined) continue;
    const opened = openSkillFile(file, text);
    if (opened.source.isBroken) {
      return refuseEdit(`Cannot change "${key}": correct the syntax of "${file}" first`, {
        ...{ file, line: 1, column: 1, endLine: 1, endColumn: 1 },
      });
    }
    const entry = entryNamed(opened, skill.name);
    if (entry && (skill.origin.file === file || means(entry, file, skill)))
      return { ok: true, file, text, opened, entry };
  }
  const from = libraryText(skill, context.file) ?? skill.origin.file;
  return refuseEdit(
    `Cannot change "${key}": it comes from "${from}", which is not yours to write; copy it into this lens first`,
  );
}

/** How a file names a skill; undefined where it has no name there, as a lens's own skills have none in a library. */
export function referenceIn(
  context: GraphContext,
  file: string,
  skill: ResolvedGraphSkill,
): string | undefined {
  if (skill.origin.file === file) return skill.name;
  const text = context.textOf(file);
  const opened = text === undefined ? undefined : openSkillFile(file, text);
  const entry = opened && entryNamed(opened, skill.name);
  if (entry && means(entry, file, skill)) return skill.name;
  const isInherited = file === context.file && isLensFile(file) && isLensFile(skill.origin.file);
  if (isInherited && !entry) return skill.name;
  const library = libraryText(skill, file);
  return library === undefined ? undefined : `${library}:${skill.name}`;
}

/** Whether an entry of a file only stands for a skill of elsewhere. */
function means(entry: Skill, file: string, skill: ResolvedGraphSkill): boolean {
  const { source, name } = entry;
  if (!source) return false;
  const reference: SkillReference | undefined =
    source.reference ?? (source.library && { name, library: source.library });
  return reference !== undefined && refersTo(reference, file, skill);
}
