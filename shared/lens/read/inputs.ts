import { isMap, isSeq } from 'yaml';
import type { RunInput } from '../../model/lens.ts';
import { lensKeys } from '../../model/file-keys.ts';
import type { Fields } from './fields.ts';
import { given, unlessEmpty } from './given.ts';

/** Reads the run inputs of a lens: a map from name to description, or a bare list of names. */
export function readInputs(lens: Fields): RunInput[] {
  const { reader } = lens;
  const node = lens.get('inputs');
  if (isSeq(node)) {
    return lens.entries('inputs').flatMap((entry) => {
      const name = reader.text(entry.node, 'inputs');
      if (name === undefined) return [];
      return [{ name, hasDefault: false, at: reader.source.at(entry.node), path: entry.path }];
    });
  }
  const map = lens.map('inputs');
  if (map === undefined) return [];
  return [...map.keys()].map((name) => {
    const at = reader.source.at(map.keyNode(name));
    const path = map.pathOf(name);
    const value = map.get(name);
    if (value !== undefined && !isMap(value)) {
      reader.wrongType(value, name, 'a map with "description", "type" and "default"');
    }
    const fields = isMap(value) ? map.map(name) : undefined;
    const isNull = fields?.saysNull('default') === true;
    return given({
      name,
      description: fields?.text('description'),
      type: fields?.text('type'),
      default: isNull ? null : fields?.plain('default'),
      hasDefault: isNull || fields?.has('default') === true,
      extra: fields === undefined ? undefined : unlessEmpty(fields.rest(lensKeys.input)),
      at,
      path,
    });
  });
}
