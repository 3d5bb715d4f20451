import { isAlias, isMap, isSeq } from 'yaml';
import type { ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import type { TextEdit } from '../../model/diagnostic.ts';
import { keyText, pairsOf } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import type { Layout } from './render.ts';
import { lineBreakOf, lineStart } from './text-lines.ts';
import { collectionToken, slotsOf } from './tokens.ts';
import type { Slot } from './tokens.ts';

/** Why an edit was not made. */
export type Refusal =
  'broken-text' | 'not-found' | 'not-a-collection' | 'already-there' | 'alias' | 'tag' | 'not-editable';

/** The edits to make and the text as it reads afterwards, or why nothing may be touched. */
export type EditResult =
  | { readonly ok: true; readonly edits: TextEdit[]; readonly source: YamlSource }
  | { readonly ok: false; readonly reason: Refusal; readonly message: string };

export function refuse(reason: Refusal, message: string): { ok: false; reason: Refusal; message: string } {
  return { ok: false, reason, message };
}

/** A list or map that may be edited, with the places of its entries. */
export interface Place {
  readonly ok: true;
  readonly node: YAMLMap | YAMLSeq;
  readonly path: Path;
  readonly slots: readonly Slot[];
  readonly isFlow: boolean;
  /** The columns before its entries. */
  readonly indent: number;
}

/**
 * Finds the list or map at a path. Refuses where an edit there would reach further than its place:
 * behind an alias, or inside an anchored value that aliases repeat elsewhere.
 */
export function findPlace(source: YamlSource, path: Path): Place | ReturnType<typeof refuse> {
  if (source.isBroken) return refuse('broken-text', 'Cannot edit the text: correct its syntax first');
  let node = source.root;
  for (let depth = 0; ; depth++) {
    const problem = untouchable(node);
    if (problem !== undefined) return problem;
    if (!isMap(node) && !isSeq(node)) {
      return refuse(
        node === null ? 'not-found' : 'not-a-collection',
        `Cannot edit "${path.join('.')}": no list or map`,
      );
    }
    if (depth === path.length) break;
    const index = indexOf(node, path[depth]!);
    if (index < 0)
      return refuse('not-found', `Cannot edit "${path.join('.')}": "${path[depth]}" is not there`);
    node = valueAt(node, index);
  }
  const token = collectionToken(node);
  const slots = token === undefined ? [] : slotsOf(token);
  if (token === undefined || slots.length !== node.items.length) {
    return refuse('not-editable', `Cannot edit "${path.join('.')}": its text is too unusual`);
  }
  const first = slots[0]?.start ?? token.offset;
  return {
    ok: true,
    node,
    path,
    slots,
    isFlow: token.type === 'flow-collection',
    indent: first - lineStart(source.text, first),
  };
}

/** Says why a value must not be edited, if so. */
export function untouchable(node: ParsedNode | null): ReturnType<typeof refuse> | undefined {
  if (node === null) return undefined;
  if (isAlias(node))
    return refuse('alias', `Cannot edit behind alias "*${node.source}": edit the anchored value`);
  if (node.anchor !== undefined) {
    return refuse(
      'alias',
      `Cannot edit the value anchored as "&${node.anchor}": aliases repeat it elsewhere`,
    );
  }
  if (node.tag !== undefined) return refuse('tag', `Cannot edit the value with tag "${node.tag}"`);
  return undefined;
}

/** The index of a key in a map or of a number in a list, or -1. */
export function indexOf(node: YAMLMap | YAMLSeq, step: string | number): number {
  if (isMap(node)) return pairsOf(node).findIndex((pair) => keyText(pair.key) === String(step));
  return typeof step === 'number' && step >= 0 && step < node.items.length ? step : -1;
}

/** The value of the entry at an index. */
export function valueAt(node: YAMLMap | YAMLSeq, index: number): ParsedNode | null {
  return isMap(node)
    ? (pairsOf(node)[index]?.value ?? null)
    : ((node.items[index] ?? null) as ParsedNode | null);
}

/** How the text is laid out, taken from its first nested map and its first list under a key. */
export function layoutOf(source: YamlSource): Layout & { readonly lineBreak: string } {
  const found: { step?: number; indentLists?: boolean } = {};
  measure(source.root, source.text, found);
  return {
    step: found.step ?? 2,
    indentLists: found.indentLists ?? true,
    lineBreak: lineBreakOf(source.text),
  };
}

function measure(
  node: ParsedNode | null,
  text: string,
  found: { step?: number; indentLists?: boolean },
): void {
  if (found.step !== undefined && found.indentLists !== undefined) return;
  if (isSeq(node)) for (const item of node.items) measure(item, text, found);
  const own = isMap(node) ? columnOf(node, text) : undefined;
  if (!isMap(node) || own === undefined) return;
  for (const { value } of pairsOf(node)) {
    const inner = isMap(value) || isSeq(value) ? columnOf(value, text) : undefined;
    if (inner !== undefined && isMap(value) && inner > own) found.step ??= inner - own;
    if (inner !== undefined && isSeq(value)) {
      found.indentLists ??= inner > own;
      if (inner > own) found.step ??= inner - own;
    }
    measure(value, text, found);
  }
}

function columnOf(node: YAMLMap | YAMLSeq, text: string): number | undefined {
  const token = collectionToken(node);
  if (token === undefined || token.type === 'flow-collection') return undefined;
  const first = slotsOf(token)[0];
  return first === undefined ? undefined : first.start - lineStart(text, first.start);
}
