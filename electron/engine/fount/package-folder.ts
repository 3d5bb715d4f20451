import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { z } from 'zod';
import { StudioError } from '#shared/errors.ts';
import { requestOf, type FountReference } from './fount-reference.ts';

/** What we read of a `package.json`. */
const Manifest = z.looseObject({ name: z.string(), version: z.string() });
export type Manifest = z.infer<typeof Manifest>;

/** Reads a folder's `package.json`; undefined where there is none or it is not one. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return Manifest.safeParse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).data;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof SyntaxError || code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The packages of one name in a folder of packages, by version: a folder each, whatever it is called. */
export async function packagesIn(folder: string, reference: FountReference): Promise<Map<string, string>> {
  const packages = new Map<string, string>();
  const request = requestOf(reference);
  for (const path of await packageFolders(folder, reference.package)) {
    const manifest = await readManifest(path);
    if (manifest?.name !== reference.package || semver.valid(manifest.version) === null) continue;
    const twin = packages.get(manifest.version);
    if (twin !== undefined) {
      throw new StudioError(
        'fount.wrong-package',
        `Cannot choose "${request}": "${twin}" and "${path}" hold the same version`,
        { request },
      );
    }
    packages.set(manifest.version, path);
  }
  if (packages.size > 0) return packages;
  throw new StudioError(
    'fount.not-found',
    `Cannot find "${request}" at "${folder}": no folder there holds a package of this name`,
    { request, place: folder },
  );
}

/** The folders in a folder, and those below the package's scope: `docs` and `@team/docs`. */
async function packageFolders(folder: string, name: string): Promise<string[]> {
  const places = [folder];
  const scope = /^(@[^/]+)\//.exec(name)?.[1];
  if (scope !== undefined && (await isFolder(join(folder, scope)))) places.push(join(folder, scope));
  const found: string[] = [];
  for (const place of places) {
    for (const entry of await readdir(place, { withFileTypes: true })) {
      if (entry.isDirectory()) found.push(join(place, entry.name));
    }
  }
  return found.sort();
}

export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/**
 * What pacote needs to know of a folder to pack the files that npm would publish.
 * Bundled dependencies are left out: they are not in a folder that nobody installed.
 */
export class PackageTree {
  readonly #path: string;

  constructor({ path }: { readonly path: string }) {
    this.#path = path;
  }

  async loadActual(): Promise<object> {
    const { manifest } = await import('pacote');
    const content = await manifest('file:.', { where: this.#path });
    return { path: this.#path, package: content, isProjectRoot: true, edgesOut: new Map() };
  }
}
