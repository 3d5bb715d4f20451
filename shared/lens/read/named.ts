import type { Location } from '../../model/diagnostic.ts';
import type { DiagnosticCode } from '../diagnostics.ts';
import { quote } from '../problems.ts';
import type { Entry, Fields, Reader } from './fields.ts';

/** Reads the maps of a list, leaving out entries that are not maps or for which `read` gives nothing. */
export function readMaps<T>(
  reader: Reader,
  entries: readonly Entry[],
  what: string,
  read: (fields: Fields) => T | undefined,
): T[] {
  const result: T[] = [];
  for (const entry of entries) {
    const fields = reader.fields(entry.node, entry.path, what);
    const item = fields === undefined ? undefined : read(fields);
    if (item !== undefined) result.push(item);
  }
  return result;
}

/** The name of an entry, or undefined with a report where it has none. */
export function readName(fields: Fields, code: DiagnosticCode, what: string): string | undefined {
  const name = fields.text('name');
  if (name !== undefined && name.trim() !== '') return name;
  const node = fields.get('name') ?? fields.node;
  const { reader } = fields;
  const start = reader.source.at(node);
  // A whole entry underlined red hides the other problems in it.
  const at = node === fields.node ? { ...start, endLine: start.line, endColumn: start.column + 1 } : start;
  reader.problems.add(code, at, `${what} has no name`);
  return undefined;
}

/** Reports entries of one list that have the same name. */
export function reportDuplicates(
  reader: Reader,
  items: readonly { readonly name: string; readonly at: Location }[],
  options: { code: DiagnosticCode; what: string; lookup: (name: string) => string },
): void {
  const seen = new Map<string, Location>();
  for (const { name, at } of items) {
    const key = options.lookup(name);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, at);
    else {
      const message = `${options.what} ${quote(name)} is defined twice: in line ${first.line} and in line ${at.line}`;
      const related = [{ message: `${quote(name)} is first defined here`, location: first }];
      reader.problems.add(options.code, { ...at, endLine: at.line, endColumn: at.column + 1 }, message, {
        related,
      });
    }
  }
}
