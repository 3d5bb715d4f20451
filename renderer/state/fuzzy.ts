/** How well a text answers a query: higher is better, undefined when it does not. Positions are the matched letters. */
export interface FuzzyMatch {
  readonly score: number;
  readonly positions: readonly number[];
}

/** Finds the query's letters in order in the text, whatever stands between; runs and word starts count more. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const wanted = query.toLowerCase().replace(/\s+/g, '');
  const given = text.toLowerCase();
  const whole = wanted === '' ? 0 : given.indexOf(wanted);
  if (whole >= 0) {
    const positions = Array.from({ length: wanted.length }, (_, i) => whole + i);
    return { score: wanted.length * 3 + startBonus(text, whole) * 4 - text.length / 100, positions };
  }
  const positions: number[] = [];
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    const at = given.indexOf(letter, from);
    if (at < 0) return undefined;
    score += (at === from && from > 0 ? 1 : 0) + startBonus(text, at);
    positions.push(at);
    from = at + letter.length;
  }
  return { score: score - text.length / 100, positions };
}

function startBonus(text: string, at: number): number {
  if (at === 0) return 2;
  return /[\s\-_./:]/.test(text[at - 1] ?? '') ? 1 : 0;
}
