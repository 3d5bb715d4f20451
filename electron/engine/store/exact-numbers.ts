/** A run of digits that is a whole number by itself, not the fraction, the exponent or the front of another number. */
const longWhole = /(?<![.\deE+]|[eE]-)\d{16,}(?![\d.eE])/g;
/** No number is written by itself with more digits. */
const maxDigits = 21;

/**
 * JSON with an infinite number in place of every whole number that would come back as another one, so that whoever reads
 * it finds them where they stand; undefined where there is none, as in nearly all JSON.
 */
export function withInexactAsInfinite(json: string): string | undefined {
  if (json.search(longWhole) === -1) return undefined;
  let marked = '';
  let at = 0;
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    const start = quote === -1 ? json.length : quote;
    const end = endOfString(json, start);
    marked += marking(json.slice(at, start)) + json.slice(start, end);
    at = end;
  }
  return marked === json ? undefined : marked;
}

function marking(betweenStrings: string): string {
  if (betweenStrings.length < 16) return betweenStrings;
  return betweenStrings.replace(longWhole, (digits) => (isExact(digits) ? digits : '1e999'));
}

function isExact(digits: string): boolean {
  return digits.length <= maxDigits && String(Number(digits)) === digits;
}

/** Behind the string that starts here. By hand: a pattern for strings overflows on one with millions of escapes. */
function endOfString(json: string, start: number): number {
  for (let end = start + 1; end < json.length; end++) {
    end = json.indexOf('"', end);
    if (end === -1) break;
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return json.length;
}
