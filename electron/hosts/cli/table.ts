import { inert } from './terminal.ts';
import type { Output } from './terminal.ts';

/** Prints rows in columns under a head, with nothing in them that a terminal would obey. */
export function printTable(
  output: Output,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const lines = columns([head, ...rows]);
  lines.forEach((line, i) => output.line(i === 0 ? output.styled('dim', line) : line));
}

/** The rows as lines, each column as wide as its widest cell. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(inert));
  const widths: number[] = [];
  for (const row of cells) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  }
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
