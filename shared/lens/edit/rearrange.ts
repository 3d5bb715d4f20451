import { isMap, isScalar } from 'yaml';
import { pairsOf } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import { commit } from './commit.ts';
import { findPlace, indexOf, layoutOf, refuse, untouchable } from './place.ts';
import type { EditResult } from './place.ts';
import { renderKey } from './render.ts';
import { lineEnd } from './text-lines.ts';
import { tokenEnd } from './tokens.ts';
import { changeTree, textTree, treeOf } from './tree.ts';

/** Gives the key at the end of a path another name, in the same quotes. */
export function renameKey(source: YamlSource, path: Path, name: string): EditResult {
  const place = findPlace(source, path.slice(0, -1));
  if (!place.ok) return place;
  const step = path.at(-1);
  const index = step === undefined || !isMap(place.node) ? -1 : indexOf(place.node, step);
  const key = isMap(place.node) ? pairsOf(place.node)[index]?.key : undefined;
  const token = place.slots[index]?.key;
  if (key === undefined || token === undefined)
    return refuse('not-found', `Cannot rename "${path.join('.')}": no such key`);
  const problem = untouchable(key);
  if (problem !== undefined) return problem;
  if (!isScalar(key)) return refuse('not-editable', `Cannot rename "${path.join('.')}": the key is no text`);
  if (name !== step && indexOf(place.node, name) >= 0)
    return refuse('already-there', `Cannot rename to "${name}": it is already there`);
  const text = renderKey(name, layoutOf(source), key.type);
  const expected = changeTree(treeOf(source), place.path, (tree) =>
    'map' in tree ? { map: tree.map.with(index, [textTree(name), tree.map[index]![1]]) } : tree,
  );
  return commit(source, expected, [[{ start: token.offset, end: tokenEnd(token), text }]]);
}

/**
 * Moves the entry at a path to another index of its list or map.
 * The entries trade places while what stands between them stays, so that headings and blank lines keep their order.
 */
export function moveEntry(source: YamlSource, path: Path, toIndex: number): EditResult {
  const place = findPlace(source, path.slice(0, -1));
  if (!place.ok) return place;
  const step = path.at(-1);
  const from = step === undefined ? -1 : indexOf(place.node, step);
  if (from < 0) return refuse('not-found', `Cannot move "${path.join('.')}": it is not there`);
  const to = Math.max(0, Math.min(toIndex, place.slots.length - 1));
  const order = place.slots.map((_, index) => index);
  order.splice(to, 0, ...order.splice(from, 1));

  const spans = place.slots.map((slot) => ({
    start: slot.start,
    end: place.isFlow ? slot.end : lineEnd(source.text, slot.end),
  }));
  const changes = spans.flatMap((span, index) => {
    const other = spans[order[index]!]!;
    return order[index] === index ? [] : [{ ...span, text: source.text.slice(other.start, other.end) }];
  });
  const expected = changeTree(treeOf(source), place.path, (tree) => {
    if ('list' in tree) return { list: order.map((index) => tree.list[index]!) };
    return 'map' in tree ? { map: order.map((index) => tree.map[index]!) } : tree;
  });
  return commit(source, expected, [changes]);
}
