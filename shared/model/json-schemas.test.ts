import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { corpusFiles } from '../lens/testing/corpus.ts';
import { fileSchemas, jsonSchema } from './json-schemas.ts';
import type { SchemaName } from './json-schemas.ts';

/** A real JSON Schema validator, where some tool brought one along. */
const ajv = await import('ajv').then(
  ({ Ajv }) => new Ajv({ strict: false }),
  () => undefined,
);

function errorsOf(name: SchemaName, value: unknown): unknown {
  const zodErrors = fileSchemas[name].safeParse(value).error?.issues ?? [];
  if (ajv === undefined) return zodErrors;
  const validate = ajv.compile(jsonSchema(name) as object);
  validate(value);
  return [...zodErrors, ...(validate.errors ?? [])];
}

describe('the JSON Schemas', () => {
  test.each(corpusFiles())('accept $name', ({ kind, text }) => {
    expect(errorsOf(kind, parse(text, { version: '1.2' }))).toEqual([]);
  });

  test.each<[SchemaName, string]>([
    ['lens', 'lens: {metadata: {name: A}}'],
    ['lens', 'metadata: {name: A, version: 1.0.0}\nheuristics: text'],
    ['library', 'skills: [{name: Bad_Name}]'],
    ['fixtures', '- {input: {}}'],
    ['config', 'models: {a: {provider: unknown}}'],
    ['lock', 'version: 1\nfounts: {x: {version: 1.0.0, integrity: md5-x}}'],
  ])('%s refuses %j', (name, text) => {
    expect(errorsOf(name, parse(text, { version: '1.2' }))).not.toEqual([]);
  });

  test('keys have a description to show on hover', () => {
    const text = JSON.stringify(jsonSchema('library'));
    expect(text).toContain('Skills that run before');
  });
});
