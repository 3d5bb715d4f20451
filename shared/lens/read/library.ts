import type { Library, Preset } from '../../model/library.ts';
import { libraryKeys, presetKeys } from '../../model/file-keys.ts';
import { openYaml } from '../yaml/open.ts';
import type { Fields } from './fields.ts';
import { Reader } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { rootFields } from './root.ts';
import type { Read } from './root.ts';
import { readSkills } from './skill.ts';

/** Reads a library: skills, permission presets, or both. Never throws. */
export function readLibrary(text: string, file: string, opened = openYaml(text, file)): Read<Library> {
  const { source, problems } = opened;
  const reader = new Reader(source, problems);
  const root = rootFields(reader, 'a map with "skills:" or "presets:"');
  const value = root === undefined ? { skills: [], presets: [] } : readLibraryFields(root);
  return { value, diagnostics: problems.diagnostics, source };
}

function readLibraryFields(root: Fields): Library {
  const library = given({
    name: root.text('name'),
    version: root.text('version'),
    description: root.text('description'),
    skills: readSkills(root.reader, root.entries('skills')),
    presets: readPresets(root),
    extra: unlessEmpty(root.rest(libraryKeys)),
  });
  if (!root.has('skills') && !root.has('presets')) {
    const { source, problems } = root.reader;
    problems.add(
      'library.no-skills',
      source.location(root.node.range[0], root.node.range[0] + 1),
      'The library has no skills',
    );
  }
  return library;
}

function readPresets(root: Fields): Preset[] {
  const map = root.map('presets');
  if (map === undefined) return [];
  return [...map.keys()].flatMap((name) => {
    const fields = map.map(name);
    if (fields === undefined) return [];
    const preset = given({
      name,
      permissions: fields.map('permissions') === undefined ? undefined : fields.plain('permissions'),
      security: fields.map('security') === undefined ? undefined : fields.plain('security'),
      extra: unlessEmpty(fields.rest(presetKeys)),
      at: fields.reader.source.at(map.keyNode(name)),
      path: fields.path,
    });
    return [preset];
  });
}
