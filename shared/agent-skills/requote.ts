import { openYaml } from '../lens/yaml/open.ts';
import type { Place } from './problem.ts';

/** YAML in which text that only lacked quotes has them, on the same lines. */
export interface Requoted {
  readonly yaml: string;
  /** Where each value that was quoted stands in the file, by its key. */
  readonly values: ReadonlyMap<string, Place>;
}

/** A file with more entries than this is no SKILL.md that somebody wrote by hand. */
const maxEntries = 200;

const entryLine = /^([A-Za-z0-9_][A-Za-z0-9_-]*):(?:[ \t]+(.*))?$/;
const blockHeader = /^[|>][0-9+-]*[ \t]*(?:#.*)?$/;

/** Puts quotes around the top-level values that are no YAML without them; undefined where that mends nothing. */
export function requote(yaml: string): Requoted | undefined {
  const lines = yaml.split('\n').map((line) => line.replace(/\r$/, ''));
  const starts = lines.flatMap((line, index) => (entryLine.test(line) ? [index] : []));
  if (starts.length > maxEntries) return undefined;
  const values = new Map<string, Place>();
  starts.forEach((start, index) => {
    const end = starts[index + 1] ?? lines.length;
    const [, key = '', first = ''] = entryLine.exec(lines[start]!) ?? [];
    const more = lines.slice(start + 1, end);
    const text = plainText(first, more);
    if (text === undefined || values.has(key)) return;
    if (!openYaml(lines.slice(start, end).join('\n'), '').source.isBroken) return;
    const last = start + more.findLastIndex((line) => line.trim() !== '') + 1;
    values.set(key, {
      line: start + 1,
      column: lines[start]!.length - first.length + 1,
      endLine: last + 1,
      endColumn: lines[last]!.trimEnd().length + 1,
    });
    lines[start] = `${key}: ${JSON.stringify(text)}`;
    // The lines stay, so that everything below keeps its place.
    lines.fill('', start + 1, end);
  });
  return values.size === 0 ? undefined : { yaml: lines.join('\n'), values };
}

/** The words of a value that somebody wrote as plain text, or undefined where it may have been meant as something else. */
function plainText(first: string, more: readonly string[]): string | undefined {
  if (first.trim() === '' || blockHeader.test(first)) return undefined;
  if (more.some((line) => /^[^\s]/.test(line))) return undefined;
  const text = [first, ...more]
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
  const closers: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" };
  const closer = closers[text[0]!];
  // `name: [invalid` is a broken list; `[beta] parses PDFs` is a sentence.
  if (closer !== undefined && !text.slice(1, -1).includes(closer)) return undefined;
  return text;
}
