import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import { pairsOf } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';

/** Plain data that can be written into a file. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** What a text means, with the order of its entries: two texts with equal trees read the same. */
export type Tree =
  | { readonly scalar: unknown; readonly mark: string }
  | { readonly list: readonly Tree[] }
  | { readonly map: readonly (readonly [Tree, Tree])[] };

const nothing: Tree = { scalar: null, mark: '' };

/** The tree of a text; aliases stay aliases, and those that lead nowhere are told apart from those that do. */
export function treeOf(source: YamlSource): Tree {
  return nodeTree(source, source.root);
}

function nodeTree(source: YamlSource, node: ParsedNode | null): Tree {
  if (node === null) return nothing;
  if (isAlias(node)) return { scalar: node.source, mark: source.resolve(node) === null ? '*?' : '*' };
  const mark = node.anchor === undefined ? '' : `&${node.anchor}`;
  if (isScalar(node)) return { scalar: node.value, mark };
  if (isSeq(node)) return { list: node.items.map((item) => nodeTree(source, item as ParsedNode | null)) };
  if (!isMap(node)) return nothing;
  return {
    map: pairsOf(node).map(({ key, value }) => [nodeTree(source, key), nodeTree(source, value)] as const),
  };
}

/** The tree that plain data stands for. */
export function treeOfPlain(value: Plain): Tree {
  if (Array.isArray(value)) return { list: (value as readonly Plain[]).map(treeOfPlain) };
  if (typeof value !== 'object' || value === null) return { scalar: value, mark: '' };
  return {
    map: Object.entries(value as Record<string, Plain>).map(([key, part]) => [
      textTree(key),
      treeOfPlain(part),
    ]),
  };
}

/** The tree of a text, as map keys are. */
export function textTree(text: string): Tree {
  return { scalar: text, mark: '' };
}

/** The tree with the collection or value at a path replaced by what `change` makes of it. */
export function changeTree(tree: Tree, path: Path, change: (tree: Tree) => Tree): Tree {
  const [step, ...rest] = path;
  if (step === undefined) return change(tree);
  if ('list' in tree && typeof step === 'number') {
    return { list: tree.list.map((item, index) => (index === step ? changeTree(item, rest, change) : item)) };
  }
  if (!('map' in tree)) return tree;
  const at = tree.map.findIndex(([key]) => 'scalar' in key && String(key.scalar) === String(step));
  return {
    map: tree.map.map(([key, value], index) => [key, index === at ? changeTree(value, rest, change) : value]),
  };
}

/** Says whether two trees mean the same. */
export function sameTree(a: Tree, b: Tree): boolean {
  if ('scalar' in a) return 'scalar' in b && Object.is(a.scalar, b.scalar) && a.mark === b.mark;
  if ('list' in a) {
    return (
      'list' in b &&
      a.list.length === b.list.length &&
      a.list.every((item, index) => sameTree(item, b.list[index]!))
    );
  }
  return (
    'map' in b &&
    a.map.length === b.map.length &&
    a.map.every(([key, value], index) => sameTree(key, b.map[index]![0]) && sameTree(value, b.map[index]![1]))
  );
}
