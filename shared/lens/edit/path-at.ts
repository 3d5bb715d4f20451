import { isMap, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import { keyText, pairsOf } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';

/** The path of the innermost entry whose key or value holds an offset. */
export function pathAt(source: YamlSource, offset: number): Path {
  const path: (string | number)[] = [];
  let node: ParsedNode | null = source.root;
  for (;;) {
    const step: { key: string | number; node: ParsedNode | null } | undefined = stepAt(node, offset);
    if (!step) return path;
    path.push(step.key);
    node = step.node;
  }
}

function stepAt(
  node: ParsedNode | null,
  offset: number,
): { key: string | number; node: ParsedNode | null } | undefined {
  if (isSeq(node)) {
    const key = node.items.findIndex((item) => holds(item, offset));
    return key < 0 ? undefined : { key, node: node.items[key] ?? null };
  }
  if (!isMap(node)) return undefined;
  for (const { key, value } of pairsOf(node)) {
    const name = keyText(key);
    if (name === undefined) continue;
    if (holds(key, offset)) return { key: name, node: null };
    if (holds(value, offset)) return { key: name, node: value };
  }
  return undefined;
}

function holds(node: ParsedNode | null, offset: number): boolean {
  return node !== null && node.range[0] <= offset && offset <= node.range[1];
}
