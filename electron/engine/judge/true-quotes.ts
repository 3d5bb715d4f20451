import type { Evidence } from '#shared/model/verdict.ts';
import type { JudgedWork } from './judged-work.ts';

const longestQuote = 1000;

/** The quotes that really stand in the work, each with its place; how they are broken into lines does not matter. */
export function trueQuotes(quotes: readonly string[], { content, files }: JudgedWork): Evidence[] {
  const found = new Map<string, Evidence>();
  for (const quote of quotes) {
    const words = quote.trim().replace(/\s+/g, ' ');
    if (words === '' || words.length > longestQuote || found.has(words)) continue;
    const line = lineOf(words, content);
    if (line !== undefined) {
      found.set(words, { quote: words, line });
      continue;
    }
    for (const { path, text } of files) {
      const place = lineOf(words, text);
      if (place === undefined) continue;
      found.set(words, { quote: words, file: path, line: place });
      break;
    }
  }
  return [...found.values()];
}

/** The line in which the words begin, from 1; undefined where they are not in the text. */
function lineOf(words: string, text: string): number | undefined {
  const { folded, lines } = fold(text);
  const at = folded.indexOf(words);
  return at < 0 ? undefined : lines(at);
}

/** A text with every run of blanks as one, and the line of each place in it. */
function fold(text: string): { folded: string; lines: (at: number) => number } {
  const pieces = [...text.matchAll(/\S+/g)];
  const folded = pieces.map(([piece]) => piece).join(' ');
  const lines = (at: number): number => {
    let reached = 0;
    for (const { 0: piece, index } of pieces) {
      if (at < reached + piece.length) return text.slice(0, index).split('\n').length;
      reached += piece.length + 1;
    }
    throw new Error(`There is no place ${at} in a text of ${folded.length}`);
  };
  return { folded, lines };
}
