import { compareText } from './compare-text.ts';

type Pending = { readonly text: string } | { readonly value: unknown } | { readonly close: object };

/**
 * The one JSON text of a value: keys sorted, no spaces, absent properties left out. A value that JSON would
 * silently change (NaN, a function, undefined in a list, a Map) is refused, because two different
 * definitions would then share a hash.
 */
export function canonicalJson(root: unknown): string {
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
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new Error(`Cannot write canonical JSON: ${value.constructor.name} is not a plain record`);
  }
  const record = value as Readonly<Record<string, unknown>>;
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

function scalar(value: unknown): string {
  const isJson =
    value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (!isJson) throw new Error(`Cannot write canonical JSON: ${String(value)} has no JSON form`);
  return JSON.stringify(value);
}
