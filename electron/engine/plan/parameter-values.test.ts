import { expect, test } from 'vitest';
import { parameterValues, refusedParameters } from './parameter-values.ts';

test('parameterValues() takes what is given before what is there by default, also where that is nothing much', () => {
  const schema = {
    properties: {
      e: { default: null },
      d: { default: '' },
      c: { default: 0 },
      b: { default: false },
      a: { default: [1] },
      given: { default: 'x' },
      none: {},
      odd: true,
    },
  };
  const values = parameterValues(schema, { given: '', other: 1 });
  expect(JSON.stringify(values)).toBe('{"a":[1],"b":false,"c":0,"d":"","e":null,"given":""}');
  expect([parameterValues(undefined, { a: 1 }), parameterValues({ properties: [] }, { a: 1 })]).toEqual([
    {},
    {},
  ]);
});

test.each([
  ['integer', '-12', -12],
  ['integer', '9007199254740993', '9007199254740993'],
  ['integer', '1.5', '1.5'],
  ['integer', '007', '007'],
  ['number', '1.50', 1.5],
  ['number', '1e3', 1000],
  ['number', '1e400', '1e400'],
  ['number', '', ''],
  ['boolean', 'false', false],
  ['boolean', 'yes', 'yes'],
  ['string', '1', '1'],
  [undefined, 'true', 'true'],
])('parameterValues() takes the text of a %s parameter, %j, as %j', (type, text, value) => {
  expect(parameterValues({ properties: { p: { type } } }, { p: text })).toEqual({ p: value });
});

test('refusedParameters() lists given values that an enum does not have', () => {
  const schema = {
    properties: {
      level: { type: 'integer', enum: [1, 2], default: 3 },
      mode: { enum: ['fast', null] },
    },
  };
  expect(refusedParameters(schema, { level: '2', mode: null })).toEqual([]);
  expect(refusedParameters(schema, {})).toEqual([]);
  expect(refusedParameters(schema, { level: '3', mode: 'slow' })).toEqual([
    { name: 'level', value: 3, allowed: [1, 2] },
    { name: 'mode', value: 'slow', allowed: ['fast', null] },
  ]);
});
