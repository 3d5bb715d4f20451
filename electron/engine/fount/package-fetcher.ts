import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { StudioError } from '#shared/errors.ts';
import { checkTarball } from './check-tarball.ts';
import type { FountSource } from './fount-source.ts';
import { requestOf, type FountReference } from './fount-reference.ts';
import type { NpmConfig } from './npm-config.ts';
import { PackageTree, isFolder, packagesIn } from './package-folder.ts';
import { packageLimits, tooLarge } from './package-limits.ts';

/** One version of a package that a source offers, in the words pacote fetches it by. */
export interface Candidate {
  /** Missing where only the package itself says it: git and tarballs. */
  readonly version?: string;
  readonly spec: string;
  /** What the lock remembers of the source: `registry`, `folder`, `tarball` or `git#<commit>`. */
  readonly resolved: string;
}

export interface PackageFetcherOptions {
  readonly reference: FountReference;
  readonly source: FountSource;
  readonly npmConfig: NpmConfig;
  /** A folder of this fetch alone; the caller removes it. */
  readonly temp: string;
}

/** Asks one source for one package; nothing that a package says is ever run. */
export class PackageFetcher {
  readonly #reference: FountReference;
  readonly #source: FountSource;
  readonly #options: Record<string, unknown>;
  readonly #temp: string;

  constructor({ reference, source, npmConfig, temp }: PackageFetcherOptions) {
    this.#reference = reference;
    this.#source = source;
    this.#temp = temp;
    this.#options = {
      ...npmConfig,
      ...registryOptions(reference, source),
      cache: join(temp, 'cache'),
      where: temp,
      packumentCache: new Map(),
      umask: 0o022,
      timeout: 30_000,
      fetchRetries: 1,
      fetchRetryMintimeout: 200,
      // A cached list of commits would name one commit and clone another.
      noGitRevCache: true,
      ignoreScripts: true,
      // For a git package with scripts pacote runs "npm install" in the clone, whatever ignoreScripts says, and with
      // it everything the package wants. It runs this harmless command instead.
      npmBin: 'git',
      npmInstallCmd: ['--version'],
      npmCliConfig: [],
      Arborist: PackageTree,
    };
  }

  /** The version to use: the one that is pinned, else the highest in the range. */
  async pick(pinned?: {
    readonly version: string;
    readonly resolved?: string | undefined;
  }): Promise<Candidate> {
    const source = this.#source;
    switch (source.kind) {
      case 'registry':
        return this.#pickFromRegistry(pinned?.version);
      case 'folder':
        return this.#pickFromFolder(source.folder, pinned?.version);
      case 'git':
        return this.#pickFromGit(source.address, pinned?.resolved);
      case 'tarball':
        return { spec: source.address, resolved: 'tarball' };
      case 'path':
        return {
          spec: `file:${source.path}`,
          resolved: (await isFolder(source.path)) ? 'folder' : 'tarball',
        };
    }
  }

  /** Every version that the source offers, lowest first; empty where a source has no versions to list. */
  async versions(): Promise<readonly string[]> {
    if (this.#source.kind === 'registry') return semver.sort(Object.keys((await this.#packument()).versions));
    if (this.#source.kind !== 'folder') return [];
    return semver.sort([...(await packagesIn(this.#source.folder, this.#reference)).keys()]);
  }

  /** Unpacks a candidate into a folder that does not exist yet, after its archive has been checked. */
  async unpack(candidate: Candidate, folder: string): Promise<void> {
    const label = requestOf(this.#reference);
    const { tarball, extract } = await import('pacote');
    const stopped = new AbortController();
    try {
      const options = { ...this.#options, signal: stopped.signal };
      const bytes = await tarball.stream(candidate.spec, (stream) => readAll(stream, label), options);
      await checkTarball(bytes, label);
      await writeFile(join(this.#temp, 'package.tgz'), bytes);
    } finally {
      // A source that goes on sending after the limit would keep its connection, and the program, alive.
      stopped.abort();
    }
    await extract('file:./package.tgz', folder, this.#options);
  }

  async #pickFromRegistry(pinned: string | undefined): Promise<Candidate> {
    const { package: name, range } = this.#reference;
    const packument = await this.#packument();
    const versions = Object.keys(packument.versions);
    const tagged = packument['dist-tags'][range];
    const version = pinned ?? tagged ?? semver.maxSatisfying(versions, range) ?? undefined;
    if (version === undefined || !versions.includes(version)) throw this.#noVersion(versions, pinned);
    return { version, spec: `${name}@${version}`, resolved: 'registry' };
  }

  async #pickFromFolder(folder: string, pinned: string | undefined): Promise<Candidate> {
    const packages = await packagesIn(folder, this.#reference);
    const versions = [...packages.keys()];
    const range = this.#reference.range === 'latest' ? '*' : this.#reference.range;
    const version = pinned ?? semver.maxSatisfying(versions, range) ?? undefined;
    const found = version === undefined ? undefined : packages.get(version);
    if (found === undefined) throw this.#noVersion(versions, pinned);
    return { version: version!, spec: `file:${found}`, resolved: 'folder' };
  }

  async #pickFromGit(address: string, pinned: string | undefined): Promise<Candidate> {
    const commit = /^git#([0-9a-f]{40,64})$/.exec(pinned ?? '')?.[1];
    const { resolve } = await import('pacote');
    const spec = commit ? `${address.replace(/#.*$/, '')}#${commit}` : await resolve(address, this.#options);
    return { spec, resolved: `git#${spec.slice(spec.lastIndexOf('#') + 1)}` };
  }

  async #packument() {
    const { packument } = await import('pacote');
    return packument(this.#reference.package, this.#options);
  }

  #noVersion(versions: readonly string[], pinned: string | undefined): StudioError {
    const request = requestOf(this.#reference);
    const newest = semver.rsort([...versions]).slice(0, 5);
    const what = pinned === undefined ? 'no version is in the range' : `the locked version ${pinned} is gone`;
    return new StudioError(
      'fount.no-version',
      `Cannot resolve "${request}": ${what}; there are ${newest.join(', ') || 'none'}`,
      { request, versions: newest },
    );
  }
}

function registryOptions({ package: name }: FountReference, source: FountSource): Record<string, string> {
  if (source.kind !== 'registry' || source.registry === undefined) return {};
  const scope = /^(@[^/]+)\//.exec(name)?.[1];
  return { registry: source.registry, ...(scope && { [`${scope}:registry`]: source.registry }) };
}

async function readAll(stream: AsyncIterable<Buffer>, label: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > packageLimits.bytes) throw tooLarge(label, 'more than 64 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
