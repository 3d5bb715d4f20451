import type { YAMLMap } from 'yaml';
import type { QuickFix } from '../../model/diagnostic.ts';
import type { YamlSource } from '../yaml/source.ts';
import { blockRemoval, flowRemoval } from './removal.ts';
import { collectionToken, slotsOf } from './tokens.ts';

/**
 * Makes quick fixes that remove entries of one map; none where its text is too unusual or the syntax is broken.
 * The places are found once per map: looking again for each of a thousand duplicates would take minutes.
 */
export function removalFixer(source: YamlSource, map: YAMLMap): (index: number, title: string) => QuickFix[] {
  const token = source.isBroken ? undefined : collectionToken(map);
  const slots = token === undefined ? [] : slotsOf(token);
  if (token === undefined || slots.length !== map.items.length) return () => [];
  const removal = token.type === 'flow-collection' ? flowRemoval : blockRemoval;
  return (index, title) => [{ title, edits: [{ file: source.file, ...removal(source.text, slots, index) }] }];
}
