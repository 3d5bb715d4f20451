import { isMap, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import type { Location } from '../../model/diagnostic.ts';
import { lensPath } from '../edit/lens-edits.ts';
import { findPair, keyText, pairsOf } from '../yaml/source.ts';
import type { YamlSource } from '../yaml/source.ts';
import { scalarText } from './text-span.ts';

/** One entry of a file's outline. */
export interface OutlineEntry {
  readonly name: string;
  readonly kind: 'section' | 'entry' | 'script';
  readonly detail: string;
  /** All of it, and the part to go to. */
  readonly at: Location;
  readonly nameAt: Location;
  readonly children: readonly OutlineEntry[];
}

/** The sections of a lens or library with what they hold by name, as far as the text can be read. */
export function outlineOf(source: YamlSource): readonly OutlineEntry[] {
  const root = source.find(lensPath(source));
  if (!isMap(root)) return [];
  return pairsOf(root).flatMap(({ key, value }) => {
    const name = keyText(key);
    if (key === null || name === undefined) return [];
    const children = entriesOf(source, value, 'entry');
    const end = value?.range[1] ?? key.range[1];
    return [
      {
        ...{ name, kind: 'section' as const, detail: children.length === 0 ? '' : String(children.length) },
        ...{ at: source.location(key.range[0], end), nameAt: source.at(key), children },
      },
    ];
  });
}

function entriesOf(
  source: YamlSource,
  node: ParsedNode | null,
  kind: OutlineEntry['kind'],
): readonly OutlineEntry[] {
  const target = source.resolve(node);
  if (isMap(target) && kind === 'entry') {
    // Validators and heuristics may be parted once more before their entries come.
    return pairsOf(target).flatMap(({ value }) => (isSeq(value) ? entriesOf(source, value, kind) : []));
  }
  if (!isSeq(target)) return [];
  return (target.items as (ParsedNode | null)[]).flatMap((item) => {
    const entry = source.resolve(item);
    if (!isMap(entry)) return [];
    const named = findPair(entry, 'name')?.value ?? findPair(entry, 'include')?.value;
    const name = scalarText(named);
    if (!named || name === undefined || name === '') return [];
    const inner = ['scripts', 'templates'].flatMap((key) =>
      entriesOf(source, findPair(entry, key)?.value ?? null, 'script'),
    );
    const detail = (scalarText(findPair(entry, 'description')?.value) ?? '').split('\n')[0]!.slice(0, 80);
    return [{ name, kind, detail, at: source.at(entry), nameAt: source.at(named), children: inner }];
  });
}
