import { expect, test } from 'vitest';
import { declaredInput, inputValue } from './input-values.ts';

test.each([
  [undefined, ' as typed ', { value: ' as typed ' }],
  ['string', '7', { value: '7' }],
  ['integer', ' 7 ', { value: 7 }],
  ['integer', '7.5', { problem: 'Type a whole number' }],
  ['number', '7.5', { value: 7.5 }],
  ['number', ' ', { problem: 'Type a number' }],
  ['boolean', 'false', { value: false }],
  ['boolean', 'no', { problem: 'Type true or false' }],
  ['array', '["a"]', { value: ['a'] }],
  ['array', '{}', { problem: 'Type a JSON list, such as ["a", "b"]' }],
  ['object', '{"a": 1}', { value: { a: 1 } }],
  ['object', 'null', { problem: 'Type a JSON object, such as {"a": 1}' }],
])('inputValue(%j, %j) is %j', (type, text, value) => {
  expect(inputValue(type, text)).toEqual(value);
});

test('declaredInput() keeps what the form shows', () => {
  expect([
    declaredInput({ name: 'deep', description: '', default: false, type: 'boolean' }),
    declaredInput({ name: 'topic', description: 'What it is about', default: 'sea' }),
  ]).toEqual([
    { name: 'deep', description: undefined, type: 'boolean', defaultText: 'false' },
    { name: 'topic', description: 'What it is about', type: undefined, defaultText: 'sea' },
  ]);
});
