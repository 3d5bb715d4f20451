import { isMap, isScalar } from 'yaml';
import type { Scalar } from 'yaml';
import type { Path, YamlSource } from '../yaml/source.ts';
import { commit } from './commit.ts';
import { findPlace, indexOf, layoutOf, refuse, untouchable, valueAt } from './place.ts';
import type { EditResult, Place } from './place.ts';
import { renderFlow, renderForDash, renderForKey } from './render.ts';
import type { Layout, TextStyle } from './render.ts';
import { lineEnd, lineStart } from './text-lines.ts';
import type { Change } from './text-lines.ts';
import { blockScalarParts, slotsOf, tokenEnd } from './tokens.ts';
import type { Slot } from './tokens.ts';
import { changeTree, treeOf, treeOfPlain } from './tree.ts';
import type { Plain } from './tree.ts';

/** Writes another value into an entry that is there, in the style of the old one. */
export function replaceValue(source: YamlSource, path: Path, value: Plain): EditResult {
  const step = path.at(-1);
  if (step === undefined) return refuse('not-editable', 'Cannot replace the whole file');
  const place = findPlace(source, path.slice(0, -1));
  if (!place.ok) return place;
  const index = indexOf(place.node, step);
  if (index < 0) return refuse('not-found', `Cannot edit "${path.join('.')}": it is not there`);
  const old = valueAt(place.node, index);
  const problem = untouchable(old);
  if (problem !== undefined) return problem;
  const expected = changeTree(treeOf(source), path, () => treeOfPlain(value));
  const style = isScalar(old) ? styleFor(old, value) : undefined;
  return commit(source, expected, waysToWrite(source, place, place.slots[index]!, value, style));
}

/** Text keeps the quotes or the block of the text it replaces, but a new line never goes into quotes. */
function styleFor(old: Scalar, value: Plain): TextStyle {
  if (typeof value !== 'string' || typeof old.value !== 'string') return undefined;
  const isQuoted = old.type === 'QUOTE_DOUBLE' || old.type === 'QUOTE_SINGLE';
  return isQuoted && value.includes('\n') ? undefined : old.type;
}

function* waysToWrite(
  source: YamlSource,
  place: Place,
  slot: Slot,
  value: Plain,
  preferred: TextStyle,
): Generator<Change[]> {
  const styles: TextStyle[] = [preferred, undefined, 'QUOTED_LINE'];
  for (const style of new Set(styles)) {
    const layout = layoutOf(source);
    if (place.isFlow) yield [flowChange(slot, renderFlow(value, layout, style))];
    else if (slot.afterIndicator !== undefined) yield blockChanges(source, place, slot, value, layout, style);
  }
}

function flowChange(slot: Slot, text: string): Change {
  if (slot.value !== undefined) return { start: slot.value.offset, end: tokenEnd(slot.value), text };
  if (slot.afterIndicator !== undefined)
    return { start: slot.afterIndicator, end: slot.afterIndicator, text: ` ${text}` };
  return { start: slot.end, end: slot.end, text: `: ${text}` };
}

/** What of a block entry's old value stands on the line of its key or dash, and what on the lines below. */
interface OldValue {
  readonly headStart: number;
  readonly headEnd: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** How far its lines are indented from the key, where it is a block of text. */
  readonly textIndent?: number;
}

function blockChanges(
  source: YamlSource,
  place: Place,
  slot: Slot,
  value: Plain,
  layout: Layout & { lineBreak: string },
  style: TextStyle,
): Change[] {
  const { text } = source;
  const after = slot.afterIndicator!;
  const column = slot.start - lineStart(text, slot.start);
  const old = oldValue(text, slot, after, column);
  const isKey = isMap(place.node);
  const step = typeof value === 'string' ? (old.textIndent ?? layout.step) : layout.step;
  const rendered = isKey
    ? renderForKey(value, { ...layout, step }, style)
    : renderForDash(value, { ...layout, step }, style);

  let { headStart } = old;
  let head = rendered.head;
  if (headStart === after) head = head === '' ? '' : ` ${head}`;
  else if (head === '' && text.slice(after, headStart).trim() === '') headStart = after;
  // Below a dash the lines must stand where the first one does, however many spaces follow the dash.
  const offset = isKey || headStart === after ? 0 : Math.max(0, headStart - slot.start - 2);
  const prefix = ' '.repeat(column + offset);
  const body = rendered.body.map((line) => layout.lineBreak + (line === '' ? '' : prefix + line)).join('');
  return [
    { start: headStart, end: old.headEnd, text: head },
    { start: old.bodyStart, end: old.bodyEnd, text: body },
  ];
}

function oldValue(text: string, slot: Slot, after: number, column: number): OldValue {
  const { value } = slot;
  if (value === undefined) return inline(text, after, after);
  if (value.type === 'block-scalar') {
    const { header } = blockScalarParts(value);
    const headerLine = lineEnd(text, header.offset);
    const firstLine = value.source.split('\n').find((line) => line.trim() !== '') ?? '';
    const indent = firstLine.length - firstLine.trimStart().length - column;
    return {
      headStart: header.offset,
      headEnd: header.offset + header.source.length,
      bodyStart: headerLine,
      bodyEnd: Math.max(headerLine, tokenEnd(value)),
      ...(indent > 0 && indent < 10 ? { textIndent: indent } : {}),
    };
  }
  if (value.type === 'block-map' || value.type === 'block-seq') {
    const first = slotsOf(value)[0]?.start ?? value.offset;
    const line = lineStart(text, first);
    const end = lineEnd(text, tokenEnd(value));
    if (line <= after) return { headStart: first, headEnd: end, bodyStart: end, bodyEnd: end };
    const breakAt = text[line - 2] === '\r' ? line - 2 : line - 1;
    return { headStart: after, headEnd: after, bodyStart: breakAt, bodyEnd: end };
  }
  const isBelow =
    text.slice(after, value.offset).includes('\n') && text.slice(after, value.offset).trim() === '';
  return inline(text, isBelow ? after : value.offset, tokenEnd(value));
}

function inline(text: string, headStart: number, headEnd: number): OldValue {
  const line = lineEnd(text, headEnd);
  return { headStart, headEnd, bodyStart: line, bodyEnd: line };
}
