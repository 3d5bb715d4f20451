import type { StyledSpan } from '#shared/model/output-style.ts';
import type { LogLine } from '#renderer/state/run-log.svelte.ts';

/** A part of a line that looks the same throughout. */
export interface LogPiece {
  readonly text: string;
  readonly span?: StyledSpan;
}

/** A line as parts that together are its text. */
export function logPieces({ text, styles = [] }: Pick<LogLine, 'text' | 'styles'>): LogPiece[] {
  const pieces: LogPiece[] = [];
  let end = 0;
  for (const span of styles) {
    if (span.start > end) pieces.push({ text: text.slice(end, span.start) });
    pieces.push({ text: text.slice(span.start, span.end), span });
    end = span.end;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
