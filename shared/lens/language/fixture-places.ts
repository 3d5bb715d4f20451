import { folderOf } from './file-paths.ts';

/** The names of files that may hold the fixtures of a lens or library, its own first. */
export function fixtureNames(lens: string): readonly [string, string] {
  const name = lens.split('/').at(-1) ?? lens;
  return [`${name.replace(/\.(lens|skills)?(\.ya?ml)?$/, '')}.fixtures.yaml`, 'fixtures.yaml'];
}

/** Whether a file is named like fixtures; whose they are depends on the lenses and libraries beside it. */
export function isFixturesName(file: string): boolean {
  return /(?:^|\/)tests\/(?:[^/]+\.)?fixtures\.yaml$/.test(file);
}

/** Where the fixtures of a lens or library of the workspace may be; the first file that is there holds them. */
export function fixturePlaces(lens: string): string[] {
  const folders = [...new Set([folderOf(lens), ''])].map((folder) => (folder === '' ? '' : `${folder}/`));
  return folders.flatMap((folder) => fixtureNames(lens).map((name) => `${folder}tests/${name}`));
}
