import { isMap, isScalar, isSeq } from 'yaml';
import type { FieldPlace } from '#shared/lens/edit/field-edits.ts';
import { findPair, keyText, pairsOf } from '#shared/lens/yaml/source.ts';
import type { Path, YamlSource } from '#shared/lens/yaml/source.ts';
import type { FieldEditor } from './fields.ts';

/** The value of a field as plain data; undefined where it is not written. */
export function valueOf(source: YamlSource, { item, key, shortKey }: FieldPlace): unknown {
  const node = source.find(item);
  if (isScalar(node)) return key === shortKey && node.value !== null ? node.value : undefined;
  if (!isMap(node)) return undefined;
  const pair = findPair(node, key);
  return pair && source.plain(pair.value);
}

/** The items of a list, or the one value that stands in its place. */
export function itemPaths(source: YamlSource, path: Path): Path[] {
  const node = source.find(path);
  if (isSeq(node)) return node.items.map((_, index) => [...path, index]);
  return node === undefined || (isScalar(node) && node.value === null) ? [] : [path];
}

/** The keys of the map at a path, in order. */
export function keysOf(source: YamlSource, path: Path): string[] {
  const node = source.find(path);
  return isMap(node) ? pairsOf(node).flatMap(({ key }) => keyText(key) ?? []) : [];
}

const isPlainText = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** The editor that can show a value: one that the schema does not expect is shown as what it is. */
export function fittingEditor(editor: FieldEditor, value: unknown): FieldEditor {
  switch (editor.kind) {
    case 'texts': {
      const { entryKey } = editor;
      const fits = (entry: unknown): boolean =>
        isPlainText(entry) || (entryKey !== undefined && Object.keys(entry as object).join() === entryKey);
      return isPlainText(value) || (Array.isArray(value) && value.every(fits)) ? editor : { kind: 'free' };
    }
    case 'group':
      return value === undefined || value === null || isRecord(value) || editor.shortKey !== undefined
        ? editor
        : { kind: 'free' };
    case 'items': {
      const all: readonly unknown[] = Array.isArray(value) ? value : [value];
      return value === undefined || all.every((one) => isRecord(one) || editor.shortKey !== undefined)
        ? editor
        : { kind: 'free' };
    }
    case 'free':
      return freeEditor(value);
    case 'text':
      if (typeof value === 'string' && value.includes('\n')) return { kind: 'long' };
      return isPlainText(value) ? editor : { kind: 'free' };
    case 'number':
      return value === undefined || typeof value === 'number'
        ? editor
        : fittingEditor({ kind: 'text' }, value);
    default:
      return isPlainText(value) ? editor : { kind: 'free' };
  }
}

/** Text and lists of texts have editors of their own; the rest is shown as a map or as YAML. */
function freeEditor(value: unknown): FieldEditor {
  if (typeof value === 'string') return { kind: value.includes('\n') ? 'long' : 'text' };
  if (typeof value === 'number') return { kind: 'number' };
  if (typeof value === 'boolean') return { kind: 'flag' };
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')) {
    return { kind: 'texts' };
  }
  return { kind: 'free' };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is shown as a row for each of its keys. */
export function hasRows(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > 0;
}
