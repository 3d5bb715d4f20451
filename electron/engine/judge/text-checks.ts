import type { DeterministicValidator } from '#shared/model/lens.ts';
import { countText } from '#shared/quantities.ts';
import type { PatternMatcher } from './pattern-matcher.ts';

/** What one check of a validator found. */
export interface Finding {
  readonly outcome: 'pass' | 'fail' | 'error';
  readonly message: string;
  /** The words that it rests on, cut. */
  readonly evidence?: string;
}

const longestEvidence = 200;

/** Every built-in check that a validator makes of a text. */
export async function checkText(
  validator: DeterministicValidator,
  text: string,
  matcher: PatternMatcher,
): Promise<Finding[]> {
  const { contains = [], notContains = [], matches = [], maxWords } = validator;
  return [
    ...contains.map((wanted) => checkContains(text, wanted)),
    ...notContains.map((unwanted) => checkNotContains(text, unwanted)),
    ...(await Promise.all(matches.map((pattern) => checkMatches(text, pattern, matcher)))),
    ...(maxWords === undefined ? [] : [checkWords(text, maxWords)]),
  ];
}

/** Text for a verdict: one line, not longer than a person reads. */
export function cut(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length <= longestEvidence ? line : `${line.slice(0, longestEvidence)}…`;
}

function checkContains(text: string, wanted: string): Finding {
  const at = text.indexOf(wanted);
  return at < 0
    ? { outcome: 'fail', message: `The result does not contain "${wanted}"` }
    : {
        outcome: 'pass',
        message: `The result contains "${wanted}"`,
        evidence: around(text, at, wanted.length),
      };
}

function checkNotContains(text: string, unwanted: string): Finding {
  const at = text.indexOf(unwanted);
  return at < 0
    ? { outcome: 'pass', message: `The result does not contain "${unwanted}"` }
    : {
        outcome: 'fail',
        message: `The result contains "${unwanted}" in line ${lineAt(text, at)}`,
        evidence: around(text, at, unwanted.length),
      };
}

async function checkMatches(text: string, pattern: string, matcher: PatternMatcher): Promise<Finding> {
  const match = await matcher.match(pattern, text);
  if ('problem' in match) return { outcome: 'error', message: `Cannot try /${pattern}/: ${match.problem}` };
  return match.found
    ? {
        outcome: 'pass',
        message: `The result matches /${pattern}/`,
        evidence: around(text, match.found.index, match.found.text.length),
      }
    : { outcome: 'fail', message: `The result does not match /${pattern}/` };
}

function checkWords(text: string, maxWords: number): Finding {
  let words = 0;
  for (const _ of text.matchAll(/\S+/g)) words++;
  const message = `The result has ${countText(words, 'word')}, and may have ${maxWords}`;
  return { outcome: words <= maxWords ? 'pass' : 'fail', message };
}

/** The words with the line they stand in, as far as that is short. */
function around(text: string, at: number, length: number): string {
  const context = 60;
  const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - context);
  const lineEnd = text.indexOf('\n', at + length);
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, at + length + context);
  return cut(text.slice(start, end));
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++;
  return line;
}
