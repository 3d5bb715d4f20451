import type { Path } from '../yaml/source.ts';
import type { CursorPlace } from './cursor-place.ts';

interface Level {
  readonly kind: '[' | '{';
  index: number;
  key: string | undefined;
  readonly keys: string[];
  readonly entries: string[];
  /** Where the entry that is typed begins. */
  from: number;
}

/** Finds what the cursor is at between brackets and braces; `before` reads from the first bracket to the cursor. */
export function flowCursor(
  before: string,
  { offset, rest, path }: { offset: number; rest: string; path: Path },
): CursorPlace | undefined {
  const levels: Level[] = [];
  let quote: { mark: string; at: number } | undefined;
  for (let at = 0; at < before.length; at++) {
    const letter = before[at]!;
    const top = levels.at(-1);
    if (quote) {
      if (letter === '\\' && quote.mark === '"') at++;
      else if (letter === quote.mark) quote = undefined;
      continue;
    }
    if (/["']/.test(letter) && /[[{,:\s]/.test(before[at - 1] ?? ' ')) quote = { mark: letter, at };
    else if (letter === '#' && /\s/.test(before[at - 1] ?? ' ')) {
      const next = before.indexOf('\n', at);
      if (next < 0) return undefined;
      if (top && before.slice(top.from, at).trim() === '') top.from = next;
      at = next;
    } else if (letter === '[' || letter === '{')
      levels.push({ kind: letter, index: 0, key: undefined, keys: [], entries: [], from: at + 1 });
    else if (letter === ']' || letter === '}') levels.pop();
    else if (top && letter === ',') {
      top.entries.push(unquoted(before.slice(top.from, at).trim()));
      Object.assign(top, { index: top.index + 1, key: undefined, from: at + 1 });
    } else if (top && letter === ':' && /[\s,\]}]|^$/.test(before[at + 1] ?? '')) {
      top.key = unquoted(before.slice(top.from, at).trim());
      top.keys.push(top.key);
      top.from = at + 1;
    }
  }
  const top = levels.at(-1);
  if (!top) return undefined;
  const steps = levels.slice(0, -1).map(stepOf);
  const typed = quote ? before.slice(quote.at + 1) : before.slice(top.from).trimStart();
  const isKey = top.kind === '{' && top.key === undefined;
  const end = quote ? Math.max(0, rest.indexOf(quote.mark)) : (/^[^\s,\]}:#]*/.exec(rest)?.[0].length ?? 0);
  return {
    ...{ path: [...path, ...steps, ...(isKey ? [] : [stepOf(top)])], mayBeKey: isKey, mayBeValue: !isKey },
    ...{ isText: false, prefix: typed, start: offset - typed.length, end: offset + end },
    ...{ keys: isKey ? top.keys : [], column: 0, needsDash: false, isFlow: true },
    others: top.kind === '[' ? [...top.entries, ...entriesBehind(rest)] : [],
  };
}

/** The entries behind the one at the cursor, on the same line. */
function entriesBehind(rest: string): string[] {
  const [, ...behind] = rest.split(/[\]#]/, 1)[0]!.split(',');
  return behind.map((entry) => unquoted(entry.trim())).filter((entry) => entry !== '');
}

function stepOf({ kind, index, key }: Level): string | number {
  return kind === '[' ? index : (key ?? '');
}

function unquoted(key: string): string {
  return key.replace(/^(["'])(.*)\1$/s, '$2');
}
