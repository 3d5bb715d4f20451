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
