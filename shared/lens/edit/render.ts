import { stringify } from 'yaml';
import type { Scalar } from 'yaml';
import type { Plain } from './tree.ts';

/** A value as YAML text: what stands on the line of its key or dash, and the lines below, indented from that key or dash. */
export interface Rendered {
  readonly head: string;
  readonly body: readonly string[];
}

/** How a text is laid out, so that new parts look like the old ones. */
export interface Layout {
  /** Spaces per level. */
  readonly step: number;
  /** Whether lists stand further right than the key they belong to. */
  readonly indentLists: boolean;
}

/** How a new text is written: like the scalar it replaces, or quoted where a block would not fit. */
export type TextStyle = Scalar.Type | 'QUOTED_LINE' | undefined;

function options(layout: Layout, style: TextStyle) {
  return {
    version: '1.2',
    schema: 'core',
    indent: layout.step,
    indentSeq: layout.indentLists,
    lineWidth: 0,
    minContentWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    aliasDuplicateObjects: false,
    blockQuote: style !== 'QUOTED_LINE',
    ...(style === undefined || style === 'QUOTED_LINE'
      ? {}
      : { defaultStringType: style, defaultKeyType: 'PLAIN' as const }),
  } as const;
}

/** The value of a map entry; the lines below are indented from the key. */
export function renderForKey(value: Plain, layout: Layout, style?: TextStyle): Rendered {
  const [first = '', ...body] = lines(stringify({ k: value }, options(layout, style)));
  return { head: first.replace(/^k: ?/, ''), body };
}

/** The value of a list entry; the lines below are indented from the dash. */
export function renderForDash(value: Plain, layout: Layout, style?: TextStyle): Rendered {
  const [first = '', ...body] = lines(stringify([value], options({ ...layout, indentLists: true }, style)));
  return { head: first.replace(/^- ?/, ''), body };
}

/** A whole map entry, indented from its own first column. */
export function renderEntry(key: string, value: Plain, layout: Layout, style?: TextStyle): string[] {
  return lines(stringify({ [key]: value }, options(layout, style)));
}

/** A whole list entry, indented from its dash. */
export function renderItem(value: Plain, layout: Layout, style?: TextStyle): string[] {
  return lines(stringify([value], options(layout, style)));
}

/** A value on one line, as it may stand between brackets. */
export function renderFlow(value: Plain, layout: Layout, style?: TextStyle): string {
  if (typeof value === 'string') return flowText(value, layout, style);
  if (Array.isArray(value)) {
    return `[${(value as readonly Plain[]).map((item) => renderFlow(item, layout)).join(', ')}]`;
  }
  if (typeof value !== 'object' || value === null)
    return stringify(value, options(layout, undefined)).trimEnd();
  const entries = Object.entries(value as Record<string, Plain>);
  return `{${entries.map(([key, part]) => renderFlowEntry(key, part, layout)).join(', ')}}`;
}

/** A map entry on one line, as it may stand between braces. */
export function renderFlowEntry(key: string, value: Plain, layout: Layout): string {
  return `${flowText(key, layout, undefined)}: ${renderFlow(value, layout)}`;
}

/** A map key in the manner of the key it replaces. */
export function renderKey(key: string, layout: Layout, style: TextStyle): string {
  return flowText(key, layout, style);
}

/** Text on one line that reads the same between brackets and as a key; JSON's quoting is YAML's too. */
function flowText(text: string, layout: Layout, style: TextStyle): string {
  if (/[\r\n]/.test(text)) return JSON.stringify(text);
  const quotes = style === 'QUOTE_DOUBLE' || style === 'QUOTE_SINGLE' ? style : undefined;
  const list = stringify([text], {
    ...options(layout, quotes),
    collectionStyle: 'flow',
    flowCollectionPadding: false,
    blockQuote: false,
  });
  return list.trimEnd().slice(1, -1);
}

function lines(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
