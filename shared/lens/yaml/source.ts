import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { Alias, ParsedNode, YAMLMap } from 'yaml';
import type { Location } from '../../model/diagnostic.ts';
import type { Lines } from './lines.ts';

/** Where a value sits in a file: map keys and list indexes from the root. */
export type Path = readonly (string | number)[];

/** A pair of a map as the YAML library parses it: both sides may be missing. */
export interface ParsedPair {
  readonly key: ParsedNode | null;
  readonly value: ParsedNode | null;
}

/** A parsed text with its positions; what the model was read from and what edits work on. */
export class YamlSource {
  readonly file: string;
  readonly text: string;
  /** The value at the top of the file, or null where there is none or it may not be read. */
  readonly root: ParsedNode | null;
  /** True where the syntax is broken, so that text edits could destroy what the reader did not understand. */
  readonly isBroken: boolean;
  readonly #lines: Lines;
  readonly #targets: ReadonlyMap<Alias, ParsedNode>;

  constructor(parts: {
    file: string;
    text: string;
    root: ParsedNode | null;
    isBroken: boolean;
    lines: Lines;
    targets: ReadonlyMap<Alias, ParsedNode>;
  }) {
    this.file = parts.file;
    this.text = parts.text;
    this.root = parts.root;
    this.isBroken = parts.isBroken;
    this.#lines = parts.lines;
    this.#targets = parts.targets;
  }

  /** The place between two offsets. */
  location(start: number, end: number): Location {
    return this.#lines.location(this.file, start, end);
  }

  /** The place of a node's own text. */
  at(node: ParsedNode): Location {
    return this.location(node.range[0], node.range[1]);
  }

  /** The node itself, or what an alias stands for; null for an alias that leads nowhere. */
  resolve(node: ParsedNode | null): ParsedNode | null {
    return isAlias(node) ? (this.#targets.get(node) ?? null) : node;
  }

  /** The value at a path, with aliases followed, or undefined where there is none. */
  find(path: Path): ParsedNode | undefined {
    let node = this.resolve(this.root);
    for (const step of path) {
      let next: ParsedNode | null | undefined;
      if (isMap(node)) next = findPair(node, String(step))?.value;
      else if (isSeq(node) && typeof step === 'number') next = node.items[step];
      if (next === undefined || next === null) return undefined;
      node = this.resolve(next);
    }
    return node ?? undefined;
  }

  /** The place of the value at a path. */
  locate(path: Path): Location | undefined {
    const node = this.find(path);
    return node === undefined ? undefined : this.at(node);
  }

  /** The value as plain data; maps lose keys that are not text. */
  plain(node: ParsedNode | null): unknown {
    const target = this.resolve(node);
    if (isScalar(target)) return target.value;
    if (isSeq(target)) return target.items.map((item) => this.plain(item));
    if (!isMap(target)) return null;
    const result: Record<string, unknown> = {};
    for (const pair of pairsOf(target)) {
      const key = keyText(pair.key);
      if (key !== undefined && !forbiddenKeys.has(key) && !Object.hasOwn(result, key)) {
        result[key] = this.plain(pair.value);
      }
    }
    return result;
  }
}

/** Keys that could reach an object's prototype in careless code. */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The pairs of a parsed map. */
export function pairsOf(map: YAMLMap): readonly ParsedPair[] {
  return map.items as unknown as readonly ParsedPair[];
}

/** The text of a key as it is written (the number 1 and the text "1" are one key), or undefined for lists and maps. */
export function keyText(key: ParsedNode | null): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === 'string' ? key.value : key.source;
}

/** The first pair of a map with the key. */
export function findPair(map: YAMLMap, key: string): ParsedPair | undefined {
  return pairsOf(map).find((pair) => keyText(pair.key) === key);
}
