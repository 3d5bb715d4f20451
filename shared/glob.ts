/** Says whether a path, given by its parts, is meant. */
export type PathTest = (parts: readonly string[]) => boolean;

type Token =
  | { readonly kind: 'any' }
  | { readonly kind: 'run' }
  | { readonly kind: 'one'; readonly test: (character: string) => boolean };

const maxPatternLength = 1024;
const maxAlternatives = 64;

/**
 * Compiles a glob with *, ?, [classes], {alternatives} and **. Globs come from lenses and .gitignore files of strangers,
 * so a match takes at most pattern × path steps; glob libraries make regular expressions of them, and eight stars are
 * enough to stop such an expression for minutes.
 */
export function compileGlob(pattern: string): PathTest {
  if (pattern.length > maxPatternLength) return () => false;
  const tests = expandBraces(pattern.replace(/^\.\//, '')).map(compilePath);
  return (parts) => tests.some((test) => test(parts));
}

/** A pattern without alternatives, as .gitignore has them. */
export function compilePath(pattern: string): PathTest {
  const segments = pattern.split('/').map((segment) => (segment === '**' ? undefined : compileName(segment)));
  return (parts) =>
    matchRuns(segments, parts, {
      isRun: (segment) => segment === undefined,
      accepts: (segment, part) => segment!(part),
    });
}

/** One name without slashes. */
export function compileName(pattern: string): (name: string) => boolean {
  // Nearly all patterns are such, and are tried on every file of a workspace.
  if (/^[^*?[\\]*$/.test(pattern)) return (name) => name === pattern;
  if (/^\*[^*?[\\]*$/.test(pattern)) return endsWith(pattern.slice(1));
  const tokens = tokensOf(pattern);
  return (name) =>
    matchRuns(tokens, [...name], {
      isRun: (token) => token.kind === 'run',
      accepts: (token, character) => token.kind === 'any' || (token.kind === 'one' && token.test(character)),
    });
}

function endsWith(end: string): (name: string) => boolean {
  return (name) => name.endsWith(end);
}

interface Matching<Pattern, Item> {
  readonly isRun: (pattern: Pattern) => boolean;
  readonly accepts: (pattern: Pattern, item: Item) => boolean;
}

/** Goes back only to the latest run: an earlier one could not do better with the same rest. */
function matchRuns<Pattern, Item>(
  patterns: readonly Pattern[],
  items: readonly Item[],
  { isRun, accepts }: Matching<Pattern, Item>,
): boolean {
  let at = 0;
  let run = -1;
  let resume = 0;
  for (let i = 0; i < items.length;) {
    const pattern = patterns[at];
    if (at < patterns.length && isRun(pattern!)) {
      run = at++;
      resume = i;
    } else if (at < patterns.length && accepts(pattern!, items[i]!)) {
      at++;
      i++;
    } else if (run >= 0) {
      at = run + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  while (at < patterns.length && isRun(patterns[at]!)) at++;
  return at === patterns.length;
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    if (character === '*') {
      if (tokens.at(-1)?.kind !== 'run') tokens.push({ kind: 'run' });
    } else if (character === '?') {
      tokens.push({ kind: 'any' });
    } else if (character === '[') {
      const found = readClass(characters, i);
      tokens.push({ kind: 'one', test: found?.test ?? is('[') });
      i = found?.end ?? i;
    } else if (character === '\\' && i + 1 < characters.length) {
      tokens.push({ kind: 'one', test: is(characters[++i]!) });
    } else {
      tokens.push({ kind: 'one', test: is(character) });
    }
  }
  return tokens;
}

function is(wanted: string): (character: string) => boolean {
  return (character) => character === wanted;
}

function readClass(
  characters: readonly string[],
  start: number,
): { test: (character: string) => boolean; end: number } | undefined {
  let i = start + 1;
  const isNegated = characters[i] === '!' || characters[i] === '^';
  if (isNegated) i++;
  const ranges: [string, string][] = [];
  for (let isFirst = true; i < characters.length; i++, isFirst = false) {
    if (characters[i] === ']' && !isFirst) {
      return { test: (c) => ranges.some(([from, to]) => from <= c && c <= to) !== isNegated, end: i };
    }
    if (characters[i] === '\\') i++;
    const from = characters[i];
    if (from === undefined) return undefined;
    const isRange = characters[i + 1] === '-' && characters[i + 2] !== undefined && characters[i + 2] !== ']';
    ranges.push([from, isRange ? characters[i + 2]! : from]);
    if (isRange) i += 2;
  }
  return undefined;
}

/** All texts that a pattern with {a,b} stands for; too many alternatives make it stand for itself. */
function expandBraces(pattern: string): string[] {
  let texts = [pattern];
  for (;;) {
    const next = texts.flatMap(expandFirst);
    if (next.length > maxAlternatives) return [pattern];
    if (next.length === texts.length && next.every((text, i) => text === texts[i])) return texts;
    texts = next;
  }
}

function expandFirst(pattern: string): string[] {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!found) return [pattern];
  const before = pattern.slice(0, found.index);
  const after = pattern.slice(found.index + found[0].length);
  return found[1]!.split(',').map((choice) => `${before}${choice}${after}`);
}
