import { mkdir, mkdtemp, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { StudioError } from '#shared/errors.ts';
import { digestOf } from '../store/digest.ts';
import { withFileLock } from '../store/file-lock.ts';
import type { Log } from '../store/log.ts';
import { toStudioError } from './fount-errors.ts';
import { requestOf, type FountReference } from './fount-reference.ts';
import { mergePlaces, sourceOf } from './fount-source.ts';
import type { FountPlaces, FountSource } from './fount-source.ts';
import { hashTree } from './hash-tree.ts';
import type { NpmConfig } from './npm-config.ts';
import { PackageFetcher } from './package-fetcher.ts';
import { isFolder, readManifest } from './package-folder.ts';

/** A package on this machine, with the content that its hash names. */
export interface Fount {
  readonly name: string;
  readonly version: string;
  /** Where the files are; never to be written to. */
  readonly folder: string;
  /** sha512 of the whole package; see `hashTree`. */
  readonly tree: string;
  /** What the lock remembers of the source: `registry`, `folder`, `tarball` or `git#<commit>`. */
  readonly resolved: string;
}

/** What a lock says of one fount. */
export interface Pin {
  readonly version: string;
  readonly integrity: string;
  readonly resolved?: string | undefined;
}

export interface ResolveOptions {
  readonly locked?: Pin | undefined;
  /** The folder that a relative `file:` reference starts at. */
  readonly base: string;
  /** Only what is on this machine: opening a lens must not reach for the network. */
  readonly offline?: boolean;
}

const skillFile = /^skills\/|\.skills\.ya?ml$|(^|\/)SKILL\.md$/;
const staleMs = 24 * 3600 * 1000;
/** Who fetches packages over a slow network has the lock for as long. */
const fetchPatienceMs = 5 * 60 * 1000;

/** The packages in `$SUNWELL_HOME/fount`, each in a folder named by its content; fetches what is missing. */
export class FountStore {
  readonly #folder: string;
  readonly #home: string;
  readonly #places: FountPlaces;
  readonly #credentials: NpmConfig;
  readonly #log: Log;

  constructor(options: { home: string; founts: FountPlaces; npmConfig?: NpmConfig; log: Log }) {
    const npmConfig = options.npmConfig ?? {};
    this.#home = options.home;
    this.#folder = join(options.home, 'fount');
    this.#places = mergePlaces(options.founts, npmConfig);
    this.#credentials = Object.fromEntries(Object.entries(npmConfig).filter(([key]) => key.startsWith('//')));
    this.#log = options.log;
  }

  /** Does the work while no other process of this user changes the founts of the folder. */
  async alone<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const name = digestOf(await realpath(folder));
    return withFileLock(join(this.#folder, name), work, { patienceMs: fetchPatienceMs });
  }

  /** The package on disk, with the locked content or, without a lock, of the highest version in the range. */
  async resolve(reference: FountReference, options: ResolveOptions): Promise<Fount> {
    const { locked } = options;
    if (locked !== undefined) {
      const stored = await this.find(reference, locked);
      if (stored !== undefined) return stored;
    }
    if (options.offline) throw notHere(reference, locked);
    return this.#fetch(reference, options);
  }

  /** The locked package if it is on this machine; stops where its content is not the locked one. */
  async find(reference: FountReference, locked: Pin): Promise<Fount | undefined> {
    const { package: name } = reference;
    const folder = this.#folderOf(name, locked.version, locked.integrity);
    if (!(await isFolder(folder))) return undefined;
    const { tree } = await hashTree(folder, requestOf(reference));
    if (tree !== locked.integrity)
      throw tampered(reference, { expected: locked.integrity, got: tree, folder });
    return { name, version: locked.version, folder, tree, resolved: locked.resolved ?? 'registry' };
  }

  /** Every version that the source offers, lowest first; empty where a source has no versions to list. */
  async versions(reference: FountReference, base: string): Promise<readonly string[]> {
    return this.#fetching(reference, base, (fetcher) => fetcher.versions());
  }

  async #fetch(reference: FountReference, { locked, base }: ResolveOptions): Promise<Fount> {
    return this.#fetching(reference, base, async (fetcher, temp) => {
      const candidate = await fetcher.pick(locked);
      const unpacked = join(temp, 'package');
      await fetcher.unpack(candidate, unpacked);
      const { tree, files } = await hashTree(unpacked, requestOf(reference));
      if (locked !== undefined && tree !== locked.integrity) {
        throw tampered(reference, { expected: locked.integrity, got: tree });
      }
      const version = await checkManifest(unpacked, reference, candidate.version);
      if (!files.some((file) => skillFile.test(file))) throw empty(reference);
      const folder = await this.#keep(unpacked, reference, { version, tree });
      return { name: reference.package, version, folder, tree, resolved: candidate.resolved };
    });
  }

  /** Gives the work a folder beside the store, so that what is done moves in at once; removes it in any case. */
  async #fetching<T>(
    reference: FountReference,
    base: string,
    work: (fetcher: PackageFetcher, temp: string) => Promise<T>,
  ): Promise<T> {
    const source = sourceOf(reference, { places: this.#places, home: this.#home, base });
    const temp = await this.#makeTemp();
    try {
      return await work(new PackageFetcher({ reference, source, npmConfig: this.#credentials, temp }), temp);
    } catch (error) {
      const context = { request: requestOf(reference), place: placeOf(source), npmConfig: this.#credentials };
      throw toStudioError(error, { ...context, log: this.#log });
    } finally {
      await rm(temp, { recursive: true, force: true });
    }
  }

  async #makeTemp(): Promise<string> {
    try {
      await mkdir(this.#folder, { recursive: true });
      await this.#sweep();
      return await mkdtemp(join(this.#folder, '.tmp-'));
    } catch (error) {
      const sentence = `Cannot write to "${this.#folder}": ${(error as Error).message}`;
      throw new StudioError('file.unwritable', sentence, { file: this.#folder });
    }
  }

  async #keep(
    unpacked: string,
    reference: FountReference,
    { version, tree }: { version: string; tree: string },
  ): Promise<string> {
    const folder = this.#folderOf(reference.package, version, tree);
    try {
      await rename(unpacked, folder);
    } catch (error) {
      // Another fetch of the same content was first: its copy is as good, if it is whole.
      if (!(await isFolder(folder))) throw error;
      const there = await hashTree(folder, requestOf(reference));
      if (there.tree !== tree) throw tampered(reference, { expected: tree, got: there.tree, folder });
    }
    return folder;
  }

  #folderOf(name: string, version: string, tree: string): string {
    const short = Buffer.from(tree.slice('sha512-'.length), 'base64').toString('hex').slice(0, 16);
    return join(this.#folder, `${name.replace('/', '+')}@${version}-${short}`);
  }

  /** Removes what a fetch left behind when its program was killed. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (!name.startsWith('.tmp-')) continue;
      const path = join(this.#folder, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > staleMs) await rm(path, { recursive: true, force: true });
    }
  }
}

async function checkManifest(
  folder: string,
  reference: FountReference,
  expected: string | undefined,
): Promise<string> {
  const request = requestOf(reference);
  const manifest = await readManifest(folder);
  const version = manifest && semver.valid(manifest.version) !== null ? manifest.version : undefined;
  if (manifest === undefined || version === undefined) {
    const sentence = `Cannot use "${request}": its package.json has no name and semantic version`;
    throw new StudioError('fount.wrong-package', sentence, { request });
  }
  if (manifest.name !== reference.package || (expected !== undefined && version !== expected)) {
    const wanted = `${reference.package}${expected === undefined ? '' : ` ${expected}`}`;
    const sentence = `Cannot use "${request}": the package says it is "${manifest.name} ${version}", not "${wanted}"`;
    throw new StudioError('fount.wrong-package', sentence, { request });
  }
  return version;
}

function notHere(reference: FountReference, locked: Pin | undefined): StudioError {
  const request = requestOf(reference);
  const what =
    locked === undefined ? 'it is not in sunwell.lock' : `${locked.version} is not on this machine`;
  return new StudioError(
    locked === undefined ? 'fount.not-in-lock' : 'fount.not-in-store',
    `Cannot use "${request}": ${what}; run "sunwell fount add ${request}"`,
    { request },
  );
}

function empty(reference: FountReference): StudioError {
  const request = requestOf(reference);
  const sentence = `Cannot use "${request}": the package holds no skills folder, no *.skills.yaml and no SKILL.md`;
  return new StudioError('fount.empty', sentence, { request });
}

function tampered(
  reference: FountReference,
  { expected, got, folder }: { expected: string; got: string; folder?: string },
): StudioError {
  const request = requestOf(reference);
  const wayOut =
    folder === undefined
      ? 'its source now serves other bytes; ask its publisher, then "sunwell fount update" accepts them'
      : `the copy on this machine was changed; delete "${folder}" to fetch it again`;
  return new StudioError(
    'fount.tampered',
    `Cannot use "${request}": expected ${shortened(expected)}, got ${shortened(got)}: ${wayOut}`,
    { request, package: reference.package, expected, got, ...(folder !== undefined && { folder }) },
  );
}

/** As much of a hash as a person compares; the whole one is in the details of the error. */
function shortened(hash: string): string {
  return `${hash.slice(0, 'sha512-'.length + 12)}…`;
}

function placeOf(source: FountSource): string {
  switch (source.kind) {
    case 'registry':
      return source.registry ?? 'the default registry';
    case 'folder':
      return source.folder;
    case 'git':
    case 'tarball':
      return source.address;
    case 'path':
      return source.path;
  }
}
