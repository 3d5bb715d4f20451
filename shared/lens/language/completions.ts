import { lineEnd, lineStart } from '../edit/text-lines.ts';
import { renderKey } from '../edit/render.ts';
import type { Completion, Completions, LanguageContext } from './completion.ts';
import { CursorFinder } from './cursor.ts';
import type { CursorPlace } from './cursor-place.ts';
import { factsOf } from './file-facts.ts';
import type { LanguageFile } from './file-facts.ts';
import { namedAt } from './names-at.ts';
import { namesFor } from './names-for.ts';
import { shapesAt } from './schema.ts';
import type { Shape } from './schema.ts';
import { lensSnippet, snippetsFor } from './snippets.ts';
import type { Snippet } from './snippets.ts';
import { variablesAt } from './variables-at.ts';

/** Asked at every letter, mostly about one text: what stands above the line is not read again. */
const cursors = new CursorFinder();

/** What can be written at an offset of a lens or library, also while its text is broken; undefined where nothing can. */
export function completionsAt(
  file: LanguageFile,
  offset: number,
  context: LanguageContext,
): Completions | undefined {
  const place = cursors.at(file.text, offset);
  if (!place) return undefined;
  const { start, end } = place;
  const items = place.isText
    ? variablesAt(readableOf(file, offset), place)
    : [
        ...(place.mayBeKey ? keysFor(file, place) : []),
        ...(place.mayBeValue ? valuesFor(file, place, { offset, context }) : []),
        ...(place.mayBeKey && !place.isFlow ? entriesFor(file, place) : []),
      ];
  return { start, end, items };
}

/**
 * The file without what is typed on the line of the cursor: half a line often breaks the rest of the text, and the
 * whole text would have to be read again at every letter.
 */
function readableOf(file: LanguageFile, offset: number): LanguageFile {
  const { text } = file;
  const [start, end] = [lineStart(text, offset), lineEnd(text, offset)];
  const kept = /^\s*(?:-\s+)*/.exec(text.slice(start, end))![0];
  if (hasDeeperLines(text.slice(end), kept.length)) return file;
  const cut = { ...file, text: text.slice(0, start) + kept + text.slice(end) };
  return factsOf(cut).source.isBroken && !factsOf(file).source.isBroken ? file : cut;
}

/** Without the line that they belong to, deeper lines would mean something else. */
function hasDeeperLines(below: string, column: number): boolean {
  const next = /^(?:[^\S\n]*(?:#.*)?\n)*( *)[^\s#]/.exec(below);
  return next !== null && next[1]!.length > column;
}

function keysFor({ kind, text }: LanguageFile, place: CursorPlace): Completion[] {
  if (place.needsDash) return [];
  const known = new Map<string, { shapes: readonly Shape[]; isRequired: boolean }>();
  for (const shape of fitting(shapesAt(kind, place.path), place.keys)) {
    for (const key of Object.keys(shape.properties ?? {})) {
      const shapes = shapesAt(kind, [...place.path, key]);
      const isRequired = shape.required?.includes(key) === true || known.get(key)?.isRequired === true;
      known.set(key, { shapes, isRequired });
    }
  }
  const indent = indentBelow(text, place);
  const isTop = place.path.length === 0 && place.keys.length === 0 && text.trim() !== place.prefix.trim();
  return [...known]
    .filter(([key]) => !place.keys.includes(key) && !(key === 'lens' && isTop))
    .map(([key, { shapes, isRequired }], index) => {
      const description = shapes.find((shape) => shape.description !== undefined)?.description;
      return {
        ...{ label: key, kind: 'property' as const, insert: `${key}:${behindKey(shapes, place, indent)}` },
        ...{ detail: kindsOf(shapes), rank: (isRequired ? 0 : 100) + index },
        ...(description === undefined ? {} : { documentation: description }),
      };
    });
}

/** Without the ways to write a map that the keys it has already rule out, such as an include where there is a name. */
function fitting(shapes: readonly Shape[], keys: readonly string[]): readonly Shape[] {
  const has = ({ properties = {} }: Shape, key: string): boolean => Object.hasOwn(properties, key);
  const known = keys.filter((key) => shapes.some((shape) => has(shape, key)));
  const fit = shapes.filter((shape) => known.every((key) => has(shape, key)));
  return fit.length > 0 ? fit : shapes;
}

/** A list of maps begins with a dash on the next line; what can be one word stays on this one. */
function behindKey(shapes: readonly Shape[], { isFlow }: CursorPlace, indent: string): string {
  if (isFlow || shapes.length === 0 || shapes.some(isScalar)) return ' ';
  return `\n${indent}  ${shapes.some(({ type }) => type === 'array') ? '- ' : ''}`;
}

/** What the next line needs beyond the indent of this one to stand below the cursor: the width of the dashes before it. */
function indentBelow(text: string, { start, column }: CursorPlace): string {
  const line = text.slice(lineStart(text, start), start);
  return ' '.repeat(Math.max(0, column - (line.length - line.trimStart().length)));
}

function isScalar({ type, enum: values }: Shape): boolean {
  return values !== undefined || (type !== 'array' && type !== 'object');
}

function kindsOf(shapes: readonly Shape[]): string {
  const words: Record<string, string> = {
    string: 'text',
    array: 'list',
    object: 'map',
    boolean: 'true or false',
  };
  const names = shapes.map(({ type, enum: values }) =>
    values ? values.map(String).join(' | ') : (words[type ?? ''] ?? type ?? ''),
  );
  return [...new Set(names.filter((name) => name !== ''))].join(', ');
}

function valuesFor(
  file: LanguageFile,
  place: CursorPlace,
  { offset, context }: { offset: number; context: LanguageContext },
): Completion[] {
  const named = namedAt(place.path) === undefined ? [] : namesFor(readableOf(file, offset), place, context);
  const quoted = named.map((item) => ({ ...item, insert: safe(file, place, item.insert) }));
  if (quoted.length > 0) return quoted;
  return shapesAt(file.kind, place.path).flatMap((shape, index) => {
    const values = shape.type === 'boolean' ? [true, false] : (shape.enum ?? []);
    return values.map((value) => ({
      ...{ label: String(value), kind: 'value' as const, insert: String(value), rank: index },
    }));
  });
}

/** A name that would not read as text gets quotes, unless it stands between some. */
function safe({ text }: LanguageFile, { start }: CursorPlace, name: string): string {
  if (/["']/.test(text[start - 1] ?? '')) return name;
  // Trying how each of a thousand names reads would be felt while typing, and most are plain words.
  const isPlain = /^[a-z][\w-]*$/i.test(name) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(name);
  return isPlain ? name : renderKey(name, { step: 2, indentLists: true }, undefined);
}

/** Whole entries of the list at the cursor. */
function entriesFor({ kind, text }: LanguageFile, place: CursorPlace): Completion[] {
  const isEmpty = text.trim() === place.prefix.trim();
  if (isEmpty && kind === 'lens' && place.path.length === 0) return [entry(lensSnippet, '', '')];
  const last = place.path.at(-1);
  const isItem = typeof last === 'number';
  // Within an item that is begun, a whole one would give it every key twice.
  if (isItem && place.keys.length > 0) return [];
  const list = isItem ? place.path.slice(0, -1) : place.path;
  if (!isItem && !place.needsDash && !place.mayBeValue) return [];
  const indent = indentBelow(text, place);
  return snippetsFor(list).map((snippet) => entry(snippet, indent, isItem ? '' : '- '));
}

function entry({ label, documentation, lines }: Snippet, indent: string, dash: '' | '- '): Completion {
  const [first = '', ...rest] = lines;
  const below = indent + ' '.repeat(dash.length);
  const insert = [`${dash}${first}`, ...rest.map((line) => `${below}${line}`)].join('\n');
  return { label, documentation, kind: 'snippet', insert, isSnippet: true, rank: 50 };
}
