import type { Diagnostic, Location } from '../../model/diagnostic.ts';
import { openYaml } from '../yaml/open.ts';
import type { OpenedYaml } from '../yaml/open.ts';
import type { YamlSource } from '../yaml/source.ts';
import { lineEnd, lineStart, nextLine } from './text-lines.ts';

/** Lines of a text that cannot be read, and what is wrong with them. */
export interface UnreadablePart {
  readonly start: number;
  readonly end: number;
  readonly at: Location;
  readonly message: string;
}

/** What of a text can be read. Its offsets are those of the text itself, so that edits of it are edits of the text. */
export interface ReadablePart {
  /** The text with every unreadable part hidden behind comments; broken only where nothing helped. */
  readonly source: YamlSource;
  readonly unreadable: readonly UnreadablePart[];
}

const mostParts = 6;

/**
 * Finds what of a broken text can be read by hiding the smallest entries that make the rest readable.
 * What was changed since the text was last whole is the first suspect: an open quote is often noticed far below.
 */
export function readablePart(text: string, file: string, lastWhole?: string): ReadablePart {
  const opened = openYaml(text, file);
  let readable = opened;
  const unreadable: UnreadablePart[] = [];
  while (readable.source.isBroken && unreadable.length < mostParts) {
    const part = hideOne(readable, text, lastWhole);
    if (!part) return nothingReadable(opened);
    unreadable.push(part.hidden);
    readable = part.opened;
  }
  if (readable.source.isBroken) return nothingReadable(opened);
  return { source: readable.source, unreadable: unreadable.sort((a, b) => a.start - b.start) };
}

function hideOne(
  { source, problems }: OpenedYaml,
  text: string,
  lastWhole: string | undefined,
): { opened: OpenedYaml; hidden: UnreadablePart } | undefined {
  const before = syntaxProblems(problems);
  const [first] = before;
  if (!first) return undefined;
  const noticed = offsetOf(source.text, first.location);
  const suspects = [
    noticed,
    lineStart(source.text, noticed) - 1,
    ...(lastWhole === undefined ? [] : [firstDifference(lastWhole, text)]),
  ];
  const ranges = suspects.flatMap((offset) => (offset < 0 ? [] : entriesAround(source.text, offset)));
  if (lastWhole !== undefined) ranges.push(changedLines(lastWhole, text));
  ranges.sort((a, b) => a.end - a.start - (b.end - b.start));
  let best: { opened: OpenedYaml; left: number; start: number; end: number } | undefined;
  for (const { start, end } of ranges) {
    const opened = openYaml(hide(source.text, start, end), source.file);
    const left = opened.source.isBroken ? syntaxProblems(opened.problems).length : 0;
    if (left < (best?.left ?? before.length)) best = { opened, left, start, end };
    if (left === 0) break;
  }
  if (!best) return undefined;
  const { opened, start, end } = best;
  return { opened, hidden: { start, end, at: source.location(start, end), message: first.message } };
}

function syntaxProblems({ diagnostics }: OpenedYaml['problems']): Diagnostic[] {
  return diagnostics.filter(({ severity, code }) => severity === 'error' && code.startsWith('yaml.'));
}

function offsetOf(text: string, { line, column }: Location): number {
  let offset = 0;
  for (let n = 1; n < line; n++) offset = nextLine(text, offset);
  return offset + column - 1;
}

function firstDifference(before: string, after: string): number {
  let at = 0;
  while (at < after.length && before[at] === after[at]) at++;
  return at;
}

/** All lines that were changed, with what belongs to them: a quote and the one that an editor closed it with may stand on two. */
function changedLines(before: string, after: string): { start: number; end: number } {
  const first = firstDifference(before, after);
  const most = Math.min(before.length, after.length) - first;
  let same = 0;
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same++;
  const last = Math.max(first, after.length - same - 1);
  const start = lineStart(after, first);
  return { start, end: entryEnd(after, lineStart(after, last), indentAt(after, start)) };
}

/** The entries around an offset by their indentation, from the innermost to a whole section. */
function entriesAround(text: string, offset: number): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  const top = lineStart(text, 0);
  let start = filledLine(text, lineStart(text, Math.min(offset, text.length)), top);
  for (let indent = Infinity; ;) {
    const own = indentAt(text, start);
    if (own < indent) {
      indent = own;
      ranges.push({ start, end: entryEnd(text, start, indent) });
    }
    if (indent === 0 || start <= top) return ranges;
    start = filledLine(text, lineStart(text, start - 1), top);
  }
}

/** The line itself, or the first one above it that is not blank. */
function filledLine(text: string, line: number, top: number): number {
  let start = line;
  while (start > top && isBlank(text, start)) start = lineStart(text, start - 1);
  return start;
}

/** Where the next line stands that is not deeper than the entry. */
function entryEnd(text: string, start: number, indent: number): number {
  let end = nextLine(text, start);
  while (end < text.length && (isBlank(text, end) || indentAt(text, end) > indent)) end = nextLine(text, end);
  return end;
}

function indentAt(text: string, start: number): number {
  return /^ */.exec(text.slice(start, lineEnd(text, start)))![0].length;
}

function isBlank(text: string, start: number): boolean {
  return text.slice(start, lineEnd(text, start)).trim() === '';
}

/** Makes each line a comment of the same length, at the place of the entry, so that it ends no earlier block of text wrongly. */
function hide(text: string, start: number, end: number): string {
  const indent = indentAt(text, start);
  const lines = text.slice(start, end).replace(/[^\r\n]+/g, (line) => {
    return line.length <= indent ? ' '.repeat(line.length) : `${' '.repeat(indent)}#`.padEnd(line.length);
  });
  return text.slice(0, start) + lines + text.slice(end);
}

function nothingReadable({ source, problems }: OpenedYaml): ReadablePart {
  const first = problems.diagnostics.find(({ severity }) => severity === 'error');
  const { length: end } = source.text;
  const at = first?.location ?? source.location(0, end);
  return { source, unreadable: [{ start: 0, end, at, message: first?.message ?? 'Cannot read the text' }] };
}
