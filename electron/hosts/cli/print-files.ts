import type { PlannedFile } from '#engine/agent-skills/write-trees.ts';
import { printTable } from './table.ts';
import type { Output } from './terminal.ts';

/** Prints what is written, file by file. */
export function printFiles(output: Output, files: readonly PlannedFile[]): void {
  if (files.length === 0) return;
  const rows = files.map(({ operation, path, size, isExecutable }) => [
    operation,
    `${path}${isExecutable ? ' *' : ''}`,
    String(size),
  ]);
  printTable(output, ['', 'FILE', 'BYTES'], rows);
}
