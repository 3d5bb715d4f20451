import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxNesting } from '../store/fit-value.ts';
import { readDelivery } from './protocol.ts';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each([
  [
    'the output file',
    ['a'],
    { output: '{"a":1}', stdout: 'log' },
    { outputs: { a: 1 }, content: 'log', deleted: [] },
  ],
  [
    'the output file over printed JSON',
    ['a'],
    { output: '{"a":1}', stdout: '{"a":2}' },
    { outputs: { a: 1 }, content: '{"a":2}', deleted: [] },
  ],
  [
    'printed JSON with every key',
    ['a', 'b'],
    { stdout: '{"a":1,"b":null,"content":"c"}' },
    { outputs: { a: 1, b: null }, content: 'c', deleted: [] },
  ],
  [
    'printed JSON without the key as text',
    ['a'],
    { stdout: '{"b":1}' },
    { outputs: { a: '{"b":1}' }, content: '{"b":1}', deleted: [] },
  ],
  [
    'plain text as the one key',
    ['a'],
    { stdout: 'hello\n' },
    { outputs: { a: 'hello\n' }, content: 'hello\n', deleted: [] },
  ],
  [
    'nothing for a skill that produces nothing',
    [],
    { stdout: 'done' },
    { outputs: {}, content: 'done', deleted: [] },
  ],
  [
    'long numbers in texts, of other keys, and those that stay the same',
    ['a', 'b'],
    {
      output: String.raw`{"a":"\"\\\"12345678901234567890\\","b":[9007199254740992,1e300,0.12345678901234567890],"c":9007199254740993}`,
      stdout: '',
    },
    {
      outputs: {
        a: String.raw`"\"12345678901234567890${'\\'}`,
        b: [9007199254740992, 1e300, 0.12345678901234568],
      },
      content: '',
      deleted: [],
    },
  ],
  ['an empty text as a value', ['a'], { stdout: '' }, { outputs: { a: '' }, content: '', deleted: [] }],
  [
    'deletions',
    [],
    { output: '{"deleted":["old.md"]}', stdout: '' },
    { outputs: {}, content: '', deleted: ['old.md'] },
  ],
])('readDelivery() takes %s', (_case, produces, outcome, delivered) => {
  expect(readDelivery(produces, outcome)).toEqual({ delivered });
});

test.each([
  [
    'an output that is no object',
    ['a'],
    { output: '[1]', stdout: '' },
    { problem: 'output-not-an-object', missing: [] },
  ],
  [
    'an output that is no JSON',
    ['a'],
    { output: '{', stdout: '' },
    { problem: 'output-not-an-object', missing: [] },
  ],
  ['keys not delivered', ['a', 'b'], { stdout: 'text' }, { problem: 'missing-keys', missing: ['a', 'b'] }],
  [
    'an inherited name',
    ['toString'],
    { output: '{}', stdout: '' },
    { problem: 'missing-keys', missing: ['toString'] },
  ],
  [
    'a number that JSON cannot hold',
    ['a'],
    { output: '{"a":{"b":[1e400]}}', stdout: '' },
    { problem: 'endless-number', missing: [] },
  ],
  [
    'a whole number that would become another one',
    ['a', 'b'],
    { output: '{"b":[1541815603606036480],"a":{"2":-9007199254740993}}', stdout: '' },
    { problem: 'inexact-number', missing: [] },
  ],
  [
    'a number of very many digits, printed',
    ['a'],
    { stdout: `{"a":${'1'.repeat(30)}}` },
    { problem: 'inexact-number', missing: [] },
  ],
  [
    'a value that is nested too deeply',
    ['a'],
    { output: `{"a":${nested(maxNesting + 1)}}`, stdout: '' },
    { problem: 'nested-too-deeply', missing: [] },
  ],
  [
    'deletions that are no list',
    [],
    { output: '{"deleted":"x"}', stdout: '' },
    { problem: 'bad-deletions', missing: [] },
  ],
])('readDelivery() names %s', (_case, produces, outcome, problem) => {
  expect(readDelivery(produces, outcome)).toEqual(problem);
});

test('readDelivery() keeps "__proto__" a plain key', () => {
  const delivery = readDelivery(['__proto__'], { output: '{"__proto__":{"x":1}}', stdout: '' });
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  expect('delivered' in delivery || delivery.problem).toBeTruthy();
});

test('readDelivery() takes a value as deep as may be', () => {
  const delivery = readDelivery(['a'], { output: `{"a":${nested(maxNesting)}}`, stdout: '' });
  expect(delivery).toMatchObject({ delivered: { content: '' } });
});

/** Tokens of whole numbers, most of them around where they stop being exact. */
const whole = fc.oneof(
  fc.bigInt(2n ** 53n - 4n, 2n ** 53n + 4n),
  fc.bigInt(10n ** 15n, 10n ** 24n),
  fc.bigInt(-(10n ** 20n), 10n ** 20n),
);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', '\\', '1', '23456789', '.', 'e-') }),
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    whole.map(String),
    text.map((value) => JSON.stringify(value)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(text, tie('json')), { maxLength: 4 })
      .map(
        (members) =>
          `{${members.map(([key, value], i) => `${JSON.stringify(`k${i}${key}`)}:${value}`).join()}}`,
      ),
  ),
}));

test('what readDelivery() takes is equal to what the script wrote, to the last digit', () => {
  fc.assert(
    fc.property(json, (written) => {
      const delivery = readDelivery(['a'], {
        output: `{"other":12345678901234567890,"a":${written}}`,
        stdout: '',
      });
      const wholes = written.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/(?<![\d.eE+]|[eE]-)\d+(?![\d.eE])/g);
      const isExact = (wholes ?? []).every((digits) => String(Number(digits)) === digits);
      if (!isExact) expect(delivery).toEqual({ problem: 'inexact-number', missing: [] });
      else
        expect(JSON.stringify('delivered' in delivery && delivery.delivered.outputs['a'])).toBe(
          plain(written),
        );
    }),
    { numRuns: 1000 },
  );
});

/** The text as it is written again, where all of its whole numbers are exact. */
function plain(written: string): string {
  return written.replace(/"(?:[^"\\]|\\.)*"|-0(?![\d.])/g, (token) => (token === '-0' ? '0' : token));
}
