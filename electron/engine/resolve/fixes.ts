import type { Location, TextEdit } from '#shared/model/diagnostic.ts';

/** Replaces exactly the text at a place. */
export function replaceAt(text: string, at: Location, replacement: string): TextEdit {
  return {
    file: at.file,
    start: offsetOf(text, at.line, at.column),
    end: offsetOf(text, at.endLine, at.endColumn),
    text: replacement,
  };
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let current = 1; current < line; current++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}
