/** Lines that can be folded into the first of them; both 1-based. */
export interface FoldingRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: 'block' | 'comment';
}

/** What can be folded: a line with the deeper ones below it, and comments of several lines. */
export function foldingOf(lines: readonly string[]): readonly FoldingRange[] {
  const ranges: FoldingRange[] = [];
  const open: { indent: number; line: number }[] = [];
  let lastContent = 0;
  let commentFrom: number | undefined;
  const closeTo = (indent: number): void => {
    for (let top = open.at(-1); top && top.indent >= indent; top = open.at(-1)) {
      open.pop();
      if (lastContent > top.line) ranges.push({ startLine: top.line, endLine: lastContent, kind: 'block' });
    }
  };
  const endComment = (line: number): void => {
    if (commentFrom !== undefined && line - 1 > commentFrom)
      ranges.push({ startLine: commentFrom, endLine: line - 1, kind: 'comment' });
    commentFrom = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const content = line.trim();
    if (content.startsWith('#')) {
      commentFrom ??= number;
      continue;
    }
    endComment(number);
    if (content === '') continue;
    const indent = effectiveIndent(line);
    closeTo(indent);
    open.push({ indent, line: number });
    lastContent = number;
  }
  endComment(lines.length + 1);
  closeTo(0);
  return ranges.sort((a, b) => a.startLine - b.startLine);
}

/** A list may stand at the column of its key and still belongs to it. */
function effectiveIndent(line: string): number {
  const indent = line.length - line.trimStart().length;
  return /^\s*-(?:\s|$)/.test(line) ? indent + 0.5 : indent;
}
