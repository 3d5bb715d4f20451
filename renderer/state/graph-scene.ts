import type { LensDocument } from '#shared/model/lens-document.ts';
import type { DrawnSkill, GraphDrawing } from './graph-drawing.ts';
import type { SceneItem } from './graph-item.ts';
import { sourceItems, sourceKey } from './graph-sources.ts';
import { fileName, sourceOf } from './skill-source.ts';

export type GraphLayer = 'skills' | 'expertise';

export interface SceneColumn {
  /** Stays the same while the column means the same. */
  readonly id: string;
  readonly title: string;
  /** Skills in it, whether drawn one by one or as groups. */
  readonly skills: readonly DrawnSkill[];
  readonly estimatedMs: number | undefined;
}

/** What the canvas shows: boxes in columns and the edges between them, by index. */
export interface GraphScene {
  readonly items: readonly SceneItem[];
  readonly indexOf: ReadonlyMap<string, number>;
  readonly columns: readonly SceneColumn[];
  /** The item that stands for a skill: itself or its group; skills that are not shown have none. */
  readonly itemOf: ReadonlyMap<string, number>;
  /** Dependencies of item `i`: `dependencies[dependencyStart[i] .. dependencyStart[i + 1])`. */
  readonly dependencyStart: Int32Array;
  readonly dependencies: Int32Array;
  /** Whether every skill is in it, so that its order is worth remembering. */
  readonly isWhole: boolean;
}

export interface SceneOptions {
  readonly file: string;
  readonly lens: LensDocument | null | undefined;
  readonly layer: GraphLayer;
  /** Libraries drawn as one box per wave. */
  readonly collapsed: ReadonlySet<string>;
  /** The only skills to show; undefined means all. */
  readonly only: ReadonlySet<string> | undefined;
}

/** Chooses what of a drawing is shown, and as what. Waves without anything to show are left out. */
export function buildScene(drawing: GraphDrawing, options: SceneOptions): GraphScene {
  const { file, collapsed, only } = options;
  const shown = only ? drawing.skills.filter(({ key }) => only.has(key)) : drawing.skills;
  const sources = options.layer === 'expertise' ? sourceItems(shown, options) : { items: [], columns: [] };
  const columns: SceneColumn[] = sources.columns.map((column) => ({ ...column, skills: [] }));
  const items: SceneItem[] = [...sources.items];
  const dependencyKeys: (readonly string[])[] = sources.items.map(({ dependsOn }) => dependsOn);
  const itemOf = new Map<string, number>();
  const isEntry = ({ skill, dependsOn }: DrawnSkill): boolean =>
    !dependsOn.some((key) => drawing.byKey.get(key)?.skill.origin.file === skill.origin.file);
  /** A file leads to those of its skills that no other of its skills leads to. */
  const dependenciesOf = (drawn: DrawnSkill): readonly string[] =>
    options.layer === 'expertise' && isEntry(drawn)
      ? [...drawn.dependsOn, sourceKey(drawn.skill.origin.file)]
      : drawn.dependsOn;
  drawing.waves.forEach(({ title, estimatedMs }, wave) => {
    const skills = shown.filter(({ column }) => column === wave);
    if (skills.length === 0) return;
    const column = columns.push({ id: title, title, skills, estimatedMs }) - 1;
    const groups = new Map<string, DrawnSkill[]>();
    for (const drawn of skills) {
      const library = libraryOf(drawn, file).id;
      if (collapsed.has(library)) {
        const members = groups.get(library);
        if (members) members.push(drawn);
        else groups.set(library, [drawn]);
        continue;
      }
      itemOf.set(drawn.key, items.length);
      dependencyKeys.push(dependenciesOf(drawn));
      items.push({ key: drawn.key, title: drawn.key, column, subject: { kind: 'skill', drawn } });
    }
    for (const [library, members] of groups) {
      for (const { key } of members) itemOf.set(key, items.length);
      dependencyKeys.push(members.flatMap(dependenciesOf));
      const { title: name } = libraryOf(members[0]!, file);
      items.push({
        ...{ key: `${library}\n${title}`, title: name, column },
        subject: { kind: 'group', library, members },
      });
    }
  });
  const indexOf = new Map(items.map(({ key }, i) => [key, i]));
  const dependencyStart = new Int32Array(items.length + 1);
  const dependencies: number[] = [];
  dependencyKeys.forEach((keys, i) => {
    const own = new Set(keys.flatMap((key) => itemOf.get(key) ?? indexOf.get(key) ?? []));
    // What depends on its own group stands inside it; only a skill that waits for itself has an edge to itself.
    if (items[i]!.subject.kind === 'group') own.delete(i);
    dependencies.push(...own);
    dependencyStart[i + 1] = dependencies.length;
  });
  return {
    ...{ items, indexOf, columns, itemOf, dependencyStart, dependencies: Int32Array.from(dependencies) },
    isWhole: only === undefined,
  };
}

/** The library a skill belongs to: a file, or for what comes from outside its source. */
export function libraryOf({ skill }: DrawnSkill, file: string): { id: string; title: string } {
  const source = sourceOf(skill, file);
  switch (source?.kind) {
    case 'builtin':
      return { id: 'sunwell/common', title: 'sunwell/common' };
    case 'agent-skill':
      return { id: 'agent-skills', title: 'Agent Skills' };
    case 'fount':
      return { id: source.text, title: source.text };
    default:
      return { id: skill.origin.file, title: fileName(skill.origin.file) };
  }
}

/** The libraries that the drawing's skills come from, with how many each has; the largest first. */
export function librariesOf(
  drawing: GraphDrawing,
  file: string,
): { id: string; title: string; count: number }[] {
  const found = new Map<string, { id: string; title: string; count: number }>();
  for (const drawn of drawing.skills) {
    const library = libraryOf(drawn, file);
    const known = found.get(library.id);
    if (known) known.count++;
    else found.set(library.id, { ...library, count: 1 });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || (a.title < b.title ? -1 : 1));
}
