import { isMap } from 'yaml';
import type { Include, SkillSourceEntry } from '../../model/lens.ts';
import { quote } from '../problems.ts';
import { parseLibraryReference } from '../reference.ts';
import type { Entry, Fields } from './fields.ts';
import { given } from './given.ts';

/** Reads the libraries that a lens searches, in order. */
export function readSkillSources(lens: Fields): SkillSourceEntry[] {
  const { reader } = lens;
  return lens.entries('skill_sources', 'a library or a list of libraries').flatMap((entry) => {
    const map = isMap(entry.node) ? reader.fields(entry.node, entry.path, 'skill_sources') : undefined;
    map?.rest(['source']);
    const node = map === undefined ? entry.node : map.get('source');
    if (node === undefined) {
      reader.wrongType(entry.node, 'skill_sources', '"source"');
      return [];
    }
    const text = reader.text(node, 'skill_sources');
    if (text === undefined) return [];
    const at = reader.source.at(node);
    const parsed = parseLibraryReference(text);
    if (!parsed.ok) {
      reader.problems.add('reference.malformed', at, `Cannot read library ${quote(text)}: ${parsed.problem}`);
    }
    return [given({ text, library: parsed.ok ? parsed.value : undefined, at, path: entry.path })];
  });
}

/** Splits the list of skills into includes and the skills themselves. */
export function readIncludes(lens: Fields): { includes: Include[]; skillEntries: Entry[] } {
  const { reader } = lens;
  const includes: Include[] = [];
  const skillEntries: Entry[] = [];
  for (const entry of lens.entries('skills')) {
    const fields = isMap(entry.node) ? reader.fields(entry.node, entry.path, 'skills') : undefined;
    if (fields === undefined || !fields.has('include')) {
      skillEntries.push(entry);
      continue;
    }
    fields.rest(['include']);
    const placed = fields.placedText('include');
    if (placed === undefined) continue;
    const include = parseInclude(placed.text);
    if (include === undefined) {
      reader.problems.add('include.malformed', placed.at, `Cannot read include ${quote(placed.text)}`);
    } else {
      includes.push({ ...include, at: placed.at, path: entry.path });
    }
  }
  return { includes, skillEntries };
}

function parseInclude(text: string): { file: string; names?: string[] } | undefined {
  const [file, list, ...more] = text.split('::').map((part) => part.trim());
  if (file === undefined || file === '' || more.length > 0) return undefined;
  if (list === undefined) return { file };
  const names = list.split(',').map((name) => name.trim());
  return names.every((name) => /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/.test(name))
    ? { file, names }
    : undefined;
}
