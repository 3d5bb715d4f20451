import { stringify } from 'yaml';
import type { NewEntry } from '#shared/lens/edit/lens-edits.ts';

/** An entry as it will stand in the file, from its dash on. */
export function skillYaml(entry: NewEntry): string {
  return stringify([entry], { version: '1.2', lineWidth: 0, doubleQuotedMinMultiLineLength: 1_000_000 });
}
