import { sandboxPaths } from '#shared/model/sandbox-paths.ts';
import { isPlainMap } from '#shared/plain-map.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';

/** The values of `${…}` for one skill: the fixed ones first, then what it requires and its parameters. Paths are those inside the sandbox. */
export function variablesOf(
  { name, skill, source }: ResolvedSkill,
  values: Readonly<Record<string, unknown>>,
  now: Date,
): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  const declared = [
    ...(skill.requires ?? []).map(({ key }) => key),
    ...parameterNames(skill.parametersSchema),
  ];
  for (const key of declared) {
    if (Object.hasOwn(values, key)) variables.set(key, textOf(values[key]));
  }
  const folder = source.place.label === '' ? source.file.split('/').slice(0, -1) : [];
  const fixed = {
    WORKSPACE_ROOT: sandboxPaths.workspace,
    LENS_DIR: [sandboxPaths.workspace, ...folder].join('/'),
    TEMP_DIR: sandboxPaths.tmp,
    DATE: now.toISOString().slice(0, 10),
    TIMESTAMP: now.toISOString(),
    Name: name.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    name,
    NAME: name.toUpperCase().replaceAll('-', '_'),
  };
  for (const [key, value] of Object.entries(fixed)) variables.set(key, value);
  return variables;
}

/** The names of the parameters that a JSON Schema describes. */
export function parameterNames(schema: unknown): string[] {
  const properties = isPlainMap(schema) ? schema['properties'] : undefined;
  return isPlainMap(properties) ? Object.keys(properties) : [];
}

/** The names of the parameters that must be given. */
export function requiredParameters(schema: unknown): string[] {
  const required = isPlainMap(schema) ? schema['required'] : undefined;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
