import type { FoundProblem, SkillList, SkillScope } from '#shared/model/agent-skills.ts';

/** One line of the list of skills. */
export interface SkillRow {
  readonly file: string;
  readonly name: string;
  readonly description: string;
  /** The folder that an agent reads it from, such as `.claude`. */
  readonly place: string;
  readonly state: 'used' | 'shadowed' | 'skipped';
  readonly problems: readonly FoundProblem[];
}

export interface SkillGroup {
  readonly scope: SkillScope;
  readonly title: string;
  readonly rows: readonly SkillRow[];
}

const titles = { project: 'Workspace', user: 'Your home', configured: 'Other folders' } as const;

/** The skills by scope, those that cannot be loaded and those that are hidden among them; the filter looks at names and descriptions. */
export function skillGroups(list: SkillList, filter: string): SkillGroup[] {
  const rows: (SkillRow & { scope: SkillScope })[] = [
    ...list.skills.map((skill) => ({ ...skill, state: 'used' as const, place: placeOf(skill.file) })),
    ...list.shadowed.map((skill) => ({
      ...skill,
      ...{ state: 'shadowed' as const, place: placeOf(skill.file), problems: [] },
      description: `Hidden by ${skill.by}`,
    })),
    ...list.skipped.map((skill) => ({
      ...skill,
      ...{ name: folderOf(skill.file), state: 'skipped' as const, place: placeOf(skill.file) },
      description: skill.problems[0]?.message ?? '',
    })),
  ];
  const wanted = filter.trim().toLowerCase();
  const isWanted = ({ name, description }: SkillRow): boolean =>
    name.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted);
  return (['project', 'user', 'configured'] as const)
    .map((scope) => ({
      scope,
      title: titles[scope],
      rows: rows
        .filter((row) => row.scope === scope && isWanted(row))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    }))
    .filter((group) => group.rows.length > 0);
}

/** The name of the folder that holds a SKILL.md. */
export function folderOf(file: string): string {
  return file.split('/').at(-2) ?? file;
}

function placeOf(file: string): string {
  const parts = file.split('/');
  const first = parts[0] === '~' ? parts[1] : parts[0];
  return first === '' || first === undefined ? (parts.at(-3) ?? '') : first;
}
