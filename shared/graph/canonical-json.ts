import { compareText } from './compare-text.ts';

type Pending = { readonly text: string } | { readonly value: unknown } | { readonly close: object };

/**
 * The one JSON text of a value: keys sorted, no spaces, absent properties left out. A value that JSON would
 * silently change (NaN, a function, undefined in a list, a Map) is refused, because two different
 * definitions would then share a hash.
 */
export function canonicalJson(root: unknown): string {
  return write(root, 0);
}

/** Deeper values are rare, and would overflow the stack; one that contains itself is deeper than any. */
const maxDepth = 64;

function write(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return scalar(value);
  if (depth === maxDepth) return writeDeep(value);
  let json = '';
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) json += `${json === '' ? '' : ','}${write(item, depth + 1)}`;
    return `[${json}]`;
  }
  const record = plainRecord(value);
  // Without a comparison, texts are sorted by UTF-16 code units: the same on every machine.
  for (const key of Object.keys(record).sort()) {
    const member = record[key];
    if (member !== undefined) {
      json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${write(member, depth + 1)}`;
    }
  }
  return `{${json}}`;
}

/** The same without recursion. */
function writeDeep(root: object): string {
  let json = '';
  const open = new Set<object>();
  const pending: Pending[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) {
      json += next.text;
    } else if ('close' in next) {
      open.delete(next.close);
    } else if (typeof next.value === 'object' && next.value !== null) {
      const value = next.value;
      if (open.has(value)) throw new Error('Cannot write canonical JSON: a value contains itself');
      open.add(value);
      pending.push({ close: value });
      pushMembers(value, pending);
    } else {
      json += scalar(next.value);
    }
  }
  return json;
}

/** Pushes the parts of a list or record in reverse, as they are taken from the end. */
function pushMembers(value: object, pending: Pending[]): void {
  if (Array.isArray(value)) {
    pending.push({ text: ']' });
    for (let i = value.length - 1; i >= 0; i--) pending.push({ value: value[i] }, { text: i > 0 ? ',' : '' });
    pending.push({ text: '[' });
    return;
  }
  const record = plainRecord(value);
  const keys = Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort(compareText);
  pending.push({ text: '}' });
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i]!;
    pending.push({ value: record[key] }, { text: `${i > 0 ? ',' : ''}${JSON.stringify(key)}:` });
  }
  pending.push({ text: '{' });
}

function plainRecord(value: object): Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new Error(`Cannot write canonical JSON: ${value.constructor.name} is not a plain record`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function scalar(value: unknown): string {
  const isJson =
    value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (!isJson) throw new Error(`Cannot write canonical JSON: ${String(value)} has no JSON form`);
  return JSON.stringify(value);
}
