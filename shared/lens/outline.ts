import { isMap, isScalar, isSeq } from 'yaml';
import type { YAMLMap } from 'yaml';
import { openYaml } from './yaml/open.ts';
import type { OpenedYaml } from './yaml/open.ts';

export interface SkillOutline {
  readonly name: string;
  readonly description: string | undefined;
  readonly dependsOn: readonly string[];
  /** The Agent Skill folder that it is, from the file, where it is one. */
  readonly localPath: string | undefined;
}

/** What the explorer and the canvas need of a lens or library, whatever else its text holds. */
export interface Outline {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly domain: string | undefined;
  readonly tags: readonly string[];
  readonly description: string | undefined;
  readonly extends: string | undefined;
  readonly skills: readonly SkillOutline[];
  readonly hasSkillsKey: boolean;
  readonly problem: string | undefined;
}

/** Reads the outline of a lens or library; never throws, a text that cannot be read gives an empty outline with a problem. */
export function readOutline(text: string): Outline {
  return outlineOf(openYaml(text, ''));
}

/** The outline of a text that nobody has read further yet: readers add problems of their own. */
export function outlineOf({ source: { root: top }, problems }: OpenedYaml): Outline {
  const wrapped = isMap(top) ? top.get('lens') : undefined;
  const root = isMap(wrapped) ? wrapped : isMap(top) ? top : undefined;
  const metadata = root?.get('metadata');
  const fields = isMap(metadata) ? metadata : undefined;
  const skills = root?.get('skills');
  const error = problems.diagnostics.find(({ severity }) => severity === 'error');
  return {
    name: textAt(fields, 'name'),
    version: textAt(fields, 'version'),
    domain: textAt(fields, 'domain'),
    tags: textsAt(fields, 'tags'),
    description: textAt(fields, 'description'),
    extends: textAt(root, 'extends'),
    skills: isSeq(skills) ? skills.items.flatMap((item) => (isMap(item) ? skillOutline(item) : [])) : [],
    hasSkillsKey: root?.has('skills') ?? false,
    problem: error ? error.message : root ? undefined : 'The file is not a YAML map',
  };
}

function skillOutline(item: YAMLMap): SkillOutline[] {
  const name = textAt(item, 'name');
  if (name === undefined) return [];
  return [
    {
      name,
      description: textAt(item, 'description'),
      dependsOn: dependencyNames(item.get('depends_on')),
      localPath: item.get('type') === 'local' ? textAt(item, 'path') : undefined,
    },
  ];
}

function dependencyNames(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!isSeq(value)) return [];
  return value.items.flatMap((item) => {
    const name = isMap(item) ? textAt(item, 'source') : isScalar(item) ? item.value : undefined;
    return typeof name === 'string' ? [name] : [];
  });
}

function textsAt(map: YAMLMap | undefined, key: string): string[] {
  const value = map?.get(key);
  if (!isSeq(value)) return [];
  return value.items.flatMap((item) =>
    isScalar(item) && (typeof item.value === 'string' || typeof item.value === 'number')
      ? [String(item.value)]
      : [],
  );
}

function textAt(map: YAMLMap | undefined, key: string): string | undefined {
  const value = map?.get(key);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
