import { isMap, isScalar, isSeq } from 'yaml';
import { findPair, keyText, pairsOf } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import { insertEntry, insertItem } from './insert.ts';
import { refuse } from './place.ts';
import type { EditResult } from './place.ts';
import { moveEntry } from './rearrange.ts';
import { removeAt } from './remove.ts';
import { setValue } from './set.ts';
import type { Plain } from './tree.ts';

/** Where a field of a form is written. */
export interface FieldPlace {
  /** The map that has the field; it is made where it is not there yet. */
  readonly item: Path;
  readonly key: string;
  /** The key that a bare text in place of the map stands for: `extends: base` is `extends: {lens: base}`. */
  readonly shortKey?: string;
  /** The keys of the map in the order in which they are usually written; a new one goes to its place among them. */
  readonly order?: readonly string[];
}

/** Writes a field, or takes it out where the value is undefined; a map that would be left empty goes with it. */
export function setField(source: YamlSource, place: FieldPlace, value: Plain | undefined): EditResult {
  const { item, key, shortKey, order = [] } = place;
  const node = source.find(item);
  if (isScalar(node) && node.value !== null && shortKey !== undefined)
    return setShort(source, place, value, node.value);
  if (!isMap(node))
    return value === undefined ? unchanged(source) : insertNested(source, item, { [key]: value });
  const pair = findPair(node, key);
  if (value === undefined) {
    if (!pair) return unchanged(source);
    const isOnly = node.items.length === 1 && item.length > 0 && typeof item.at(-1) === 'string';
    return removeAt(source, isOnly ? item : [...item, key]);
  }
  if (pair) return setValue(source, [...item, key], value);
  const rank = order.indexOf(key);
  const isBefore = (known: string): boolean =>
    rank >= 0 && order.includes(known) && order.indexOf(known) < rank;
  const before = pairsOf(node).findLastIndex((other) => isBefore(keyText(other.key) ?? ''));
  return insertEntry(source, item, key, value, before < 0 ? undefined : before + 1);
}

function setShort(
  source: YamlSource,
  { item, key, shortKey }: FieldPlace,
  value: Plain | undefined,
  short: unknown,
): EditResult {
  if (key === shortKey) return value === undefined ? removeAt(source, item) : setValue(source, item, value);
  if (value === undefined) return unchanged(source);
  return setValue(source, item, { [shortKey!]: short as Plain, [key]: value });
}

/** Adds a value below keys that may not be there yet. */
function insertNested(source: YamlSource, path: Path, value: Plain): EditResult {
  let depth = path.length;
  while (depth > 0 && !isMap(source.find(path.slice(0, depth)))) depth--;
  const missing = path.slice(depth);
  if (missing.some((step) => typeof step === 'number'))
    return refuse('not-found', `Cannot edit "${path.join('.')}": it is not there`);
  const [first, ...rest] = missing as readonly string[];
  const nested = rest.reduceRight<Plain>((inner, key) => ({ [key]: inner }), value);
  if (first === undefined) return refuse('not-editable', 'Cannot replace the whole file');
  return setValue(source, [...path.slice(0, depth), first], nested);
}

/** One change of a list of texts. */
export type ListChange =
  | { readonly kind: 'set'; readonly index: number; readonly text: string }
  | { readonly kind: 'insert'; readonly index: number; readonly text: string }
  | { readonly kind: 'remove'; readonly index: number }
  | { readonly kind: 'move'; readonly index: number; readonly to: number };

/** How a list of texts is written. */
export interface TextsPlace extends FieldPlace {
  /** The key of entries that are maps, as in `depends_on: [{source: …}]`. */
  readonly entryKey?: string;
  /** Whether an empty list says something, so that it stays. */
  readonly keepsEmpty?: boolean;
}

/** Changes a list of texts, which may be written as one bare text, and leaves its other entries alone. */
export function changeTexts(source: YamlSource, place: TextsPlace, change: ListChange): EditResult {
  const path = [...place.item, place.key];
  const node = source.find(path);
  const texts = textsOf(source, path, place.entryKey);
  if (!isSeq(node) || node.items.length !== texts.length)
    return setField(source, place, changed(texts, change));
  const entry = [...path, change.index];
  switch (change.kind) {
    case 'set':
      return setValue(
        source,
        isMap(node.items[change.index]) ? [...entry, place.entryKey!] : entry,
        change.text,
      );
    case 'insert': {
      const usesMaps = place.entryKey !== undefined && isMap(node.items.at(-1));
      return insertItem(
        source,
        path,
        usesMaps ? { [place.entryKey]: change.text } : change.text,
        change.index,
      );
    }
    case 'remove':
      if (texts.length > 1 || place.keepsEmpty) return removeAt(source, entry);
      return setField(source, place, undefined);
    case 'move':
      return moveEntry(source, entry, change.to);
  }
}

function changed(texts: readonly string[], change: ListChange): string[] {
  switch (change.kind) {
    case 'set':
      return texts.with(change.index, change.text);
    case 'insert':
      return texts.toSpliced(change.index, 0, change.text);
    case 'remove':
      return texts.toSpliced(change.index, 1);
    case 'move':
      return texts.toSpliced(change.index, 1).toSpliced(change.to, 0, texts[change.index]!);
  }
}

/** The texts of a list as the form shows it; a bare text is a list of one, and entries that are no text are empty. */
export function textsOf(source: YamlSource, path: Path, entryKey?: string): string[] {
  const node = source.find(path);
  const items = isSeq(node) ? node.items : node === undefined ? [] : [node];
  return items.flatMap((item) => {
    const value = source.plain(item);
    if (value === null) return isSeq(node) ? [''] : [];
    if (typeof value !== 'object') return [String(value)];
    const inner = entryKey === undefined ? undefined : (value as Record<string, unknown>)[entryKey];
    return [typeof inner === 'string' ? inner : ''];
  });
}

/** An edit that changes nothing. */
export function unchanged(source: YamlSource): EditResult {
  return { ok: true, edits: [], source };
}
