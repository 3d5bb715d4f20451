import { lineEnd, lineStart, nextLine } from '../edit/text-lines.ts';
import type { Path } from '../yaml/source.ts';
import type { CursorPlace } from './cursor-place.ts';
import { flowCursor } from './flow-cursor.ts';
import { LineScanner, splitKey } from './line-scanner.ts';

/**
 * Finds what the cursor is at by looking at lines and indents alone: completion is asked for exactly where the
 * text does not parse. Undefined in comments and where nothing can stand.
 */
export function cursorAt(text: string, offset: number): CursorPlace | undefined {
  return new CursorFinder().at(text, offset);
}

/** Finds cursors one after the other: lines above the last one that are still the same are not read again at every letter. */
export class CursorFinder {
  #above = '';
  #scanner = new LineScanner();

  /** As `cursorAt`. */
  at(text: string, offset: number): CursorPlace | undefined {
    const start = lineStart(text, offset);
    const above = text.slice(text.charCodeAt(0) === 0xfeff ? 1 : 0, start);
    if (!above.startsWith(this.#above)) {
      this.#above = '';
      this.#scanner = new LineScanner();
    }
    for (const line of above.slice(this.#above.length).split('\n').slice(0, -1)) {
      this.#scanner.read(line.replace(/\r$/, ''));
    }
    this.#above = above;
    return placeAt(this.#scanner.clone(), { text, offset, start });
  }
}

function placeAt(
  scanner: LineScanner,
  { text, offset, start }: { text: string; offset: number; start: number },
): CursorPlace | undefined {
  const line = text.slice(start, lineEnd(text, offset));
  const column = offset - start;
  scanner.settle(line);
  if (scanner.isInside(line, column)) return textPlace(line, column, start, scanner.openPath);
  if (scanner.openFlow !== undefined) {
    const before = `${scanner.openFlow}\n${line.slice(0, column)}`;
    return flowCursor(before, { offset, rest: line.slice(column), path: scanner.openPath });
  }
  return blockPlace(scanner, { line, column, start, below: text.slice(lineEnd(text, offset)) });
}

/** A placeholder within text: what stands between `${` and the cursor. */
function textPlace(line: string, column: number, lineAt: number, path: Path): CursorPlace {
  const open = line.lastIndexOf('${', column - 1);
  const inside = open >= 0 && !line.slice(open, column).includes('}');
  const from = inside ? open + 2 : column;
  const end = inside ? column + (/^[\w.-]*/.exec(line.slice(column))?.[0].length ?? 0) : column;
  return {
    ...{ path, mayBeKey: false, mayBeValue: inside, isText: true, keys: [], others: [], needsDash: false },
    isFlow: false,
    ...{ prefix: line.slice(from, column), start: lineAt + from, end: lineAt + end, column },
  };
}

interface Line {
  readonly line: string;
  readonly column: number;
  readonly start: number;
  /** The text from the end of the line on. */
  readonly below: string;
}

function blockPlace(scanner: LineScanner, at: Line): CursorPlace | undefined {
  const { line, column, start } = at;
  const before = line.slice(0, column);
  if (isComment(before)) return undefined;
  const isBlank = line.trim() === '';
  const indent = isBlank ? column : line.length - line.trimStart().length;
  if (column < indent) return undefined;
  const { path, typed, at: typedAt, isKeyOf, needsDash } = scanner.enter(before, indent);
  const own = {
    ...{ path, column: typedAt, needsDash, isText: false, isFlow: false, others: [] },
    keys: isKeyOf ? [...scanner.keysAt(typedAt), ...keysBelow(at.below, typedAt)] : [],
  };
  const pair = splitKey(typed);
  if (pair) {
    if (typed.endsWith(':')) return undefined; // Nothing may follow a colon without a space.
    return valuePlace(pair.value, { ...own, path: [...path, pair.key], keys: [] }, at, start + column);
  }
  if (/^["'[{]/.test(typed)) return valuePlace(typed, { ...own, keys: [] }, at, start + column);
  if (/^[&*!|>]/.test(typed)) return undefined;
  const from = start + typedAt;
  return {
    ...{ ...own, mayBeKey: true, mayBeValue: !isKeyOf, prefix: typed },
    ...{ start: from, end: start + column + wordEnd(line.slice(column)) },
  };
}

type Own = Pick<CursorPlace, 'path' | 'column' | 'needsDash' | 'isText' | 'isFlow' | 'keys' | 'others'>;

function valuePlace(rest: string, own: Own, { line, column }: Line, offset: number): CursorPlace | undefined {
  const typed = rest.trimStart();
  const after = line.slice(column);
  if (/^[[{]/.test(typed)) return flowCursor(typed, { offset, rest: after, path: own.path });
  if (/^[&*!|>]/.test(typed)) return undefined;
  const quote = /^["']/.exec(typed)?.[0];
  const prefix = quote === undefined ? typed : typed.slice(1);
  if (quote !== undefined && prefix.includes(quote)) return undefined; // Behind the closing quote.
  const end = quote === undefined ? wordEnd(after) : Math.max(0, after.indexOf(quote));
  const inText =
    prefix.lastIndexOf('${') > prefix.lastIndexOf('}') ? prefix.lastIndexOf('${') + 2 : undefined;
  const shown = inText === undefined ? prefix : prefix.slice(inText);
  return {
    ...{ ...own, isText: inText !== undefined, mayBeKey: false, mayBeValue: true, prefix: shown },
    ...{ start: offset - shown.length, end: offset + (inText === undefined ? end : 0) },
  };
}

/** Says whether a comment begins before the cursor. */
function isComment(before: string): boolean {
  const bare = before.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, (quoted) => '_'.repeat(quoted.length));
  return /(?:^|\s)#/.test(bare);
}

function wordEnd(after: string): number {
  return /^[^\s,\]}#:]*/.exec(after)?.[0].length ?? 0;
}

/** Keys of the same map below the cursor, as far as its lines go. */
function keysBelow(below: string, column: number): string[] {
  const keys: string[] = [];
  for (let at = nextLine(below, 0); at < below.length; at = nextLine(below, at)) {
    const line = below.slice(at, lineEnd(below, at));
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const indent = line.length - line.trimStart().length;
    if (indent < column) break;
    const key = indent === column ? /^(["']?)([\w.-]+)\1\s*:(?:\s|$)/.exec(line.trim()) : null;
    if (key) keys.push(key[2]!);
    else if (indent === column) break;
  }
  return keys;
}
