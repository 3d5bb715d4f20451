import type { Evidence } from '#shared/model/verdict.ts';
import type { JudgedWork } from './judged-work.ts';

const longestQuote = 1000;
/** More than anybody reads; each is looked for in the whole work. */
const mostQuotes = 20;

/** The quotes that really stand in the work, each with its place; how they are broken into lines does not matter. */
export function trueQuotes(quotes: readonly string[], { content, files }: JudgedWork): Evidence[] {
  const texts = [
    { where: {}, ...fold(content) },
    ...files.map(({ path, text }) => ({ where: { file: path }, ...fold(text) })),
  ];
  const wanted = new Set(quotes.slice(0, mostQuotes).map((quote) => quote.trim().replace(/\s+/g, ' ')));
  return [...wanted].flatMap((quote) => {
    if (quote === '' || quote.length > longestQuote) return [];
    for (const { where, folded, lineAt } of texts) {
      const at = folded.indexOf(quote);
      if (at >= 0) return [{ quote, ...where, line: lineAt(at) }];
    }
    return [];
  });
}

/** A text with every run of blanks as one, and the line in which a place of it stands, from 1. */
function fold(text: string): { readonly folded: string; readonly lineAt: (at: number) => number } {
  const pieces = [...text.matchAll(/\S+/g)];
  const lineAt = (at: number): number => {
    let reached = 0;
    for (const { 0: piece, index } of pieces) {
      if (at < reached + piece.length) return text.slice(0, index).split('\n').length;
      reached += piece.length + 1;
    }
    throw new Error(`There is no place ${at} in a text of ${text.length} characters`);
  };
  return { folded: pieces.map(([piece]) => piece).join(' '), lineAt };
}
