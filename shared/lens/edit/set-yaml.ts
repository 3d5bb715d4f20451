import { isMap } from 'yaml';
import { openYaml } from '../yaml/open.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import { commit } from './commit.ts';
import { setField } from './field-edits.ts';
import { joined } from './item-edits.ts';
import { findPlace, indexOf, layoutOf, refuse } from './place.ts';
import type { EditResult } from './place.ts';
import { lineEnd, lineStart } from './text-lines.ts';
import type { Change } from './text-lines.ts';
import type { Slot } from './tokens.ts';
import { changeTree, treeOf } from './tree.ts';
import type { Plain } from './tree.ts';

/** The lines of the value at a path as they are written, without the indentation they have in common. */
export function yamlAt(source: YamlSource, path: Path): string {
  const node = source.find(path);
  if (!node) return '';
  const [start, end] = node.range;
  const column = start - lineStart(source.text, start);
  const [first = '', ...rest] = source.text.slice(start, end).trimEnd().split(/\r?\n/);
  return [first, ...rest.map((line) => line.slice(Math.min(column, line.search(/\S|$/))))].join('\n');
}

/** Writes YAML text as the value of a map entry, comments of that text included. Refuses text that is no YAML value. */
export function setYaml(source: YamlSource, path: Path, text: string): EditResult {
  const { source: given, problems } = openYaml(text, source.file);
  const problem = problems.diagnostics.find(({ severity }) => severity === 'error');
  if (problem) return refuse('not-editable', `${problem.message} (line ${problem.location.line})`);
  const item = path.slice(0, -1);
  const key = String(path.at(-1));
  const value = given.plain(given.root) as Plain;
  if (source.find(path) === undefined) {
    const made = setField(source, { item, key }, value);
    if (!made.ok) return made;
    const written = setYaml(made.source, path, text);
    return written.ok ? joined(source, written.source) : written;
  }
  const place = findPlace(source, item);
  if (!place.ok) return place;
  const slot = place.slots[indexOf(place.node, key)];
  const written =
    slot?.afterIndicator !== undefined && !place.isFlow && isMap(place.node)
      ? commit(
          source,
          changeTree(treeOf(source), path, () => treeOf(given)),
          waysToWrite(source, slot, text),
        )
      : undefined;
  return written?.ok ? written : setField(source, { item, key }, value);
}

/** On the line of the key, or below it; a comment behind the key or behind the old value stays. */
function waysToWrite(
  source: YamlSource,
  { start, end, afterIndicator, value }: Slot,
  text: string,
): Change[][] {
  const after = afterIndicator!;
  const { lineBreak, step } = layoutOf(source);
  const column = start - lineStart(source.text, start);
  const lines = text.trimEnd().split(/\r?\n/);
  const below = lines
    .map((line) => lineBreak + (line === '' ? '' : ' '.repeat(column + step) + line))
    .join('');
  const between = source.text.slice(after, value?.offset ?? after);
  const from = between.includes('\n') ? lineEnd(source.text, after) : after;
  const inline = [{ start: after, end, text: ` ${lines[0]}` }];
  return [
    ...(lines.length === 1 && !between.includes('#') ? [inline] : []),
    [{ start: from, end, text: below }],
  ];
}
