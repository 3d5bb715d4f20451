import { isMap } from 'yaml';
import type { Path, YamlSource } from '../yaml/source.ts';
import { commit } from './commit.ts';
import { findPlace, indexOf, refuse, untouchable, valueAt } from './place.ts';
import type { EditResult } from './place.ts';
import { blockRemoval, flowRemoval } from './removal.ts';
import { replaceValue } from './replace.ts';
import { lineEnd } from './text-lines.ts';
import type { Change } from './text-lines.ts';
import { changeTree, treeOf } from './tree.ts';

/** Removes the entry at a path. Comments above it stay; the last entry leaves `[]` or `{}` behind. */
export function removeAt(source: YamlSource, path: Path): EditResult {
  const step = path.at(-1);
  if (step === undefined) return refuse('not-editable', 'Cannot remove the whole file');
  const place = findPlace(source, path.slice(0, -1));
  if (!place.ok) return place;
  const index = indexOf(place.node, step);
  if (index < 0) return refuse('not-found', `Cannot remove "${path.join('.')}": it is not there`);
  const old = valueAt(place.node, index);
  const problem = untouchable(old);
  // An alias itself may go; an anchored value may not, because aliases repeat it.
  if (problem !== undefined && old?.anchor !== undefined) return problem;

  const isOnly = place.slots.length === 1;
  const empty = isMap(place.node) ? '{}' : '[]';
  if (isOnly && !place.isFlow && place.path.length > 0)
    return replaceValue(source, place.path, isMap(place.node) ? {} : []);
  const expected = changeTree(treeOf(source), place.path, (tree) => {
    if ('list' in tree) return { list: tree.list.toSpliced(index, 1) };
    return 'map' in tree ? { map: tree.map.toSpliced(index, 1) } : tree;
  });
  let change: Change;
  if (place.isFlow) change = flowRemoval(source.text, place.slots, index);
  else if (isOnly) {
    const { start, end } = place.slots[0]!;
    change = { start, end: lineEnd(source.text, end), text: empty };
  } else change = blockRemoval(source.text, place.slots, index);
  return commit(source, expected, [[change]]);
}
