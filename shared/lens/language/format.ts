import { isMap, isScalar, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import { layoutOf, refuse } from '../edit/place.ts';
import type { EditResult } from '../edit/place.ts';
import { commit } from '../edit/commit.ts';
import type { Change } from '../edit/text-lines.ts';
import { collectionToken, slotsOf, tokenEnd } from '../edit/tokens.ts';
import { treeOf } from '../edit/tree.ts';
import { pairsOf } from '../yaml/source.ts';
import type { YamlSource } from '../yaml/source.ts';

/**
 * Brings indents to two columns a level, takes spaces off line ends and parts entries by at most one blank line.
 * Comments, order, quotes and texts stay; whatever would read otherwise afterwards is refused.
 */
export function formatEdits(source: YamlSource): EditResult {
  if (source.isBroken) return refuse('broken-text', 'Cannot format the text: correct its syntax first');
  const lines = new TextLines(source.text);
  const plan = new IndentPlan(source, lines);
  plan.visit(source.root, 0);
  return commit(source, treeOf(source), [changesOf(lines, plan)]);
}

/** The lines of a text by their offsets. */
class TextLines {
  readonly text: string;
  readonly starts: number[] = [];

  constructor(text: string) {
    this.text = text;
    this.starts.push(text.charCodeAt(0) === 0xfeff ? 1 : 0);
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1);
  }

  get count(): number {
    return this.starts.length;
  }

  /** The line without its break. */
  at(line: number): string {
    const end = line + 1 < this.count ? this.starts[line + 1]! - 1 : this.text.length;
    return this.text.slice(this.starts[line], end).replace(/\r$/, '');
  }

  indentOf(line: number): number {
    const text = this.at(line);
    return text.length - text.trimStart().length;
  }

  of(offset: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Where each line shall begin: lines of texts and brackets move along with the line that opens them. */
class IndentPlan {
  /** New indents of lines on which an entry begins. */
  readonly entries = new Map<number, number>();
  /** Lines that belong to something that begins on another line. */
  readonly within = new Map<number, number>();
  readonly #lines: TextLines;
  readonly #indentLists: boolean;

  constructor(source: YamlSource, lines: TextLines) {
    this.#lines = lines;
    this.#indentLists = layoutOf(source).indentLists;
  }

  visit(node: ParsedNode | null, column: number): void {
    const token = isMap(node) || isSeq(node) ? collectionToken(node) : undefined;
    if (token === undefined || token.type === 'flow-collection') {
      if (node && (isScalar(node) || token)) this.#follow(node);
      return;
    }
    for (const [index, slot] of slotsOf(token).entries()) {
      const line = this.#lines.of(slot.start);
      const old = slot.start - this.#lines.starts[line]!;
      if (this.#lines.indentOf(line) === old) this.entries.set(line, column);
      if (isMap(node)) {
        const value = pairsOf(node)[index]?.value ?? null;
        this.visit(value, isSeq(value) && !this.#indentLists ? column : column + 2);
      } else if (isSeq(node)) {
        const item = node.items[index] ?? null;
        const inner = item && (isMap(item) || isSeq(item)) ? collectionToken(item) : undefined;
        const first = inner && inner.type !== 'flow-collection' ? slotsOf(inner)[0]?.start : undefined;
        // What follows a dash on its line keeps its distance from it.
        const sameLine = first !== undefined && this.#lines.of(first) === line;
        this.visit(item, column + (sameLine ? first - slot.start : 2));
      }
    }
  }

  /** A text or brackets over several lines. */
  #follow(node: ParsedNode): void {
    const token = node.srcToken;
    if (!token) return;
    const first = this.#lines.of(node.range[0]);
    const last = this.#lines.of(Math.max(node.range[0], tokenEnd(token) - 1));
    const opener = this.#lines
      .at(first)
      .slice(0, node.range[0] - this.#lines.starts[first]!)
      .trim();
    // A value on the line below its key moves along with the key.
    const from = opener === '' ? first : first + 1;
    const owner = opener === '' ? this.#above(first) : first;
    for (let line = from; line <= last; line++) this.within.set(line, owner);
  }

  #above(line: number): number {
    let above = line - 1;
    while (above > 0 && (this.#lines.at(above).trim() === '' || this.#isComment(above))) above--;
    return Math.max(0, above);
  }

  #isComment(line: number): boolean {
    return this.#lines.at(line).trimStart().startsWith('#');
  }
}

function changesOf(lines: TextLines, { entries, within }: IndentPlan): Change[] {
  const shifts = new Map<number, number>();
  const shiftOf = (line: number): number => {
    const known = shifts.get(line);
    if (known !== undefined) return known;
    const entry = entries.get(line);
    const owner = within.get(line);
    const shift =
      entry !== undefined ? entry - lines.indentOf(line) : owner === undefined ? 0 : shiftOf(owner);
    shifts.set(line, shift);
    return shift;
  };
  const changes: Change[] = [];
  let blanks = 0;
  for (let line = 0; line < lines.count; line++) {
    const start = lines.starts[line]!;
    const text = lines.at(line);
    const isWithin = within.has(line) && !entries.has(line);
    if (text.trim() === '' && !isWithin) {
      blanks++;
      const isLast = line === lines.count - 1;
      if (blanks > 1 && !isLast) changes.push({ start, end: lines.starts[line + 1]!, text: '' });
      else if (text !== '') changes.push({ start, end: start + text.length, text: '' });
      continue;
    }
    blanks = 0;
    if (text.trim() === '') continue;
    const indent = lines.indentOf(line);
    const shift = entries.has(line) || isWithin ? shiftOf(line) : commentShift(lines, line, entries, shiftOf);
    const wanted = Math.max(0, indent + shift);
    if (wanted !== indent) changes.push({ start, end: start + indent, text: ' '.repeat(wanted) });
    const bare = text.trimEnd();
    if (!isWithin && bare.length < text.length && !within.has(line + 1))
      changes.push({ start: start + bare.length, end: start + text.length, text: '' });
  }
  return changes;
}

/** A comment goes with the next entry, or with the last one at its column where none follows there. */
function commentShift(
  lines: TextLines,
  line: number,
  entries: ReadonlyMap<number, number>,
  shiftOf: (line: number) => number,
): number {
  const indent = lines.indentOf(line);
  for (let next = line + 1; next < lines.count; next++) {
    if (!entries.has(next)) continue;
    if (lines.indentOf(next) === indent) return shiftOf(next);
    break;
  }
  for (let last = line - 1; last >= 0; last--)
    if (entries.has(last) && lines.indentOf(last) <= indent) return shiftOf(last);
  return 0;
}
