import type { LensDocument } from '#shared/model/lens-document.ts';
import type { DrawnSkill } from './graph-drawing.ts';
import type { SceneItem } from './graph-item.ts';
import { fileName } from './skill-source.ts';

interface SourceItem extends SceneItem {
  readonly dependsOn: readonly string[];
}

interface SourceColumn {
  readonly id: string;
  readonly title: string;
  readonly estimatedMs: undefined;
}

/** The key of a file among the things drawn. */
export function sourceKey(file: string): string {
  return `file\n${file}`;
}

/**
 * Lenses and libraries that skills and rules come from, in columns before the first wave: what the lens extends, the
 * farthest first, then the lens itself beside what it composes and uses.
 */
export function sourceItems(
  skills: readonly DrawnSkill[],
  { file, lens }: { file: string; lens: LensDocument | null | undefined },
): { items: SourceItem[]; columns: SourceColumn[] } {
  const counts = new Map<string, number>([[file, 0]]);
  for (const { skill } of skills) counts.set(skill.origin.file, (counts.get(skill.origin.file) ?? 0) + 1);
  const extended = lens?.extends ?? [];
  const composed = lensFilesOf(lens).filter((other) => other !== file && !extended.includes(other));
  const uses = [...counts.keys()].filter(
    (other) => other !== file && !extended.includes(other) && !composed.includes(other),
  );
  const item = (of: string, column: number, relation: string, dependsOn: readonly string[]): SourceItem => ({
    ...{ key: sourceKey(of), title: fileName(of), column, dependsOn: dependsOn.map(sourceKey) },
    subject: {
      ...{ kind: 'source', file: of, relation, skillCount: counts.get(of) ?? 0 },
      isLens: of === file ? lens !== null : !uses.includes(of),
    },
  });
  const bases = extended.map((base, i) =>
    item(
      base,
      extended.length - 1 - i,
      i === 0 ? 'extended' : 'extended further up',
      extended.slice(i + 1, i + 2),
    ),
  );
  const others = [
    ...composed.map((other) => item(other, 0, 'composed', [])),
    ...uses.map((other) => item(other, 0, 'used', [])),
  ];
  const inputs = Math.max(extended.length, others.length > 0 ? 1 : 0);
  const nearest = inputs - 1;
  const own = item(file, inputs, 'open here', [...extended.slice(0, 1), ...composed, ...uses]);
  const column = (id: string, title: string): SourceColumn => ({ id, title, estimatedMs: undefined });
  return {
    items: [...bases, ...others.map((other) => ({ ...other, column: nearest })), own],
    columns: [
      ...Array.from({ length: inputs }, (_, i) => column(`sources ${inputs - i}`, 'Builds on')),
      column('lens', lens === null ? 'Library' : 'Lens'),
    ],
  };
}

/** Files that rules of the lens come from. */
function lensFilesOf(lens: LensDocument | null | undefined): string[] {
  if (!lens) return [];
  const { heuristics, antiHeuristics, personas, validators, workflows, inputs } = lens;
  const all = [heuristics, antiHeuristics, personas, validators.deterministic, validators.heuristic];
  return [...new Set([...all, workflows, inputs].flat().map(({ origin }) => origin.file))];
}
