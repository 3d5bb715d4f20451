import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { contentHash } from './content-hash.ts';
import { sha256 } from './sha256.ts';

test('sha256() equals the platform’s for any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.nat({ max: 300 }).map((n) => 'é'.repeat(n)),
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(sha256(value)).toBe(createHash('sha256').update(value, 'utf8').digest('hex'));
    }),
    { numRuns: 500 },
  );
});

test('sha256() equals the platform’s at every length around a block', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'x'.repeat(length);
    expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

test('canonicalJson() is JSON of the same value, and one text for any order of keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = canonicalJson(value);
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reverseKeys(value))).toBe(json);
    }),
  );
});

test('canonicalJson() sorts by code unit and leaves absent properties out', () => {
  expect(canonicalJson({ b: [1, { z: null, a: 'é\ud800' }], B: undefined, a: {}, 10: [], 9: true })).toBe(
    '{"10":[],"9":true,"a":{},"b":[1,{"a":"é\\ud800","z":null}]}',
  );
});

test.each([[NaN], [[undefined]], [{ when: new Date(0) }], [new Map([['a', 1]])], [() => 1], [1n]])(
  'canonicalJson() refuses %s',
  (value) => {
    expect(() => canonicalJson(value)).toThrow('Cannot write canonical JSON');
  },
);

test('canonicalJson() refuses a value that contains itself, but not one that occurs twice', () => {
  const shared = { a: 1 };
  expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  const loop: Record<string, unknown> = {};
  loop['self'] = [loop];
  expect(() => canonicalJson(loop)).toThrow('Cannot write canonical JSON: a value contains itself');
});

test('canonicalJson() writes a value nested 100,000 deep', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(canonicalJson(deep).length).toBe(200_001);
});

test('contentHash() is the same for any order of skills and differs when any part differs', () => {
  const definitions: [string, unknown][] = [
    ['own:b', { name: 'b', scripts: [{ name: 'x.py', content: 'print(1)' }] }],
    ['own:a', { name: 'a', templates: [{ name: 't', content: 'text' }] }],
  ];
  const hash = contentHash(definitions);
  expect(contentHash(definitions.toReversed())).toBe(hash);
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  const changed = structuredClone(definitions);
  changed[0]![1] = { name: 'b', scripts: [{ name: 'x.py', content: 'print(2)' }] };
  expect(contentHash(changed)).not.toBe(hash);
  expect(() => contentHash([...definitions, ...definitions])).toThrow('skill id "own:a" occurs twice');
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reverseKeys(inner)]),
  );
}
