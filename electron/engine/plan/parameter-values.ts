import { compareText } from '#shared/graph/compare-text.ts';
import { isPlainMap } from '#shared/plain-map.ts';
import { parameterNames } from '../fingerprint/variables.ts';

type Values = Readonly<Record<string, unknown>>;

/** A value that the schema of a skill does not allow for one of its parameters, with those that it does. */
export interface RefusedParameter {
  readonly name: string;
  readonly value: unknown;
  readonly allowed: readonly unknown[];
}

/**
 * The parameters that a skill declares, each as it was given or as the schema has it by default; it gets no others, for
 * its key would not cover them. In the order of their names, because fingerprints know no other.
 */
export function parameterValues(schema: unknown, given: Values): Record<string, unknown> {
  return Object.fromEntries(
    parameterNames(schema)
      .sort(compareText)
      .flatMap((name): [string, unknown][] => {
        const property = propertyOf(schema, name);
        if (Object.hasOwn(given, name)) return [[name, asType(property['type'], given[name])]];
        return Object.hasOwn(property, 'default') ? [[name, property['default']]] : [];
      }),
  );
}

/** Given values of parameters with an "enum" that are none of it. */
export function refusedParameters(schema: unknown, given: Values): RefusedParameter[] {
  return Object.entries(parameterValues(schema, given)).flatMap(([name, value]) => {
    const allowed = propertyOf(schema, name)['enum'];
    if (!Object.hasOwn(given, name) || !Array.isArray(allowed)) return [];
    const text = JSON.stringify(value);
    return allowed.some((other) => JSON.stringify(other) === text) ? [] : [{ name, value, allowed }];
  });
}

function propertyOf(schema: unknown, name: string): Values {
  const properties = isPlainMap(schema) ? schema['properties'] : undefined;
  const property = isPlainMap(properties) ? properties[name] : undefined;
  return isPlainMap(property) ? property : {};
}

/** Command lines and forms give texts: one that is written as a value of the declared type is taken as that value. */
function asType(type: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'boolean' && /^(true|false)$/.test(value)) return value === 'true';
  const isNumber =
    (type === 'integer' && /^-?(0|[1-9]\d*)$/.test(value)) ||
    (type === 'number' && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(value));
  // One with more digits than a number holds would become another one.
  return isNumber && (String(Number(value)) === value || isShort(value)) ? Number(value) : value;
}

function isShort(number: string): boolean {
  return number.length <= 15 && Number.isFinite(Number(number));
}
