import type { YAMLMap } from 'yaml';
import type { QuickFix } from '../../model/diagnostic.ts';
import type { YamlSource } from '../yaml/source.ts';
import { blockRemoval, flowRemoval } from './removal.ts';
import { collectionToken, slotsOf } from './tokens.ts';

/** A quick fix that removes one entry of a map, or none where its text is too unusual or the syntax is broken. */
export function removalFix(source: YamlSource, map: YAMLMap, index: number, title: string): QuickFix[] {
  const token = collectionToken(map);
  if (token === undefined || source.isBroken) return [];
  const slots = slotsOf(token);
  if (slots.length !== map.items.length || slots.length < 2) return [];
  const isFlow = token.type === 'flow-collection';
  const change = isFlow ? flowRemoval(source.text, slots, index) : blockRemoval(source.text, slots, index);
  return [{ title, edits: [{ file: source.file, ...change }] }];
}
