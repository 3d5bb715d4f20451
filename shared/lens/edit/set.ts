import { isMap } from 'yaml';
import type { Path, YamlSource } from '../yaml/source.ts';
import { insertEntry, insertItem } from './insert.ts';
import { findPlace, indexOf } from './place.ts';
import type { EditResult } from './place.ts';
import { replaceValue } from './replace.ts';
import type { Plain } from './tree.ts';

/** Writes a value at a path, adding the entry where its list or map does not have it yet. */
export function setValue(source: YamlSource, path: Path, value: Plain): EditResult {
  const step = path.at(-1);
  const place = findPlace(source, path.slice(0, -1));
  if (step === undefined || !place.ok || indexOf(place.node, step) >= 0)
    return replaceValue(source, path, value);
  if (isMap(place.node)) return insertEntry(source, place.path, String(step), value);
  return step === place.slots.length
    ? insertItem(source, place.path, value)
    : replaceValue(source, path, value);
}
