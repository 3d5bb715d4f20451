import { isSeq } from 'yaml';
import type { Skill } from '../../model/skill.ts';
import { lensPath, addToList } from '../edit/lens-edits.ts';
import { findPlace } from '../edit/place.ts';
import { removeAt } from '../edit/remove.ts';
import { setValue } from '../edit/set.ts';
import { lineBreakOf, lineEnd, lineStart } from '../edit/text-lines.ts';
import { relativePath, resolvePath } from '../language/file-paths.ts';
import { lookupSkillName } from '../names.ts';
import type { YamlSource } from '../yaml/source.ts';
import { isRefused, referenceIn } from './context.ts';
import type { GraphContext } from './context.ts';
import { WorkingText, refuseEdit } from './graph-edit.ts';
import type { GraphEdit, RefusedEdit } from './graph-edit.ts';
import { entryNamed } from './skill-file.ts';

/** What a new library begins with. */
export const emptyLibrary = 'skills: []\n';

/** The skills to move and the library to move them to, with its text as it is now. */
export interface Extraction {
  readonly names: readonly string[];
  readonly library: string;
  readonly libraryText: string;
}

/**
 * Moves skills of a lens into a library and includes them from there, comments and layout kept; one step of undo over
 * both files. A skill cannot go without the skills of the lens that it waits for: a library does not know them.
 */
export function extractSkills(context: GraphContext, { names, library, libraryText }: Extraction): GraphEdit {
  const own = context.textOf(context.file);
  if (own === undefined) return refuseEdit(`Cannot read "${context.file}"`);
  const lens = new WorkingText(context.file, own);
  const target = new WorkingText(library, libraryText);
  for (const name of names) {
    const refused = moveOne(context, { lens, target, names, name });
    if (refused) return refused;
  }
  const { lens: read } = lens.current;
  const path = relativePath(context.file, library);
  const isIncluded = read?.includes.some((include) => include.file === path && !include.names);
  if (!isIncluded) {
    const list = [...lensPath(lens.current.source), 'skills'];
    const include = { include: `${path}::${names.join(', ')}` };
    const refused = lens.make(addToList(lens.current.source, list, include));
    if (refused) return refused;
  }
  return {
    ...{ ok: true, label: `Move ${names.join(', ')} to ${library}` },
    edits: [...target.edits, ...lens.edits],
  };
}

interface Move {
  readonly lens: WorkingText;
  readonly target: WorkingText;
  readonly names: readonly string[];
  readonly name: string;
}

function moveOne(context: GraphContext, { lens, target, names, name }: Move): RefusedEdit | undefined {
  const entry = entryNamed(lens.current, name);
  if (!entry) return refuseEdit(`Cannot move "${name}": "${lens.file}" does not define it`);
  if (entryNamed(target.current, name))
    return refuseEdit(`Cannot move "${name}": "${target.file}" has a skill of this name`);
  const references = rebasedDependencies(context, entry, { names, library: target.file });
  if (isRefused(references)) return references;
  const text = itemText(lens.current.source, entry);
  if (isRefused(text)) return text;
  const refused = appendItem(target, text.lines) ?? rebase(target, entry, lens.file, references);
  return refused ?? lens.make(removeAt(lens.current.source, entry.path));
}

/** What the skill's `depends_on` must say in the library. */
function rebasedDependencies(
  context: GraphContext,
  entry: Skill,
  { names, library }: { names: readonly string[]; library: string },
): string[] | RefusedEdit {
  const moved = new Set(names.map(lookupSkillName));
  const skill = Object.values(context.graph.skills).find(
    ({ name, origin }) => name === entry.name && origin.file === context.file,
  );
  const byId = new Map(Object.values(context.graph.skills).map((other) => [other.id, other]));
  const references: string[] = [];
  for (const { text, reference } of entry.dependsOn ?? []) {
    const wanted = lookupSkillName(reference?.name ?? text);
    if (!reference?.library && moved.has(wanted)) {
      references.push(text);
      continue;
    }
    const id = skill?.dependsOn.find(({ skillName }) => lookupSkillName(skillName) === wanted)?.source;
    const found = id === undefined ? undefined : byId.get(id);
    const written = found && referenceIn({ ...context, file: library }, library, found);
    if (written === undefined)
      return refuseEdit(
        `Cannot move "${entry.name}" without "${text}", for which it waits: move both`,
        entry.at,
      );
    references.push(written);
  }
  return references;
}

/** The lines of a skill as they stand in the lens, from its dash on. */
function itemText(source: YamlSource, entry: Skill): { lines: string[] } | RefusedEdit {
  const place = findPlace(source, entry.path.slice(0, -1));
  if (!place.ok) return refuseEdit(place.message);
  const slot = place.slots[entry.path.at(-1) as number];
  if (place.isFlow || !slot)
    return refuseEdit(`Cannot move "${entry.name}": write the list of skills with a dash for each first`);
  const start = lineStart(source.text, slot.start);
  const lines = source.text.slice(start, lineEnd(source.text, slot.end)).split(/\r?\n/);
  return { lines: lines.map((line) => line.slice(Math.min(place.indent, line.search(/\S|$/)))) };
}

/** Writes the lines as the last item of the library's skills. */
function appendItem(target: WorkingText, lines: readonly string[]): RefusedEdit | undefined {
  const { source } = target.current;
  if (source.isBroken) return refuseEdit(`Cannot write to "${target.file}": correct its syntax first`);
  const list = source.find(['skills']);
  const eol = lineBreakOf(source.text);
  const block = (indent: number): string =>
    lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join(eol);
  if (isSeq(list) && list.items.length > 0) {
    const place = findPlace(source, ['skills']);
    if (!place.ok) return refuseEdit(place.message);
    if (place.isFlow) return refuseEdit(`Cannot add to "${target.file}": its skills stand in brackets`);
    const end = lineEnd(source.text, place.slots.at(-1)!.end);
    target.replace(`${source.text.slice(0, end)}${eol}${eol}${block(place.indent)}${source.text.slice(end)}`);
    return undefined;
  }
  if (isSeq(list)) {
    const [start, end] = list.range;
    const before = source.text.slice(0, start).replace(/[ \t]+$/, '');
    target.replace(`${before}${eol}${block(2)}${source.text.slice(end)}`);
    return undefined;
  }
  const gap = source.text === '' || source.text.endsWith('\n') ? '' : eol;
  target.replace(`${source.text}${gap}skills:${eol}${block(2)}${eol}`);
  return undefined;
}

/** Lets relative paths of the moved skill lead from its new file to where they led before. */
function rebase(
  target: WorkingText,
  { name, dependsOn = [], scripts = [], resources = [], folder, source }: Skill,
  from: string,
  references: readonly string[],
): RefusedEdit | undefined {
  const moved = entryNamed(target.current, name);
  if (!moved)
    return refuseEdit(`Cannot move "${name}": the library would not read it; edit the text instead`);
  const again = (path: string): string => {
    const at = resolvePath(from, path);
    return at === undefined ? path : relativePath(target.file, at);
  };
  const changes: [path: readonly (string | number)[], value: string][] = [];
  scripts.forEach(({ file }, i) => {
    if (file !== undefined) changes.push([['scripts', i, 'path'], again(file)]);
  });
  resources.forEach(({ file }, i) => {
    if (file !== undefined) changes.push([['resources', i, 'path'], again(file)]);
  });
  if (folder !== undefined) changes.push([['path'], again(folder)]);
  const library = source?.reference?.library ?? source?.library;
  if (source && library?.kind === 'path')
    changes.push([['source'], source.text.replace(library.path, () => again(library.path))]);
  for (const [path, value] of changes) {
    const refused = target.make(setValue(target.current.source, [...moved.path, ...path], value));
    if (refused) return refused;
  }
  if (references.every((reference, i) => reference === dependsOn[i]!.text)) return undefined;
  return target.make(setValue(target.current.source, [...moved.path, 'depends_on'], references));
}
