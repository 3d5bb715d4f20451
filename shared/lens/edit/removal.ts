import { lineEnd, lineStart, nextLine } from './text-lines.ts';
import type { Change } from './text-lines.ts';
import type { Slot } from './tokens.ts';

/** Takes the lines of one entry out of a block; the first entry may share its line with a dash. */
export function blockRemoval(text: string, slots: readonly Slot[], index: number): Change {
  const slot = slots[index]!;
  const start = lineStart(text, slot.start);
  const end = lineEnd(text, slot.end);
  const hasOwnLine = text.slice(start, slot.start).trim() === '';
  if (!hasOwnLine) {
    let resume = nextLine(text, end);
    while (resume < text.length && text.slice(resume, lineEnd(text, resume)).trim() === '')
      resume = nextLine(text, resume);
    while (text[resume] === ' ') resume++;
    return { start: slot.start, end: resume, text: '' };
  }
  if (end < text.length) {
    const next = nextLine(text, end);
    const isParted = start > 0 && isBlankLine(text, lineStart(text, start - 1)) && isBlankLine(text, next);
    // Of the two blank lines around it one goes with it: else every removal would leave a wider gap.
    return { start, end: isParted ? nextLine(text, next) : next, text: '' };
  }
  // At the end of a text without a last line break, the break before goes, so that there still is none.
  const breakBefore = text[start - 2] === '\r' ? start - 2 : start - 1;
  return { start: Math.max(0, breakBefore), end, text: '' };
}

function isBlankLine(text: string, start: number): boolean {
  return start < text.length && text.slice(start, lineEnd(text, start)).trim() === '';
}

/** Takes one entry and one comma out of brackets. */
export function flowRemoval(text: string, slots: readonly Slot[], index: number): Change {
  const slot = slots[index]!;
  const next = slots[index + 1];
  const before = slots[index - 1];
  if (next !== undefined && isBare(text.slice(slot.end, next.start)))
    return { start: slot.start, end: next.start, text: '' };
  if (next === undefined && before !== undefined && isBare(text.slice(before.end, slot.start))) {
    return { start: before.end, end: slot.end, text: '' };
  }
  const comma = /^[ \t]*,?/.exec(text.slice(slot.end))![0].trimEnd();
  return { start: slot.start, end: slot.end + comma.length, text: '' };
}

/** Says whether only spaces and a comma stand between two entries, so that no comment is lost. */
function isBare(between: string): boolean {
  return /^\s*,\s*$/.test(between);
}
