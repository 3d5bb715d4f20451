import { isScalar } from 'yaml';
import type { ParsedNode, Scalar } from 'yaml';
import type { Span } from './mention.ts';

/** The text of a scalar as the reader takes it. */
export function scalarText(node: ParsedNode | null | undefined): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  return typeof node.value === 'string' ? node.value : node.source;
}

/** How a scalar is quoted. */
export function scalarStyle(node: ParsedNode): Scalar.Type | undefined {
  return isScalar(node) ? node.type : undefined;
}

/** Where a part of a scalar's text stands in the file; undefined where escapes or folds come between. */
export function spanIn(text: string, node: ParsedNode, from: number, length: number): Span | undefined {
  const value = scalarText(node);
  if (value === undefined) return undefined;
  const at = text.slice(node.range[0], node.range[1]).indexOf(value);
  if (at < 0) return undefined;
  const start = node.range[0] + at + from;
  return { start, end: start + length };
}
