/**
 * Whether a command is what a pattern such as `git log:*`, `npm run test *` or `make` means. A pattern stands for one
 * simple command: what strings several together, redirects, substitutes or spans lines is none, for what follows would
 * not be what was allowed.
 */
export function matchesCommand(command: string, pattern: string): boolean {
  const words = simpleWords(command);
  if (!words) return false;
  const isPrefix = /(?::\*|\s\*)$/.test(pattern);
  const wanted = simpleWords(pattern.replace(/(?::\*|\s\*)$/, ''));
  if (!wanted || wanted.length === 0 || words.length < wanted.length) return false;
  return (isPrefix || words.length === wanted.length) && wanted.every((word, i) => word === words[i]);
}

/** The words of one simple command; undefined for everything that a shell does more with than run it. */
export function simpleWords(command: string): string[] | undefined {
  const words: string[] = [];
  let rest = command.replace(/^[ \t]+/, '');
  while (rest !== '') {
    const word = /^(?:[A-Za-z0-9_@%+=:,./-]|'[^'\n]*'|"[^"$`\\\n!]*")+/.exec(rest)?.[0];
    if (word === undefined) return undefined;
    // A word with an equals sign at the front would set a variable for the command.
    if (words.length === 0 && /^[A-Za-z_]\w*\+?=/.test(word)) return undefined;
    words.push(
      word.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
    );
    const blank = /^[ \t]+/.exec(rest.slice(word.length))?.[0] ?? '';
    rest = rest.slice(word.length + blank.length);
    if (blank === '' && rest !== '') return undefined;
  }
  return words;
}
