import { minimize } from '#shared/lens/edit/text-lines.ts';
import type { Place } from '#renderer/state/tabs.svelte.ts';

/** One replacement by place. */
export interface TextChange {
  readonly place: Place;
  readonly text: string;
}

/** The smallest replacement that makes one text the other; both have bare line feeds. Undefined where they are equal. */
export function textChange(before: string, after: string): TextChange | undefined {
  const [edit] = minimize(before, [{ file: '', start: 0, end: before.length, text: after }]);
  if (!edit) return undefined;
  // Half a surrogate pair is not a letter: an editor would move the end of the change and damage the text.
  const head = isHighSurrogate(before.charCodeAt(edit.start - 1)) ? before[edit.start - 1]! : '';
  const tail = isLowSurrogate(before.charCodeAt(edit.end)) ? before[edit.end]! : '';
  return {
    place: placeOf(before, edit.start - head.length, edit.end + tail.length),
    text: head + edit.text + tail,
  };
}

/** Offsets as lines and columns. */
export function placeOf(text: string, start: number, end: number): Place {
  const from = positionOf(text, start);
  const to = positionOf(text, end);
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
