import { isMap, isScalar } from 'yaml';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { YamlSource } from '../yaml/source.ts';
import { Fields } from './fields.ts';
import type { Reader } from './fields.ts';

/** What reading a file gives, whatever the text: as much of the value as could be read, and every problem. */
export interface Read<T> {
  readonly value: T;
  readonly diagnostics: Diagnostic[];
  readonly source: YamlSource;
}

/** The fields of a file whose top must be a map, or undefined with a report. */
export function rootFields(reader: Reader, expected: string): Fields | undefined {
  const { source, problems } = reader;
  const root = source.resolve(source.root);
  if (isMap(root)) return new Fields(reader, root, []);
  if (root !== null && !(isScalar(root) && root.value === null)) {
    const at = source.location(root.range[0], root.range[0] + 1);
    problems.add('file.wrong-root', at, `Cannot read the file: expected ${expected}`);
  } else if (!source.isBroken) {
    problems.add('file.empty', source.location(0, 0), `The file is empty: expected ${expected}`);
  }
  return undefined;
}
