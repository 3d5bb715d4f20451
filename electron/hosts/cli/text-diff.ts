import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { cleanTerminalText } from '#engine/sandbox/terminal-text.ts';

/** Two files that have little in common would keep the comparison busy for minutes. */
const patienceMs = 2000;

/** A unified diff without what a terminal would obey; undefined content is a file that is not there. */
export function textDiff(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): string {
  const patch = exactDiff(path, before, after);
  // A return alone would look like a line of the diff, and line ends are told only where they are not all the same.
  const isMixed =
    /\r\n/.test(patch) && [before, after].some((bytes) => /(?<!\r)\n/.test(decode(bytes) ?? ''));
  return shownText(patch.replace(isMixed ? /\r/g : /\r(?!\n)/g, '<U+000D>'));
}

/** The same with every character as it is, so that it can be applied: for programs and files, never for a terminal. */
export function exactDiff(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): string {
  const [from, to] = [before ? `a/${path}` : '/dev/null', after ? `b/${path}` : '/dev/null'];
  const texts = [decode(before), decode(after)];
  const [old, now] = texts;
  if (old === undefined || now === undefined)
    return `Binary files ${quoted(from)} and ${quoted(to)} differ\n`;
  const patch: string | undefined = createTwoFilesPatch(from, to, old, now, undefined, undefined, {
    headerOptions: FILE_HEADERS_ONLY,
    timeout: patienceMs,
  });
  return patch ?? `Files ${quoted(from)} and ${quoted(to)} differ in nearly everything\n`;
}

/** A line end in a name would begin a line of the diff that nobody wrote; in the head of a patch it is quoted already. */
export function quoted(path: string): string {
  return /[\p{Cc}"\\]/u.test(path) ? JSON.stringify(path) : path;
}

/** Text of a stranger for a reader who has to judge it: nothing for the terminal to obey, nothing that hides. */
export function shownText(text: string): string {
  return cleanTerminalText(text).replace(
    hidden,
    (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}

/** Direction marks, zero-width characters and tags; they make code look like other code. */
const hidden = /[\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/** The text of a file; undefined where it is none. */
function decode(bytes: Uint8Array = new Uint8Array()): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined; // Not UTF-8: shown as a binary file.
  }
}
