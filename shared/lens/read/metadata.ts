import type { Metadata } from '../../model/lens.ts';
import { lensKeys } from '../../model/file-keys.ts';
import { quote } from '../problems.ts';
import type { Fields } from './fields.ts';
import { given, unlessEmpty } from './given.ts';

const semver = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** Reads the metadata of a lens and reports what every lens must say about itself. */
export function readMetadata(lens: Fields): Metadata {
  const fields = lens.map('metadata');
  const { reader } = lens;
  const place = lens.has('metadata') ? lens.keyNode('metadata') : lens.node;
  const start = reader.source.at(place);
  const at = place === lens.node ? { ...start, endLine: start.line, endColumn: start.column + 1 } : start;
  const name = fields?.text('name');
  const version = fields?.text('version');
  if (name === undefined || name.trim() === '')
    reader.problems.add('lens.missing-name', at, 'The lens has no name');
  if (version === undefined) reader.problems.add('lens.missing-version', at, 'The lens has no version');
  if (fields === undefined) return {};
  if (version !== undefined && !semver.test(version)) reportVersion(fields, version);
  return given({
    name,
    version,
    domain: fields.text('domain'),
    description: fields.text('description'),
    author: fields.text('author'),
    license: fields.text('license'),
    tags: fields.texts('tags'),
    useCases: fields.texts('use_cases'),
    icon: fields.text('icon'),
    compatibleSchemas: fields.texts('compatible_schemas'),
    extra: unlessEmpty(fields.rest(lensKeys.metadata)),
  });
}

function reportVersion(fields: Fields, version: string): void {
  const node = fields.get('version')!;
  const numbers = /^v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?$/.exec(version.trim());
  const meant = numbers === null ? undefined : `${numbers[1]}.${numbers[2] ?? 0}.${numbers[3] ?? 0}`;
  const edit = {
    file: fields.reader.source.file,
    start: node.range[0],
    end: node.range[1],
    text: `"${meant}"`,
  };
  const message = `Version ${quote(version)} is not a semantic version such as "1.0.0"`;
  fields.reader.report('lens.bad-version', node, message, {
    fixes: meant === undefined ? [] : [{ title: `Change to "${meant}"`, edits: [edit] }],
  });
}
