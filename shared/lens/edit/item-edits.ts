import { isMap, isScalar, isSeq } from 'yaml';
import { freeName } from '../names.ts';
import { findPair } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import { commit } from './commit.ts';
import { setField } from './field-edits.ts';
import { insertItem } from './insert.ts';
import { findPlace, layoutOf, refuse } from './place.ts';
import type { EditResult } from './place.ts';
import { setValue } from './set.ts';
import { lineEnd, lineStart, minimize } from './text-lines.ts';
import { changeTree, treeOf } from './tree.ts';
import type { Plain } from './tree.ts';

/** Adds an item to a list, which is made where it is not there yet; a single value becomes a list first. */
export function addItem(source: YamlSource, list: Path, value: Plain): EditResult {
  const node = source.find(list);
  if (isSeq(node)) return insertItem(source, list, value);
  const isEmpty = node === undefined || (isScalar(node) && node.value === null);
  if (!isEmpty) return setValue(source, list, [source.plain(node) as Plain, value]);
  return setField(source, { item: list.slice(0, -1), key: String(list.at(-1)) }, [value]);
}

/** Writes a copy of a list item below it, as it is written, under a name that no other item has. */
export function duplicateItem(source: YamlSource, path: Path): EditResult {
  const list = path.slice(0, -1);
  const index = path.at(-1);
  const place = findPlace(source, list);
  if (!place.ok) return place;
  if (typeof index !== 'number' || !isSeq(place.node) || !place.slots[index])
    return refuse('not-found', `Cannot copy "${path.join('.')}": it is no item of a list`);
  const copied = copyText(source, path, index);
  const result = copied.ok
    ? copied
    : insertItem(source, list, source.plain(source.find(path) ?? null) as Plain, index + 1);
  if (!result.ok) return result;
  const copy = [...list, index + 1];
  const name = nameAt(result.source, copy);
  if (name === undefined) return result;
  const names = new Set(place.node.items.map((_, i) => nameAt(source, [...list, i])));
  const named = setValue(result.source, [...copy, 'name'], freeName(`${name}-copy`, names));
  return named.ok ? joined(source, named.source) : named;
}

/** The same lines again, so that comments, quotes and blocks of the copy are those of the item. */
function copyText(source: YamlSource, path: Path, index: number): EditResult {
  const place = findPlace(source, path.slice(0, -1));
  if (!place.ok) return place;
  const slot = place.slots[index]!;
  if (place.isFlow) return refuse('not-editable', 'Cannot copy the text of an item in brackets');
  const start = lineStart(source.text, slot.start);
  const end = lineEnd(source.text, slot.end);
  const prefix = ' '.repeat(slot.start - start);
  const text = layoutOf(source).lineBreak + prefix + source.text.slice(slot.start, end);
  const expected = changeTree(treeOf(source), place.path, (tree) =>
    'list' in tree ? { list: tree.list.toSpliced(index + 1, 0, tree.list[index]!) } : tree,
  );
  return commit(source, expected, [[{ start: end, end, text }]]);
}

function nameAt(source: YamlSource, path: Path): string | undefined {
  const item = source.find(path);
  const name = isMap(item) ? findPair(item, 'name')?.value : undefined;
  return isScalar(name) && typeof name.value === 'string' ? name.value : undefined;
}

/** Two edits as one of the text before both. */
export function joined(before: YamlSource, after: YamlSource): EditResult {
  const whole = { file: before.file, start: 0, end: before.text.length, text: after.text };
  return { ok: true, edits: minimize(before.text, [whole]), source: after };
}
