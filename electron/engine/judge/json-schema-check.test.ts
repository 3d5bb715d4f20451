import { afterAll, expect, test } from 'vitest';
import { checkSchema } from './json-schema-check.ts';
import { PatternMatcher } from './pattern-matcher.ts';

const matcher = new PatternMatcher();
afterAll(() => matcher[Symbol.dispose]());

const check = async (schema: unknown, value: unknown): Promise<string> =>
  (await checkSchema(schema, JSON.stringify(value), matcher)).outcome;

const draft7 = 'http://json-schema.org/draft-07/schema#';

test.each([
  [{ required: ['a'] }, { a: 1 }, 'pass'],
  [{ required: ['a'] }, {}, 'fail'],
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['a'], 'pass'],
  [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, ['a', 1], 'fail'],
  [{ $schema: draft7, items: [{ type: 'string' }], additionalItems: false }, ['a', 1], 'fail'],
  [{ if: { required: ['a'] }, then: { required: ['b'] } }, { a: 1 }, 'fail'],
  [{ not: { type: 'string' } }, 'x', 'fail'],
  [{ $ref: '#/$defs/x', $defs: { x: { minimum: 3 } } }, 2, 'fail'],
  [{ pattern: '^a' }, 'abc', 'pass'],
  [{ pattern: '^a' }, 'xbc', 'fail'],
  [{ anyOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'bc', 'pass'],
  [{ oneOf: [{ pattern: 'a' }, { pattern: 'b' }] }, 'ab', 'fail'],
  [{ patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false }, { 'x-a': 1 }, 'pass'],
  [{ patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false }, { y: 1 }, 'fail'],
  [false, 1, 'fail'],
  [true, 1, 'pass'],
  [{ requierd: ['a'] }, {}, 'error'],
  [{ type: 'strnig' }, 'a', 'error'],
  [{ $ref: 'https://example.com/x.json' }, 1, 'error'],
  [{ $schema: 'http://json-schema.org/draft-04/schema#', minimum: 3 }, 5, 'error'],
  [{ pattern: '(' }, 'a', 'error'],
  ['no schema', 1, 'error'],
  [{ pattern: '^(a+)+$' }, `${'a'.repeat(64)}!`, 'error'],
])('checkSchema(%j) of %j gives %s', async (schema, value, outcome) => {
  expect(await check(schema, value)).toBe(outcome);
});

test('checkSchema() says what differs, and where', async () => {
  const schema = { properties: { a: { items: { type: 'integer' } } } };
  expect(await checkSchema(schema, '{"a": [1, "x"]}', matcher)).toEqual({
    outcome: 'fail',
    message: 'The result is not as the JSON Schema describes it: "/a/1" must be integer',
    evidence: '{"type":"integer"}',
  });
  expect(await checkSchema(schema, 'no JSON', matcher)).toEqual({
    outcome: 'fail',
    message: expect.stringContaining('The result is not JSON') as string,
    evidence: 'no JSON',
  });
});

test('checkSchema() gives up on references that double at every step', async () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `s${i}`,
      i === 39 ? {} : { allOf: [{ $ref: `#/$defs/s${i + 1}` }, { $ref: `#/$defs/s${i + 1}` }] },
    ]),
  );
  expect(await check({ $ref: '#/$defs/s0', $defs }, 1)).toBe('error');
});
