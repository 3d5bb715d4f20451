import { isMap, isScalar, isSeq } from 'yaml';
import type { Path, YamlSource } from '../yaml/source.ts';
import { commit } from './commit.ts';
import { findPlace, indexOf, layoutOf, refuse } from './place.ts';
import type { EditResult, Place } from './place.ts';
import { renderEntry, renderFlow, renderFlowEntry, renderItem } from './render.ts';
import type { TextStyle } from './render.ts';
import { replaceValue } from './replace.ts';
import { lineEnd, lineStart } from './text-lines.ts';
import type { Change } from './text-lines.ts';
import { changeTree, textTree, treeOf, treeOfPlain } from './tree.ts';
import type { Plain, Tree } from './tree.ts';

/** Adds an entry to the map at a path, before the entry at `index` or at the end. An empty value becomes a map. */
export function insertEntry(
  source: YamlSource,
  path: Path,
  key: string,
  value: Plain,
  index?: number,
): EditResult {
  if (isEmptyRoot(source, path)) return startFile(source, { [key]: value });
  if (isEmptyAt(source, path)) return replaceValue(source, path, { [key]: value });
  const place = findPlace(source, path);
  if (!place.ok) return place;
  if (!isMap(place.node))
    return refuse('not-a-collection', `Cannot add "${key}": "${path.join('.')}" is no map`);
  if (indexOf(place.node, key) >= 0)
    return refuse('already-there', `Cannot add "${key}": it is already there`);
  const at = clamp(index, place);
  const entry = [textTree(key), treeOfPlain(value)] as const;
  const expected = changeTree(treeOf(source), path, (tree) =>
    'map' in tree ? { map: tree.map.toSpliced(at, 0, entry) } : tree,
  );
  const layout = layoutOf(source);
  return insert(source, place, at, expected, {
    lines: (style) => renderEntry(key, value, layout, style),
    flow: () => renderFlowEntry(key, value, layout),
  });
}

/** Adds an item to the list at a path, before the item at `index` or at the end. An empty value becomes a list. */
export function insertItem(source: YamlSource, path: Path, value: Plain, index?: number): EditResult {
  if (isEmptyRoot(source, path)) return startFile(source, [value]);
  if (isEmptyAt(source, path)) return replaceValue(source, path, [value]);
  const place = findPlace(source, path);
  if (!place.ok) return place;
  if (!isSeq(place.node))
    return refuse('not-a-collection', `Cannot add an item: "${path.join('.')}" is no list`);
  const at = clamp(index, place);
  const expected = changeTree(treeOf(source), path, (tree) =>
    'list' in tree ? { list: tree.list.toSpliced(at, 0, treeOfPlain(value)) } : tree,
  );
  const layout = layoutOf(source);
  const quotes = typeof value === 'string' ? quotesOf(place.node.items.at(-1)) : undefined;
  return insert(source, place, at, expected, {
    lines: (style = quotes) => renderItem(value, layout, style),
    flow: () => renderFlow(value, layout, quotes),
  });
}

/** The quotes around the last item of a list, which a new one gets too. */
function quotesOf(item: unknown): TextStyle {
  const type = isScalar(item) ? item.type : undefined;
  return type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? type : undefined;
}

interface NewEntry {
  readonly lines: (style: TextStyle) => string[];
  readonly flow: () => string;
}

function insert(source: YamlSource, place: Place, at: number, expected: Tree, entry: NewEntry): EditResult {
  if (place.isFlow) return commit(source, expected, [flowInsertion(source, place, at, entry.flow())]);
  const ways = ([undefined, 'QUOTED_LINE'] as const).map((style) => [
    blockInsertion(source, place, at, entry.lines(style)),
  ]);
  return commit(source, expected, ways);
}

function clamp(index: number | undefined, place: Place): number {
  return Math.max(0, Math.min(index ?? Infinity, place.slots.length));
}

/** After the line on which the entry before ends, so that a comment behind it stays with it. */
function blockInsertion(source: YamlSource, place: Place, at: number, lines: readonly string[]): Change {
  const { lineBreak } = layoutOf(source);
  const prefix = ' '.repeat(place.indent);
  const indented = lines.map((line) => (line === '' ? '' : prefix + line));
  if (at > 0) {
    const end = lineEnd(source.text, place.slots[at - 1]!.end);
    return { start: end, end, text: indented.map((line) => lineBreak + line).join('') };
  }
  const { start } = place.slots[0]!;
  return { start, end: start, text: indented.join(lineBreak).slice(prefix.length) + lineBreak + prefix };
}

function flowInsertion(source: YamlSource, place: Place, at: number, text: string): Change[] {
  const { lineBreak } = layoutOf(source);
  const before = place.slots[at - 1];
  const next = place.slots[at];
  if (next !== undefined) return [insertion(next.start, `${text},${gapAt(source, next.start, lineBreak)}`)];
  if (before === undefined) return [insertion(place.node.range![0] + 1, text)];
  const gap = gapAt(source, before.start, lineBreak);
  const comma = /^[ \t]*,/.exec(source.text.slice(before.end))?.[0] ?? '';
  const behind = before.end + comma.length;
  const restOfLine = source.text.slice(behind, lineEnd(source.text, behind));
  // A comment behind the last entry stays behind it.
  const end = gap !== ' ' && /^[ \t]+#/.test(restOfLine) ? behind + restOfLine.length : behind;
  if (comma !== '') return [insertion(end, `${gap}${text},`)];
  return [insertion(before.end, ','), insertion(end, `${gap}${text}`)];
}

function insertion(offset: number, text: string): Change {
  return { start: offset, end: offset, text };
}

/** One space, or a new line where the neighbour has a line of its own. */
function gapAt(source: YamlSource, neighbour: number, lineBreak: string): string {
  const before = source.text.slice(lineStart(source.text, neighbour), neighbour);
  return neighbour > 0 && before !== '' && before.trim() === '' ? lineBreak + before : ' ';
}

function isEmptyRoot(source: YamlSource, path: Path): boolean {
  const { root } = source;
  if (path.length > 0 || source.isBroken) return false;
  return (
    root === null ||
    (isScalar(root) && root.value === null && root.srcToken === undefined && root.anchor === undefined)
  );
}

function startFile(source: YamlSource, value: Plain): EditResult {
  const layout = layoutOf(source);
  const { text } = source;
  const lines = Array.isArray(value)
    ? renderItem((value as readonly Plain[])[0]!, layout)
    : Object.entries(value as Record<string, Plain>).flatMap(([key, part]) => renderEntry(key, part, layout));
  const gap = text === '' || text.endsWith('\n') ? '' : layout.lineBreak;
  const added = gap + lines.map((line) => line + layout.lineBreak).join('');
  return commit(source, treeOfPlain(value), [[{ start: text.length, end: text.length, text: added }]]);
}

/** Says whether a key is there without a value, or with `[]` or `{}` in a block. */
function isEmptyAt(source: YamlSource, path: Path): boolean {
  if (path.length === 0) return false;
  const parent = findPlace(source, path.slice(0, -1));
  if (!parent.ok) return false;
  const index = indexOf(parent.node, path.at(-1)!);
  const slot = parent.slots[index];
  if (slot === undefined) return false;
  const { value } = slot;
  if (value === undefined) return true;
  if (value.type === 'flow-collection') {
    const inside = source.text.slice(value.offset + 1, value.end[0]?.offset ?? value.offset + 1);
    return !parent.isFlow && inside.trim() === '';
  }
  return value.type === 'scalar' && ['null', '~', 'Null', 'NULL'].includes(value.source);
}
