import { isMap, isScalar, isSeq } from 'yaml';
import type { ParsedNode, YAMLMap } from 'yaml';
import type { Location } from '../../model/diagnostic.ts';
import type { DiagnosticCode, DiagnosticExtras } from '../diagnostics.ts';
import { didYouMean } from '../names.ts';
import { quote } from '../problems.ts';
import type { Problems } from '../problems.ts';
import { forbiddenKeys, keyText, pairsOf } from '../yaml/source.ts';
import type { ParsedPair, Path, YamlSource } from '../yaml/source.ts';

/** A text of the file together with its place. */
export interface PlacedText {
  readonly text: string;
  readonly at: Location;
  readonly path: Path;
}

/** What reading one file shares: the text with its positions, and where problems go. */
export class Reader {
  readonly source: YamlSource;
  readonly problems: Problems;

  constructor(source: YamlSource, problems: Problems) {
    this.source = source;
    this.problems = problems;
  }

  report(code: DiagnosticCode, node: ParsedNode, message: string, extras?: DiagnosticExtras): void {
    if (!this.problems.isFull) this.problems.add(code, this.source.at(node), message, extras);
  }

  /** Reports a value of the wrong kind under the key it belongs to. */
  wrongType(node: ParsedNode, key: string, expected: string): void {
    this.report(
      'value.wrong-type',
      node,
      `Cannot read ${quote(key)}: expected ${expected}, found ${kindOf(node)}`,
    );
  }

  /** The fields of a map, or undefined with a report where the node is something else. */
  fields(node: ParsedNode | null, path: Path, what: string): Fields | undefined {
    const target = this.source.resolve(node);
    if (isMap(target)) return new Fields(this, target, path);
    if (target !== null) this.wrongType(target, what, 'a map');
    return undefined;
  }

  /** The text of a scalar; a number or true/false is taken as it is spelled, with a hint to quote it. */
  text(node: ParsedNode, key: string): string | undefined {
    const target = this.source.resolve(node);
    if (!isScalar(target)) {
      if (target !== null) this.wrongType(target, key, 'text');
      return undefined;
    }
    if (typeof target.value === 'string') return target.value;
    const spelled = target.source;
    this.report('value.not-text', node, `${quote(key)} is text: put ${quote(spelled)} in quotes`, {
      fixes: [
        {
          title: `Quote ${quote(spelled)}`,
          edits: [
            {
              file: this.source.file,
              start: node.range[0],
              end: node.range[1],
              text: JSON.stringify(spelled),
            },
          ],
        },
      ],
    });
    return spelled;
  }
}

function kindOf(node: ParsedNode): string {
  if (isMap(node)) return 'a map';
  if (isSeq(node)) return 'a list';
  if (!isScalar(node)) return 'an alias';
  if (node.value === null) return 'nothing';
  return typeof node.value === 'string' ? 'text' : `the ${typeof node.value} ${quote(String(node.value))}`;
}

/** Says whether a node holds no value: `key:` with nothing behind it counts as not given. */
function isNothing(node: ParsedNode | null): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The list as a set; the lists of known keys are few and live as long as the program. */
function setOf(list: readonly string[]): ReadonlySet<string> {
  let set = sets.get(list);
  if (set === undefined) sets.set(list, (set = new Set(list)));
  return set;
}

/** One entry of a list, with its path. */
export interface Entry {
  readonly node: ParsedNode;
  readonly path: Path;
}

/**
 * The entries of one map. Getters give the value where it is given and fits, undefined otherwise,
 * and report what does not fit; keys nobody asked for end up in `rest`.
 */
export class Fields {
  readonly reader: Reader;
  readonly node: ParsedNode;
  readonly path: Path;
  readonly #pairs = new Map<string, ParsedPair>();

  constructor(reader: Reader, map: YAMLMap, path: Path) {
    this.reader = reader;
    this.node = map as ParsedNode;
    this.path = path;
    for (const pair of pairsOf(map)) {
      const key = keyText(reader.source.resolve(pair.key));
      if (key !== undefined && !this.#pairs.has(key) && !forbiddenKeys.has(key)) this.#pairs.set(key, pair);
    }
  }

  get at(): Location {
    return this.reader.source.at(this.node);
  }

  keys(): IterableIterator<string> {
    return this.#pairs.keys();
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** The value of a key with aliases followed, or undefined where it is not given or empty. */
  get(key: string): ParsedNode | undefined {
    const pair = this.#pairs.get(key);
    if (pair === undefined) return undefined;
    const value = this.reader.source.resolve(pair.value);
    return isNothing(value) ? undefined : value!;
  }

  /** Whether `null` is written behind a key, and not nothing. */
  saysNull(key: string): boolean {
    const pair = this.#pairs.get(key);
    const value = pair && this.reader.source.resolve(pair.value);
    return isScalar(value) && value.value === null && value.source !== undefined && value.source !== '';
  }

  /** The node of a key itself, for pointing at it. */
  keyNode(key: string): ParsedNode {
    return this.#pairs.get(key)?.key ?? this.node;
  }

  pathOf(key: string): Path {
    return [...this.path, key];
  }

  text(key: string, limit = Infinity): string | undefined {
    const node = this.get(key);
    if (node === undefined) return undefined;
    const text = this.reader.text(node, key);
    if (text !== undefined && text.length > limit) {
      const message = `${quote(key)} has ${text.length} characters, but at most ${limit} are allowed`;
      this.reader.report('value.too-long', node, message);
    }
    return text;
  }

  placedText(key: string): PlacedText | undefined {
    const node = this.get(key);
    const text = node === undefined ? undefined : this.reader.text(node, key);
    return text === undefined
      ? undefined
      : { text, at: this.reader.source.at(node!), path: this.pathOf(key) };
  }

  /** A list of texts; a single text counts as a list of one. */
  placedTexts(key: string): PlacedText[] | undefined {
    const node = this.get(key);
    if (node === undefined) return undefined;
    const result: PlacedText[] = [];
    for (const entry of this.entries(key, 'text or a list of texts')) {
      const text = this.reader.text(entry.node, key);
      if (text !== undefined) result.push({ text, at: this.reader.source.at(entry.node), path: entry.path });
    }
    return result;
  }

  texts(key: string): string[] | undefined {
    return this.placedTexts(key)?.map((placed) => placed.text);
  }

  number(key: string, range: { min: number; max: number; whole?: boolean }): number | undefined {
    const node = this.get(key);
    if (node === undefined) return undefined;
    if (!isScalar(node) || typeof node.value !== 'number' || Number.isNaN(node.value)) {
      this.reader.wrongType(node, key, 'a number');
      return undefined;
    }
    const { value } = node;
    if (value < range.min || value > range.max || (range.whole === true && !Number.isInteger(value))) {
      const kind = range.whole === true ? 'a whole number' : 'a number';
      const bounds =
        range.max === Infinity ? `of at least ${range.min}` : `from ${range.min} to ${range.max}`;
      this.reader.report(
        'value.out-of-range',
        node,
        `${quote(key)} is ${value}, but ${kind} ${bounds} is allowed`,
      );
    }
    return value;
  }

  flag(key: string): boolean | undefined {
    const node = this.get(key);
    if (node === undefined) return undefined;
    if (isScalar(node) && typeof node.value === 'boolean') return node.value;
    this.reader.wrongType(node, key, 'true or false');
    return undefined;
  }

  /** One of a known set; a value outside it is reported and kept. */
  choice<Known extends string>(key: string, known: readonly Known[]): Known | (string & {}) | undefined {
    const text = this.text(key);
    if (text === undefined || (known as readonly string[]).includes(text)) return text;
    const node = this.get(key)!;
    const meant = didYouMean(text, known);
    const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${quote(meant)}?`;
    this.reader.report('value.unknown', node, `${quote(key)} has the unknown value ${quote(text)}: ${hint}`, {
      fixes: meant === undefined ? [] : [this.#replacement(node, meant)],
    });
    return text;
  }

  map(key: string): Fields | undefined {
    const node = this.get(key);
    return node === undefined ? undefined : this.reader.fields(node, this.pathOf(key), key);
  }

  /** The entries of a list; a single value counts as a list of one where `expected` allows more than lists. */
  entries(key: string, expected = 'a list'): Entry[] {
    const node = this.get(key);
    if (node === undefined) return [];
    const path = this.pathOf(key);
    if (isSeq(node)) return listEntries(this.reader, node.items, path);
    if (expected !== 'a list' && isScalar(node)) return [{ node, path }];
    this.reader.wrongType(node, key, expected);
    return [];
  }

  /** The value as plain data, for sections that are kept and shown but not interpreted. */
  plain(key: string): unknown {
    const node = this.get(key);
    return node === undefined ? undefined : this.reader.source.plain(node);
  }

  /** What remains beside the known keys, as plain data; each such key is reported with the key that was probably meant. */
  rest(known: readonly string[]): Readonly<Record<string, unknown>> {
    const rest: Record<string, unknown> = {};
    const knownKeys = setOf(known);
    for (const [key, pair] of this.#pairs) {
      if (knownKeys.has(key)) continue;
      rest[key] = this.reader.source.plain(pair.value);
      if (key !== '<<') this.#reportUnknown(key, pair, known);
    }
    return rest;
  }

  #reportUnknown(key: string, pair: ParsedPair, known: readonly string[]): void {
    if (this.reader.problems.isFull) return;
    const node = pair.key ?? this.node;
    const meant = didYouMean(
      key,
      known.filter((candidate) => !this.#pairs.has(candidate)),
    );
    const hint = meant === undefined ? '' : `: did you mean ${quote(meant)}?`;
    this.reader.report('key.unknown', node, `Unknown key ${quote(key)}${hint}`, {
      fixes: meant === undefined ? [] : [this.#replacement(node, meant)],
    });
  }

  #replacement(node: ParsedNode, text: string) {
    const edit = { file: this.reader.source.file, start: node.range[0], end: node.range[1], text };
    return { title: `Change to ${quote(text)}`, edits: [edit] };
  }
}

/** The entries of a list without the empty ones. */
export function listEntries(reader: Reader, items: readonly (ParsedNode | null)[], path: Path): Entry[] {
  const entries: Entry[] = [];
  items.forEach((item, index) => {
    const node = reader.source.resolve(item);
    if (!isNothing(node)) entries.push({ node: node!, path: [...path, index] });
  });
  return entries;
}
