import { isMap, isSeq } from 'yaml';
import type { LensLink } from '../../model/lens.ts';
import { lensKeys } from '../../model/file-keys.ts';
import { quote } from '../problems.ts';
import { parseLensReference } from '../reference.ts';
import type { Entry, Fields, Reader } from './fields.ts';
import { given } from './given.ts';

/** Reads the lenses that a lens builds on. */
export function readLinks(lens: Fields, key: 'extends' | 'compose'): LensLink[] {
  const node = lens.get(key);
  if (node === undefined) return [];
  const path = lens.pathOf(key);
  const entries: Entry[] = isSeq(node) ? lens.entries(key) : [{ node, path }];
  return entries.flatMap((entry) => readLink(lens.reader, entry, key) ?? []);
}

function readLink(reader: Reader, entry: Entry, key: string): LensLink | undefined {
  const map = isMap(entry.node) ? reader.fields(entry.node, entry.path, key) : undefined;
  map?.rest(lensKeys.lensLink);
  const textNode = map === undefined ? entry.node : map.get('lens');
  if (textNode === undefined) {
    reader.wrongType(entry.node, key, '"lens"');
    return undefined;
  }
  const text = reader.text(textNode, key);
  if (text === undefined) return undefined;
  const at = reader.source.at(textNode);
  const parsed = parseLensReference(text);
  if (!parsed.ok) {
    reader.problems.add(
      'lens.bad-reference',
      at,
      `Cannot read lens reference ${quote(text)}: ${parsed.problem}`,
    );
  }
  return given({
    text,
    reference: parsed.ok ? parsed.value : undefined,
    version: map?.text('version'),
    priority: map?.number('priority', { min: -Infinity, max: Infinity }),
    at,
    path: entry.path,
  });
}
