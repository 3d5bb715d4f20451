import { lensKeys, libraryKeys } from '#shared/model/file-keys.ts';
import { opaqueLensKeys } from '#shared/model/lens-terms.ts';
import type { Path, YamlSource } from '#shared/lens/yaml/source.ts';
import { keysOf } from './values.ts';

/** Keys of a lens or library that the studio keeps and does not interpret, known ones and others. */
export function keptKeys(source: YamlSource, root: Path, kind: string): string[] {
  const own = keysOf(source, root);
  if (kind !== 'lens') return own.filter((key) => !libraryKeys.includes(key));
  const opaque: readonly string[] = [...opaqueLensKeys, 'classification'];
  return own.filter((key) => opaque.includes(key) || !lensKeys.lens.includes(key));
}

/** Keys of an item that none of its fields edits. */
export function otherKeys(source: YamlSource, item: Path, known: readonly string[]): string[] {
  return keysOf(source, item).filter((key) => !known.includes(key));
}
