import { isMap, isScalar, isSeq } from 'yaml';
import type { Fixture } from '../../model/fixtures.ts';
import { fixtureKeys } from '../../model/fixtures.ts';
import { quote } from '../problems.ts';
import { openYaml } from '../yaml/open.ts';
import type { Entry, Fields } from './fields.ts';
import { listEntries, Reader } from './fields.ts';
import { given } from './given.ts';
import { rootFields } from './root.ts';
import type { Read } from './root.ts';
import { readMaps, readName } from './named.ts';

/** Reads fixtures: a bare list, or a list under `fixtures:`. Never throws. */
export function readFixtures(text: string, file: string): Read<readonly Fixture[]> {
  const { source, problems } = openYaml(text, file);
  const reader = new Reader(source, problems);
  const root = source.resolve(source.root);
  let entries: Entry[];
  if (isSeq(root)) {
    entries = listEntries(reader, root.items, []);
  } else {
    const fields = rootFields(reader, 'a list of fixtures');
    fields?.rest(['fixtures']);
    entries = fields?.entries('fixtures') ?? [];
  }
  const value = readMaps(reader, entries, 'fixtures', readFixture);
  return { value, diagnostics: problems.diagnostics, source };
}

function readFixture(fields: Fields): Fixture | undefined {
  fields.rest(fixtureKeys.fixture);
  const name = readName(fields, 'fixture.missing-name', 'Fixture');
  const input = fields.map('input');
  const expected = fields.map('expected');
  input?.rest(fixtureKeys.input);
  expected?.rest(fixtureKeys.expected);
  if (name !== undefined && !fixtureKeys.expected.some((key) => expected?.get(key))) {
    fields.reader.report(
      'fixture.no-expectation',
      fields.get('name')!,
      `Fixture ${quote(name)} expects nothing`,
    );
  }
  const fixture = given({
    name: name ?? '',
    description: fields.text('description'),
    skill: fields.text('skill'),
    input: {
      files: input === undefined ? {} : readFiles(input),
      context: input === undefined ? {} : record(input, 'context'),
      ...given({ task: input?.text('task') }),
    },
    expected: {
      contains: expected?.texts('contains') ?? [],
      notContains: expected?.texts('not_contains') ?? [],
      outputs: expected === undefined ? {} : record(expected, 'outputs'),
      artifacts: expected?.texts('artifacts') ?? [],
      ...given({ validatorsPass: flagOrTexts(expected), error: flagOrText(expected) }),
    },
    at: fields.at,
    path: fields.path,
  });
  return name === undefined ? undefined : fixture;
}

function record(fields: Fields, key: string): Record<string, unknown> {
  return fields.map(key) === undefined ? {} : (fields.plain(key) as Record<string, unknown>);
}

function readFiles(input: Fields): Record<string, string | null> {
  const files: Record<string, string | null> = {};
  if (isMap(input.get('files'))) {
    const map = input.map('files')!;
    for (const path of map.keys()) files[path] = map.text(path) ?? '';
  } else {
    for (const path of input.texts('files') ?? []) files[path] = null;
  }
  return files;
}

function flagOrTexts(expected: Fields | undefined): boolean | string[] | undefined {
  const node = expected?.get('validators_pass');
  if (isScalar(node) && typeof node.value === 'boolean') return node.value;
  return expected?.texts('validators_pass');
}

function flagOrText(expected: Fields | undefined): boolean | string | undefined {
  const node = expected?.get('error');
  if (isScalar(node) && typeof node.value === 'boolean') return node.value;
  return expected?.text('error');
}
