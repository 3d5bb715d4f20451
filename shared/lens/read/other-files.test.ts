import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { readFixtures } from './fixtures.ts';
import { readLibrary } from './library.ts';
import { readLock } from './lock.ts';
import type { Read } from './root.ts';

function codes(read: Read<unknown>): string[] {
  return read.diagnostics.map(({ code, location }) => `${location.line}:${location.column} ${code}`);
}

describe('readFixtures()', () => {
  test('reads a bare list and a list under "fixtures"', () => {
    const list =
      '- name: a\n  input: {task: t, files: [x.md], context: {k: 1}}\n  expected: {contains: x, validators_pass: true, error: boom}\n';
    const bare = readFixtures(list, 'f.yaml');
    expect(codes(bare)).toEqual([]);
    expect(bare.value).toEqual([
      {
        name: 'a',
        input: { task: 't', files: { 'x.md': null }, context: { k: 1 } },
        expected: {
          contains: ['x'],
          notContains: [],
          outputs: {},
          artifacts: [],
          validatorsPass: true,
          error: 'boom',
        },
        at: { file: 'f.yaml', line: 1, column: 3, endLine: 4, endColumn: 1 },
        path: [0],
      },
    ]);
    const below = readFixtures(
      'fixtures:\n  - {name: a, input: {files: {x.md: hi}}, expected: {}}\n',
      'f.yaml',
    );
    expect(below.value.map(({ path, input }) => [path, input.files])).toEqual([
      [['fixtures', 0], { 'x.md': 'hi' }],
    ]);
  });

  test('reports what is missing', () => {
    expect(codes(readFixtures('- {input: {}, expected: {}}\n- {name: b}', 'f.yaml'))).toEqual([
      '1:3 fixture.missing-name',
      '2:10 fixture.no-expectation',
    ]);
  });
});

describe('readConfig()', () => {
  test('reads models, founts and limits with units', () => {
    const text = [
      'models: {local: {provider: openai-compatible, model: m, base_url: "http://127.0.0.1:1"}, me: {provider: manual}}',
      'default_model: local',
      'founts: {default: https://example.test, "@team": ./founts}',
      'telemetry: {skill_execution: true}',
      'cache: {max_bytes: 2GB, max_age: 30d}',
    ].join('\n');
    const read = readConfig(text, 'config.yaml');
    expect(codes(read)).toEqual([]);
    expect({ ...read.value, models: read.value.models.map((model) => [model.name, model.provider]) }).toEqual(
      {
        models: [
          ['local', 'openai-compatible'],
          ['me', 'manual'],
        ],
        defaultModel: 'local',
        founts: { default: 'https://example.test', '@team': './founts' },
        telemetry: { skillExecution: true, includeOutput: false },
        cache: { maxBytes: 2e9, maxAgeMs: 2_592_000_000 },
      },
    );
  });

  test('an empty file is a configuration', () => {
    expect(codes(readConfig('# nothing yet\n', 'config.yaml'))).toEqual([]);
  });

  test('reports unknown and incomplete models', () => {
    const text = 'models: {a: {provider: anthropic}}\ndefault_model: b\ncache: {max_age: soon}\n';
    expect(codes(readConfig(text, 'config.yaml'))).toEqual([
      '1:10 config.incomplete-model',
      '3:18 value.wrong-type',
      '2:16 config.unknown-model',
    ]);
  });
});

describe('readLock()', () => {
  const digest = `sha512-${'A'.repeat(86)}==`;

  test('reads pinned founts', () => {
    const read = readLock(
      `version: 1\nfounts:\n  "fount://@t/p@^1":\n    version: 1.2.3\n    integrity: ${digest}\n`,
      'sunwell.lock',
    );
    expect(codes(read)).toEqual([]);
    expect(read.value.founts).toEqual([
      {
        request: 'fount://@t/p@^1',
        version: '1.2.3',
        integrity: digest,
        at: { file: 'sunwell.lock', line: 3, column: 3, endLine: 3, endColumn: 20 },
        path: ['founts', 'fount://@t/p@^1'],
      },
    ]);
  });

  test.each([
    ['version: 2\nfounts: {}', ['1:10 lock.unknown-version']],
    [`version: 1\nfounts: {"fount://p@1": {version: ^1, integrity: ${digest}}}`, ['2:10 lock.bad-entry']],
    ['version: 1\nfounts: {"fount://p@1": {version: 1.0.0, integrity: sha1-x}}', ['2:10 lock.bad-entry']],
    [`version: 1\nfounts: {p: {version: 1.0.0, integrity: ${digest}}}`, ['2:10 lock.bad-entry']],
  ])('trusts nothing in %j', (text, expected) => {
    const read = readLock(text, 'sunwell.lock');
    expect([codes(read), read.value.founts]).toEqual([expected, []]);
  });
});

test('readLibrary() reads permission presets', () => {
  const read = readLibrary(
    'presets:\n  read-only:\n    permissions: {network: {deny: ["*"]}}\n    security: {audit_level: minimal}\n',
    'p.yaml',
  );
  expect(codes(read)).toEqual([]);
  expect(read.value).toEqual({
    skills: [],
    presets: [
      {
        name: 'read-only',
        permissions: { network: { deny: ['*'] } },
        security: { audit_level: 'minimal' },
        at: { file: 'p.yaml', line: 2, column: 3, endLine: 2, endColumn: 12 },
        path: ['presets', 'read-only'],
      },
    ],
  });
});
