/** Whether a line of a log tells that something went wrong; `0 errors` does not. */
export function tellsOfFailure(line: string): boolean {
  // Nearly all lines have no such word, and need not be written anew.
  return isBad(line) && isBad(line.replace(nothing, ''));
}

function isBad(line: string): boolean {
  return words.test(line) || names.test(line);
}

const words = /\b(?:errors?|failed|failures?|traceback|exceptions?|fatal|panic(?:ked)?)\b/i;
/** What languages call their errors: `ValueError`, `NullPointerException`. */
const names = /\w(?:Error|Exception)\b/;
/** Good news in bad words. */
const nothing =
  /\b(?:no|0|zero|without(?: an| any)?)\s+(?:errors?|failed|failures?|exceptions?)\b|\b(?:errors?|failed|failures?|exceptions?)\s*[:=]\s*0\b/gi;
