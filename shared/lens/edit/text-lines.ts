import type { TextEdit } from '../../model/diagnostic.ts';

/** One replacement by offsets. */
export type Change = Pick<TextEdit, 'start' | 'end' | 'text'>;

/** The start of the line that holds an offset; a byte order mark is no part of the first line. */
export function lineStart(text: string, offset: number): number {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  return start === 0 && text.charCodeAt(0) === 0xfeff ? 1 : start;
}

/** The end of the line that holds an offset, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const next = text.indexOf('\n', offset);
  if (next < 0) return text.length;
  return next > offset && text[next - 1] === '\r' ? next - 1 : next;
}

/** The start of the next line, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const next = text.indexOf('\n', offset);
  return next < 0 ? text.length : next + 1;
}

/** The line break this text uses. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly Change[]): string {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let result = '';
  let from = 0;
  for (const edit of sorted) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** The smallest edits with the same effect: what is equal at either end of an edit is left alone. */
export function minimize(text: string, edits: readonly TextEdit[]): TextEdit[] {
  return edits
    .map((edit) => shrink(text, edit))
    .filter((edit) => edit.start !== edit.end || edit.text !== '')
    .sort((a, b) => a.start - b.start || a.end - b.end);
}

function shrink(text: string, edit: TextEdit): TextEdit {
  let { start, end } = edit;
  let from = 0;
  let to = edit.text.length;
  while (start < end && from < to && text[start] === edit.text[from]) {
    start++;
    from++;
  }
  while (start < end && from < to && text[end - 1] === edit.text[to - 1]) {
    end--;
    to--;
  }
  return { file: edit.file, start, end, text: edit.text.slice(from, to) };
}
