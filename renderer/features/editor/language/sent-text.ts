import type { Change } from '#shared/lens/edit/text-lines.ts';

/** The one replacement that makes a text another. Compares pieces, not letters: long texts are sent while somebody types. */
export function changeBetween(before: string, after: string): Change {
  const most = Math.min(before.length, after.length);
  const start = longest(most, (length) => before.slice(0, length) === after.slice(0, length));
  const tail = longest(
    most - start,
    (length) => before.slice(before.length - length) === after.slice(after.length - length),
  );
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** The longest length that fits, where every shorter one fits too. */
function longest(most: number, fits: (length: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
