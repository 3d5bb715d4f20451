import semver from 'semver';
import { StudioError } from '#shared/errors.ts';
import type { FountChange, FountState } from '#shared/model/fount.ts';
import { hasDrifted } from './fount-errors.ts';
import { parseFount, requestOf, type FountReference } from './fount-reference.ts';
import type { Fount, FountStore, Pin } from './fount-store.ts';
import { readLock, writeLock, type Lock } from './lock-file.ts';

/** The founts of one folder of lenses: what its `sunwell.lock` pins, and the few ways to change that. */
export class WorkspaceFounts {
  readonly #folder: string;
  readonly #store: FountStore;
  readonly #frozen: boolean;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: { folder: string; store: FountStore; frozen?: boolean }) {
    this.#folder = options.folder;
    this.#store = options.store;
    this.#frozen = options.frozen ?? false;
  }

  /** The package that a reference means; one that is not in the lock is fetched and pinned, unless offline or frozen. */
  async resolve(reference: FountReference, options: { offline?: boolean } = {}): Promise<Fount> {
    const request = requestOf(reference);
    const locked = (await readLock(this.#folder)).founts[request];
    if (locked === undefined && !options.offline && this.#frozen) throw frozen(`"${request}" is not in it`);
    const fount = await this.#store.resolve(reference, { locked, base: this.#folder, ...options });
    if (locked === undefined) await this.#change([[request, fount]]);
    return fount;
  }

  /**
   * Fetches a fount and pins it; one that is pinned already keeps its version and is only fetched.
   * Without a range it takes the latest version and pins `^version`.
   */
  async add(text: string): Promise<FountChange> {
    const asked = parseFount(text);
    const locked = (await readLock(this.#folder)).founts[requestOf(asked)];
    if (this.#frozen && locked === undefined) throw frozen(`"${text}" cannot be added`);
    const fount = await this.#store.resolve(asked, { locked, base: this.#folder });
    const range = asked.range === 'latest' ? `^${fount.version}` : asked.range;
    const [change] = await this.#change([[requestOf({ ...asked, range }), fount]]);
    return change!;
  }

  /** Takes the highest version in the range for every locked fount, or for those of one package. */
  async update(name?: string): Promise<readonly FountChange[]> {
    const locked = referencesOf(await readLock(this.#folder)).filter(
      (reference) => name === undefined || reference.package === name || requestOf(reference) === name,
    );
    if (name !== undefined && locked.length === 0) {
      throw new StudioError('fount.not-in-lock', `Cannot update "${name}": it is not in sunwell.lock`, {
        name,
      });
    }
    const founts: [string, Fount][] = [];
    for (const reference of locked) {
      founts.push([requestOf(reference), await this.#store.resolve(reference, { base: this.#folder })]);
    }
    return this.#change(founts);
  }

  /** How each locked fount stands, and which of the ones in use are not locked. */
  async outdated(used: readonly FountReference[] = []): Promise<readonly FountState[]> {
    const lock = await readLock(this.#folder);
    const unlocked = used.filter((reference) => lock.founts[requestOf(reference)] === undefined);
    const all = new Map(
      [...referencesOf(lock), ...unlocked].map((reference) => [requestOf(reference), reference]),
    );
    const requests = [...all.keys()].sort();
    return Promise.all(requests.map((request) => this.#stateOf(all.get(request)!, lock.founts[request])));
  }

  async #stateOf(reference: FountReference, locked: Pin | undefined): Promise<FountState> {
    const { package: name, range } = reference;
    const known = { request: requestOf(reference), package: name, range };
    if (locked === undefined) return { ...known, state: 'not-in-lock' };
    const here = await this.#stateHere(reference, locked);
    const state: FountState = { ...known, state: here, version: locked.version };
    try {
      const { update, latest } = await this.#newer(reference, locked);
      const isNews = update !== undefined && here === 'current';
      return {
        ...state,
        ...(isNews && { state: 'update-available' }),
        ...(update !== undefined && { update }),
        ...(latest !== undefined && { latest }),
      };
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      return { ...state, problem: { code: error.code, message: error.message } };
    }
  }

  async #stateHere(reference: FountReference, locked: Pin): Promise<FountState['state']> {
    try {
      return (await this.#store.find(reference, locked)) === undefined ? 'missing' : 'current';
    } catch (error) {
      if (error instanceof StudioError && hasDrifted(error)) return 'changed-on-disk';
      throw error;
    }
  }

  async #newer(reference: FountReference, locked: Pin): Promise<{ update?: string; latest?: string }> {
    // Without version numbers to compare, only the content says whether something is new.
    if (locked.resolved !== undefined && locked.resolved !== 'registry') {
      const fresh = await this.#store.resolve(reference, { base: this.#folder });
      return fresh.tree === locked.integrity ? {} : { update: fresh.version };
    }
    const versions = await this.#store.versions(reference, this.#folder);
    const best = semver.maxSatisfying([...versions], reference.range) ?? locked.version;
    const latest = semver.maxSatisfying([...versions], '*') ?? best;
    return {
      ...(best !== locked.version && { update: best }),
      ...(semver.gt(latest, best) && { latest }),
    };
  }

  /** Changes the lock behind earlier changes, from what is on disk by then, so that none is lost. */
  async #change(founts: readonly (readonly [string, Fount])[]): Promise<readonly FountChange[]> {
    const work = this.#changing.then(() => this.#store.alone(this.#folder, () => this.#changeLock(founts)));
    // A change that fails is its own caller's to know of; the next one starts from the disk again.
    this.#changing = work.catch(() => undefined);
    return work;
  }

  async #changeLock(founts: readonly (readonly [string, Fount])[]): Promise<readonly FountChange[]> {
    const before = await readLock(this.#folder);
    const changes = founts.map(([request, fount]) => describe(request, fount, before.founts[request]));
    if (changes.every((change) => !change.changed)) return changes;
    if (this.#frozen)
      throw frozen(changes.map((change) => `"${change.request}" is now ${change.to}`).join(', '));
    const after: Lock['founts'] = { ...before.founts };
    for (const [request, fount] of founts) after[request] = { ...after[request], ...pinOf(fount) };
    await writeLock(this.#folder, { ...before, founts: after });
    return changes;
  }
}

function referencesOf(lock: Lock): FountReference[] {
  return Object.keys(lock.founts).map((request) => parseFount(request));
}

function pinOf(fount: Fount): Required<Pin> {
  return { version: fount.version, integrity: fount.tree, resolved: fount.resolved };
}

function describe(request: string, fount: Fount, before: Pin | undefined): FountChange {
  return {
    request,
    package: fount.name,
    ...(before !== undefined && { from: before.version }),
    to: fount.version,
    integrity: fount.tree,
    changed:
      before?.version !== fount.version ||
      before.integrity !== fount.tree ||
      before.resolved !== fount.resolved,
  };
}

function frozen(what: string): StudioError {
  return new StudioError(
    'fount.frozen',
    `Cannot change sunwell.lock with --frozen: ${what}; run without --frozen and commit the lock`,
  );
}
