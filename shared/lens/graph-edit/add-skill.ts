import { addSkill } from '../edit/lens-edits.ts';
import type { NewEntry } from '../edit/lens-edits.ts';
import { applyEdits, lineBreakOf } from '../edit/text-lines.ts';
import type { Skill } from '../../model/skill.ts';
import { inheritedDependencies, waitFor } from './connect.ts';
import { homeOf, isRefused } from './context.ts';
import type { GraphContext } from './context.ts';
import { WorkingText, refuseEdit } from './graph-edit.ts';
import type { GraphEdit } from './graph-edit.ts';
import { entryNamed } from './skill-file.ts';
import type { SkillFile } from './skill-file.ts';

/** Adds skills at the end of a lens or library, each apart from the one before as the others are. */
export function addSkills(file: string, before: string, entries: readonly NewEntry[]): GraphEdit {
  const text = new WorkingText(file, before);
  const isSpaced = areSpaced(text.current);
  for (const entry of entries) {
    const name = String(entry['name']);
    if (entryNamed(text.current, name)) return refuseEdit(`Cannot add "${name}": it is already in "${file}"`);
    const refused = text.make(addSkill(text.current.source, entry));
    if (refused) return refused;
    const added = entryNamed(text.current, name);
    if (added && isSpaced && text.current.skills.length > 1)
      text.replace(withBlankLine(text.current.source.text, added));
  }
  const names = entries.map((entry) => String(entry['name'])).join(', ');
  return { ok: true, label: `Add ${names}`, edits: text.edits };
}

/** Adds a skill to the open file and lets others of it wait for the new one: one step of undo. */
export function addNeededSkill(
  context: GraphContext,
  entry: NewEntry,
  neededBy: readonly string[],
): GraphEdit {
  const before = context.textOf(context.file);
  if (before === undefined) return refuseEdit(`Cannot read "${context.file}"`);
  const added = addSkills(context.file, before, [entry]);
  if (!added.ok) return added;
  const text = new WorkingText(context.file, before);
  text.replace(applyEdits(before, added.edits));
  for (const key of neededBy) {
    const home = homeOf(context, key);
    if (isRefused(home)) return home;
    if (home.file !== context.file)
      return refuseEdit(
        `Cannot let "${key}" wait for a skill of this file: it is written in "${home.file}"`,
        home.entry.at,
      );
    const inherited = inheritedDependencies(context, key, home);
    if (isRefused(inherited)) return inherited;
    const waiting = entryNamed(text.current, home.entry.name);
    const refused = waiting && waitFor(text, waiting.path, inherited, String(entry['name']));
    if (refused) return refused;
  }
  return { ok: true, label: added.label, edits: text.edits };
}

/** Whether blank lines stand between the skills; a list of fewer than two gives no example, and blank lines read better. */
function areSpaced({ skills, source }: SkillFile): boolean {
  const [first, second] = skills;
  if (!first || !second) return true;
  const lines = source.text.split('\n');
  return lines.slice(first.at.line, second.at.line - 1).some((line) => line.trim() === '');
}

function withBlankLine(text: string, { at }: Skill): string {
  const lines = text.split('\n');
  const isFlow = !/^\s*-/.test(lines[at.line - 1] ?? '');
  const hasOne = (lines[at.line - 2] ?? '').trim() === '';
  if (isFlow || hasOne) return text;
  lines.splice(at.line - 1, 0, lineBreakOf(text) === '\r\n' ? '\r' : '');
  return lines.join('\n');
}
