import type { Location } from '#shared/model/diagnostic.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { Dependency, Skill } from '#shared/model/skill.ts';
import { definitionDigest, keepDigest } from './definition-record.ts';
import type { ResolvedSkill } from './nodes.ts';
import type { SourceFile } from './place.ts';

/*
 * Three quarters of a resolved skill say where things are written, and nobody asks for most of that: packed, a place is
 * four numbers in the file of its skill, and a path that follows from the list it is in is left out.
 */

type Numbers = readonly [line: number, column: number, endLine: number, endColumn: number];
type PackedItem = Record<string, unknown> & { at?: Numbers | Location; path?: unknown };

/** A resolved skill as it is kept on disk. */
export interface PackedSkill {
  readonly node: Omit<ResolvedSkill, 'skill' | 'source' | 'origin' | 'dependsOn'>;
  readonly skill: PackedItem;
  readonly source: number;
  /** Of its definition: a graph in which one skill changed is not hashed as a whole. */
  readonly digest: Digest;
  /** Left out where it is the place of the skill. */
  readonly origin?: Location;
  readonly dependsOn: readonly (readonly [id: string, isLocal: boolean, dependency: number | Dependency])[];
}

interface Placed {
  readonly at: Location;
  readonly path: readonly (string | number)[];
}

const lists = {
  scripts: 'scripts',
  templates: 'templates',
  resources: 'resources',
  dependsOn: 'depends_on',
  produces: 'produces',
  requires: 'requires',
} as const;
type List = keyof typeof lists;
const listNames = Object.keys(lists) as List[];

export function packSkill(resolved: ResolvedSkill, source: number): PackedSkill {
  const { skill, source: _source, origin, dependsOn, ...node } = resolved;
  return {
    node,
    skill: packDefinition(skill),
    source,
    digest: definitionDigest(resolved),
    ...(isSamePlace(origin, skill.at) ? {} : { origin }),
    dependsOn: dependsOn.map(({ id, isLocal, dependency }) => {
      const index = skill.dependsOn?.indexOf(dependency) ?? -1;
      return [id, isLocal, index < 0 ? dependency : index];
    }),
  };
}

export function unpackSkill(packed: PackedSkill, sources: readonly SourceFile[]): ResolvedSkill {
  const skill = unpackDefinition(packed.skill);
  // Into what was just parsed: to copy a thousand of them takes longer than to fill them in.
  const node: ResolvedSkill = Object.assign(packed.node, {
    skill,
    source: sources[packed.source]!,
    origin: packed.origin ?? skill.at,
    dependsOn: packed.dependsOn.map(([id, isLocal, dependency]) => ({
      id,
      isLocal,
      dependency: typeof dependency === 'number' ? skill.dependsOn![dependency]! : dependency,
    })),
  });
  keepDigest(node, packed.digest);
  return node;
}

function packDefinition(skill: Skill): PackedItem {
  const { file } = skill.at;
  const packed: PackedItem = { ...skill };
  for (const name of listNames) {
    packed[name] &&= (skill[name] as readonly Placed[]).map((item, i) =>
      packItem(item, file, isListPath(item.path, skill.path, lists[name], i)),
    );
  }
  return packed;
}

function packItem(item: Placed, file: string, isDerived: boolean): PackedItem {
  const { at, path, ...rest } = item;
  const { line, column, endLine, endColumn } = at;
  return {
    ...rest,
    at: at.file === file ? [line, column, endLine, endColumn] : at,
    ...(isDerived ? {} : { path }),
  };
}

function unpackDefinition(packed: PackedItem): Skill {
  const skill = packed as unknown as Skill;
  const { file } = skill.at;
  for (const name of listNames) {
    const items = packed[name] as PackedItem[] | undefined;
    for (let i = 0; i < (items?.length ?? 0); i++) {
      const item = items![i]!;
      if (Array.isArray(item.at)) {
        const [line, column, endLine, endColumn] = item.at as Numbers;
        item.at = { file, line, column, endLine, endColumn };
      }
      item.path ??= [...skill.path, lists[name], i];
    }
  }
  return skill;
}

function isListPath(
  path: readonly (string | number)[],
  above: readonly (string | number)[],
  list: string,
  index: number,
): boolean {
  const { length } = above;
  if (path.length !== length + 2 || path[length] !== list || path[length + 1] !== index) return false;
  return above.every((part, i) => part === path[i]);
}

function isSamePlace(a: Location, b: Location): boolean {
  return (
    a.file === b.file &&
    a.line === b.line &&
    a.column === b.column &&
    a.endLine === b.endLine &&
    a.endColumn === b.endColumn
  );
}
