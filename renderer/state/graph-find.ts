import type { Location } from '#shared/model/diagnostic.ts';
import type { DrawnSkill, GraphDrawing } from './graph-drawing.ts';

/** A skill that answers the query, and the first part of it that does. */
export interface FoundSkill {
  readonly key: string;
  readonly where: 'name' | 'description' | 'key' | 'script' | 'text';
}

/** Texts of the files that skills come from, as far as they are known. */
export type KnownTexts = ReadonlyMap<string, string>;

type Haystack = readonly (readonly [where: FoundSkill['where'], text: string])[];

/** Prepares a drawing for finding: what can be found of a skill, in the order of what matters more. */
export function findable(drawing: GraphDrawing, texts: KnownTexts): (query: string) => FoundSkill[] {
  const lines = new Map([...texts].map(([file, text]) => [file, text.split('\n')]));
  const haystacks = drawing.skills.map(({ key, skill }): { key: string; parts: Haystack } => ({
    key,
    parts: [
      ['name', key.toLowerCase()],
      ['description', (skill.description ?? '').toLowerCase()],
      ['key', [...skill.requires, ...skill.produces].join('\n').toLowerCase()],
      [
        'script',
        skill.scripts
          .map(({ name }) => name)
          .join('\n')
          .toLowerCase(),
      ],
      ['text', textAt(skill.origin, lines.get(skill.origin.file)).toLowerCase()],
    ],
  }));
  return (query) => {
    const wanted = query.trim().toLowerCase();
    if (wanted === '') return [];
    return haystacks.flatMap(({ key, parts }) => {
      const part = parts.find(([, text]) => text.includes(wanted));
      return part ? [{ key, where: part[0] }] : [];
    });
  };
}

/** The place in a skill's text that makes it depend on another; the skill's own start where the text does not say. */
export function declarationOf(text: string, to: DrawnSkill, from: DrawnSkill): Location {
  const { origin } = to.skill;
  const lines = text.split('\n');
  const end = Math.min(lines.length, origin.endLine);
  const list = lines.findIndex(
    (line, i) => i >= origin.line - 1 && i < end && /^\s*(- )?["']?depends_on["']?\s*:/.test(line),
  );
  const name = from.skill.name;
  for (let i = list; list >= 0 && i < end; i++) {
    const column = lines[i]!.search(new RegExp(`(?<![\\w-])${escapeRegExp(name)}(?![\\w-])`));
    if (column < 0) continue;
    const line = i + 1;
    return {
      ...{ file: origin.file, line, column: column + 1 },
      ...{ endLine: line, endColumn: column + 1 + name.length },
    };
  }
  return { ...origin, endLine: origin.line, endColumn: origin.column };
}

function textAt(origin: Location, lines: readonly string[] | undefined): string {
  return lines?.slice(origin.line - 1, origin.endLine).join('\n') ?? '';
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
