import { canonicalJson } from '#shared/graph/canonical-json.ts';
import { compareText } from '#shared/graph/compare-text.ts';
import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { ReasonId } from '#shared/model/plan.ts';

/** One part in which two fingerprints differ: a digest whose text may be kept, or a short value. A missing side was not there. */
export interface FingerprintDifference {
  readonly reason: ReasonId;
  readonly subject: string;
  readonly before?: string;
  readonly after?: string;
}

/** The lists of files behind two fingerprints, where they are known. */
export interface ComparedFiles {
  readonly filesBefore?: ReadonlyMap<string, Digest> | undefined;
  readonly filesAfter?: ReadonlyMap<string, Digest> | undefined;
}

type Values = Readonly<Record<string, string>>;
type Comparer<Part> = (before: Part, after: Part) => FingerprintDifference[];

const maxFilesListed = 20;

/** Every part in which two fingerprints differ; empty exactly when their keys are the same. */
export function compareFingerprints(
  before: Fingerprint,
  after: Fingerprint,
  files: ComparedFiles = {},
): FingerprintDifference[] {
  const { definition: definitionBefore, files: _before, ...othersBefore } = before;
  const { definition: definitionAfter, files: _after, ...othersAfter } = after;
  return [
    ...compareParts(definitionComparers, definitionBefore, definitionAfter),
    ...compareParts(comparers, othersBefore, othersAfter),
    ...(before.files === after.files ? [] : changedFiles(before, after, files)),
  ];
}

type Definition = Fingerprint['definition'];
type Others = Omit<Fingerprint, 'definition' | 'files'>;

const definitionComparers: { readonly [Part in keyof Definition]: Comparer<Definition[Part]> } = {
  instructions: (before, after) => compareOne('instructions-changed', '', before, after),
  scripts: (before, after) => [
    ...compareItems('script-changed', '', before, after, ({ content }) => content),
    ...compareItems('script-changed', ' arguments', before, after, ({ language, args }) =>
      JSON.stringify([language, ...args]),
    ),
    ...compareOrder('script-changed', before, after),
  ],
  templates: (before, after) => [
    ...compareItems('template-changed', '', before, after, ({ content }) => content),
    ...compareOrder('template-changed', before, after),
  ],
  resources: (before, after) => [
    ...compareItems('resource-changed', '', before, after, ({ url, content }) => content ?? url),
    ...compareItems('resource-changed', ' place', before, after, ({ file, url }) =>
      JSON.stringify([file, url]),
    ),
    ...compareOrder('resource-changed', before, after),
  ],
  parameters: (before, after) => compareOne('definition-changed', 'parameters', before, after),
  tools: (before, after) => compareOne('definition-changed', 'tools', joined(before), joined(after)),
  permissions: (before, after) => compareOne('definition-changed', 'permissions', before, after),
  produces: (before, after) => compareOne('definition-changed', 'produces', joined(before), joined(after)),
  requires: (before, after) => compareOne('definition-changed', 'requires', joined(before), joined(after)),
  files: (before, after) => compareOne('definition-changed', 'files', joined(before), joined(after)),
};

const comparers: { readonly [Part in keyof Required<Others>]: Comparer<Others[Part]> } = {
  engine: (before, after) => compareOne('definition-changed', 'engine', String(before), String(after)),
  trust: (before, after) => compareOne('trust-changed', '', before, after),
  limits: (before, after) => compareValues('definition-changed', texts(before), texts(after)),
  interpreters: (before, after) => compareValues('interpreter-changed', before, after),
  inputs: (before, after) => compareValues('input-changed', before, after),
  params: (before, after) => compareValues('input-changed', before, after),
  upstream: (before, after) => compareValues('upstream-changed', before, after),
  task: (before, after) => compareOne('task-changed', '', before, after),
  model: (before, after) => compareOne('model-changed', '', asText(before), asText(after)),
  lens: (before, after) => compareOne('lens-changed', '', before, after),
};

function compareParts<Record extends object>(
  table: { readonly [Part in keyof Required<Record>]: Comparer<Record[Part]> },
  before: Record,
  after: Record,
): FingerprintDifference[] {
  return (Object.keys(table) as (keyof Record)[]).flatMap((part) => table[part](before[part], after[part]));
}

function compareOne(
  reason: ReasonId,
  subject: string,
  before: string | null | undefined,
  after: string | null | undefined,
): FingerprintDifference[] {
  if ((before ?? null) === (after ?? null)) return [];
  return [
    {
      reason,
      subject,
      ...(before !== null && before !== undefined && { before }),
      ...(after !== null && after !== undefined && { after }),
    },
  ];
}

function compareValues(reason: ReasonId, before: Values, after: Values): FingerprintDifference[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(compareText);
  const at = (values: Values, key: string) => (Object.hasOwn(values, key) ? values[key] : undefined);
  return keys.flatMap((key) => compareOne(reason, key, at(before, key), at(after, key)));
}

/** Items that are known by their names; of several with one name, the first is compared with the first, and so on. */
function compareItems<Item extends { readonly name: string }>(
  reason: ReasonId,
  aspect: string,
  before: readonly Item[],
  after: readonly Item[],
  valueOf: (item: Item) => string | null,
): FingerprintDifference[] {
  const byName = (items: readonly Item[]) => {
    const values: Record<string, string> = Object.create(null) as Record<string, string>;
    for (const item of items) {
      let name = item.name;
      for (let twin = 2; name in values; twin++) name = `${item.name} (${twin})`;
      values[name] = valueOf(item) ?? '';
    }
    return values;
  };
  const differences = compareValues(reason, byName(before), byName(after));
  // What was added or removed as a whole is said once, by its content.
  const told = aspect === '' ? differences : differences.filter((d) => 'before' in d && 'after' in d);
  return told.map((difference) => ({ ...difference, subject: `${difference.subject}${aspect}` }));
}

function compareOrder(
  reason: ReasonId,
  before: readonly { readonly name: string }[],
  after: readonly { readonly name: string }[],
): FingerprintDifference[] {
  const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);
  const isSameSet =
    JSON.stringify(names(before).sort(compareText)) === JSON.stringify(names(after).sort(compareText));
  return isSameSet ? compareOne(reason, 'order', joined(names(before)), joined(names(after))) : [];
}

function changedFiles(
  before: Fingerprint,
  after: Fingerprint,
  { filesBefore, filesAfter }: ComparedFiles,
): FingerprintDifference[] {
  const unnamed = compareOne('file-changed', '', before.files, after.files);
  if (!filesBefore || !filesAfter) return unnamed;
  const changed = compareValues(
    'file-changed',
    Object.fromEntries(filesBefore),
    Object.fromEntries(filesAfter),
  );
  const left = changed.length - maxFilesListed;
  if (changed.length === 0) return unnamed;
  return left <= 0
    ? changed
    : [...changed.slice(0, maxFilesListed), { reason: 'file-changed', subject: `and ${left} more` }];
}

function joined(list: readonly string[] | null): string | null {
  return list && JSON.stringify(list);
}

function texts(numbers: Readonly<Record<string, number>>): Values {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
}

function asText(value: unknown): string | undefined {
  return value === undefined ? undefined : canonicalJson(value);
}
