import { structuredPatch } from 'diff';

/** One line of a comparison; a gap stands for lines that are the same and not shown. */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'gap';
  readonly text: string;
}

/** Two texts that have little in common would keep the page busy for minutes. */
const patienceMs = 300;

/** Both texts line by line with a little of what stayed around each change. */
export function diffLines(before: string, after: string): DiffLine[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: patienceMs });
  if (!patch) return [...linesOf(before, 'removed'), ...linesOf(after, 'added')];
  return patch.hunks.flatMap(({ lines, oldStart }, i) => [
    ...(i > 0 || oldStart > 1 ? [{ kind: 'gap', text: `line ${oldStart}` } as const] : []),
    ...lines.filter((line) => !line.startsWith('\\')).map(patchLine),
  ]);
}

function patchLine(line: string): DiffLine {
  const kinds: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed' };
  return { kind: kinds[line[0] ?? ''] ?? 'same', text: line.slice(1) };
}

function linesOf(text: string, kind: DiffLine['kind']): DiffLine[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => ({ kind, text: line }));
}
