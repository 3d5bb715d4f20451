/** A SKILL.md taken apart by its lines; offsets count from the start of the file. */
export interface SplitSkill {
  /**
   * The file up to the closing line as YAML, at its own offsets: the opening line is a comment,
   * and lone carriage returns, which the YAML library takes for text, are line feeds.
   */
  readonly yaml: string;
  readonly bodyStart: number;
  readonly bodyLine: number;
}

export type SplitResult = SplitSkill | { readonly problem: 'no-frontmatter' | 'unclosed' };

const opening = /^\uFEFF?---[ \t]*\r?(?=\n|$)/;
const closing = /\n---[ \t]*\r?(?:\n|$)/g;

/** Finds the frontmatter by lines alone, so that "---" inside a value or in the body ends nothing. */
export function splitFrontmatter(text: string): SplitResult {
  const flat = unixLines(text);
  const head = opening.exec(flat)?.[0];
  if (head === undefined) return { problem: 'no-frontmatter' };
  closing.lastIndex = head.length;
  const end = closing.exec(flat);
  if (end === null) return { problem: 'unclosed' };
  const yaml = '#'.padEnd(head.length) + flat.slice(head.length, end.index + 1);
  const bodyStart = end.index + end[0].length;
  return { yaml, bodyStart, bodyLine: countLines(flat, bodyStart) };
}

/** The text with "\n" for every lone "\r", at the same length. */
export function unixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r(?!\n)/g, '\n') : text;
}

export type LineBreak = '\n' | '\r\n' | '\r';

/** The line break that the first line ends with. */
export function lineBreakOf(text: string): LineBreak {
  const found = /\r\n|\n|\r/.exec(text)?.[0];
  return found === '\r\n' || found === '\r' ? found : '\n';
}

function countLines(text: string, end: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
