import type { CST, YAMLMap, YAMLSeq } from 'yaml';

/** Where the text of one entry of a list or map starts and ends; comments and separators around it are outside. */
export interface Slot {
  readonly start: number;
  readonly end: number;
  /** Just behind the `-` of a list entry or the `:` of a map entry, or undefined where there is none. */
  readonly afterIndicator: number | undefined;
  readonly key: CST.Token | undefined;
  readonly value: CST.Token | undefined;
}

type CollectionToken = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
type ItemToken = CollectionToken['items'][number];

/** The tokens a list or map was parsed from; undefined for collections that were not written in this text. */
export function collectionToken(node: YAMLMap | YAMLSeq): CollectionToken | undefined {
  const token = node.srcToken;
  return token?.type === 'block-map' || token?.type === 'block-seq' || token?.type === 'flow-collection'
    ? token
    : undefined;
}

/** The entries of a list or map in the order of its items. */
export function slotsOf(token: CollectionToken): Slot[] {
  return token.items.filter((item) => isEntry(token, item)).map(slotOf);
}

const filler = new Set(['space', 'newline', 'comment', 'comma']);

/** A comment or a last comma makes an item of its own that holds no entry. */
function isEntry(collection: CollectionToken, item: ItemToken): boolean {
  if (item.value !== undefined && item.value !== null) return true;
  if (item.key !== undefined && item.key !== null) return true;
  if (collection.type === 'block-seq') return item.start.some((token) => token.type === 'seq-item-ind');
  return (item.sep ?? []).length > 0 || item.start.some((token) => !filler.has(token.type));
}

function slotOf(item: ItemToken): Slot {
  const first = item.start.find((token) => !filler.has(token.type));
  const start = first?.offset ?? item.key?.offset ?? item.sep?.[0]?.offset ?? item.value?.offset ?? 0;
  const dash = item.start.find((token) => token.type === 'seq-item-ind');
  const colon = item.sep?.find((token) => token.type === 'map-value-ind');
  const indicator = colon ?? dash;
  const afterIndicator = indicator === undefined ? undefined : indicator.offset + 1;
  return {
    start,
    end: itemEnd(item) ?? afterIndicator ?? start,
    afterIndicator,
    key: item.key ?? undefined,
    value: item.value ?? undefined,
  };
}

function itemEnd(item: ItemToken): number | undefined {
  if (item.value !== undefined && item.value !== null) return tokenEnd(item.value);
  const marks = [...item.start, ...(item.sep ?? [])].filter((token) => !filler.has(token.type));
  const lastMark = marks.at(-1);
  const markEnd = lastMark === undefined ? undefined : lastMark.offset + lastMark.source.length;
  const keyEnd = item.key === undefined || item.key === null ? undefined : tokenEnd(item.key);
  if (markEnd === undefined || keyEnd === undefined) return markEnd ?? keyEnd;
  return Math.max(markEnd, keyEnd);
}

/** The end of a value's own text: without comments and blank lines that follow it. */
export function tokenEnd(token: CST.Token): number {
  switch (token.type) {
    case 'block-map':
    case 'block-seq': {
      const last = token.items.findLast((item) => isEntry(token, item));
      return last === undefined ? token.offset : (itemEnd(last) ?? token.offset);
    }
    case 'flow-collection': {
      const bracket = token.end.find((end) => end.type === 'flow-seq-end' || end.type === 'flow-map-end');
      return bracket === undefined ? token.offset + 1 : bracket.offset + 1;
    }
    case 'block-scalar': {
      const { header, bodyStart } = blockScalarParts(token);
      const body = header.source.includes('+') ? token.source.replace(/\r?\n$/, '') : token.source.trimEnd();
      return body === '' ? header.offset + header.source.length : bodyStart + body.length;
    }
    default:
      return token.offset + ('source' in token ? token.source.length : 0);
  }
}

/** The `|` or `>` of a block scalar with its indicators, and where its lines start. */
export function blockScalarParts(token: CST.BlockScalar): { header: CST.SourceToken; bodyStart: number } {
  const props = token.props as CST.SourceToken[];
  const header = props.find((prop) => prop.type === 'block-scalar-header')!;
  const last = props.at(-1)!;
  return { header, bodyStart: last.offset + last.source.length };
}
