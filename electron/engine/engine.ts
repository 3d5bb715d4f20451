import { randomUUID } from 'node:crypto';
import { cp, mkdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StudioError, unreachable } from '#shared/errors.ts';
import type { AppInfo } from '#shared/model/app.ts';
import type { CacheEntryDetail } from '#shared/model/cache.ts';
import type { DoctorReport } from '#shared/model/doctor.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { ResolvedDocument } from '#shared/model/lens-document.ts';
import type { RunId } from '#shared/model/run.ts';
import type { FileId, OpenRequest, WorkspaceId, WorkspaceSnapshot } from '#shared/model/workspace.ts';
import type { Environment } from './agent-skills/home-layouts.ts';
import { userFolder } from './store/user-folder.ts';
import { SkillsDesk } from './agent-skills/skills-desk.ts';
import { ActionCache } from './cache/action-cache.ts';
import { unreadableEntry } from './cache/describe-cache.ts';
import type { FixtureChoice } from './fixtures/fixture-from-run.ts';
import { saveFixture } from './fixtures/save-fixture.ts';
import type { SavedFixture } from './fixtures/save-fixture.ts';
import { TestsDesk } from './fixtures/tests-desk.ts';
import type { Host } from './host.ts';
import type { Keychain } from './models/keychain.ts';
import { Models } from './models/models.ts';
import { graphDocument, lensDocument } from './resolve/documents.ts';
import { LibraryDesk } from './resolve/library-desk.ts';
import type { ResolvedSkill } from './resolve/nodes.ts';
import { openResolver } from './resolve/open-resolver.ts';
import { ReadCache } from './resolve/read-cache.ts';
import type { Resolution } from './resolve/resolve.ts';
import { footprintOf } from './resolve/workspace-resolver.ts';
import type { WorkspaceResolver } from './resolve/workspace-resolver.ts';
import { takeBackKilled } from './run/apply/take-back-killed.ts';
import { HistoryWatch } from './run/history-watch.ts';
import { TrustDesk } from './run/trust-desk.ts';
import { workspaceKey } from './run/workspace-key.ts';
import { WorkspaceRuns } from './run/workspace-runs.ts';
import type { WorkspaceRunsOptions } from './run/workspace-runs.ts';
import { doctorDocument } from './sandbox/doctor-document.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { Log } from './store/log.ts';
import { SettingsStore } from './store/settings-store.ts';
import { GrantStore } from './trust/grant-store.ts';
import { DraftStore } from './workspace/draft-store.ts';
import type { OutlineReader } from './workspace/entry.ts';
import { Workspace } from './workspace/workspace.ts';

declare const __VERSION__: string;

export interface EngineOptions {
  /** The user's folder; `$SUNWELL_HOME` or `~/.sunwell`. */
  readonly home: string;
  /** The shipped resources: sample workspace, built-in library, schemas. */
  readonly resources: string;
  /** Where the user's home is; the process's own where nothing is said. */
  readonly environment?: Environment;
  /** Where keys of models are kept; absent where the host has no keychain. */
  readonly keychain?: Keychain;
}

/** Everything the studio can do, for any number of windows; disposes what it opened. */
export class Engine implements AsyncDisposable {
  readonly #options: EngineOptions;
  readonly #workspaces = new Map<WorkspaceId, Workspace>();
  readonly #resolvers = new Map<WorkspaceId, WorkspaceResolver>();
  readonly #reads = new Map<WorkspaceId, ReadCache>();
  readonly #versions = new WeakMap<Resolution, string>();
  readonly #runs = new Map<WorkspaceId, WorkspaceRuns>();
  readonly #historyWatches = new Map<WorkspaceId, HistoryWatch>();
  readonly #drafts = new Map<string, DraftStore>();
  readonly #skillDesks = new Map<WorkspaceId, SkillsDesk>();
  #sandbox: Sandbox | undefined;
  #cache: ActionCache | undefined;
  readonly #opening = new Map<string, Promise<Workspace>>();
  readonly log: Log;
  readonly settings: SettingsStore;
  readonly #grants: GrantStore;
  readonly trust: TrustDesk;
  readonly models: Models;

  private constructor(options: EngineOptions, log: Log, settings: SettingsStore) {
    this.#options = options;
    this.log = log;
    this.settings = settings;
    this.#grants = new GrantStore(options.home);
    this.trust = new TrustDesk(this.#grants);
    this.models = new Models({
      home: options.home,
      environment: options.environment ?? process.env,
      keychain: options.keychain,
      sandbox: () => this.#openSandbox(),
    });
  }

  static async start(options: EngineOptions): Promise<Engine> {
    const log = new Log(join(options.home, 'logs'));
    return new Engine(options, log, await SettingsStore.open(join(options.home, 'studio.json'), log));
  }

  info(host: Host): AppInfo {
    return {
      name: 'Sunwell Studio',
      version: __VERSION__,
      host: host.kind,
      platform: process.platform,
      canChooseFolder: host.chooseFolder !== undefined,
      sampleLocation: this.#sampleFolder,
      notices: [...this.settings.notices, ...this.#grants.notices],
    };
  }

  async open(request: OpenRequest, host: Host): Promise<WorkspaceSnapshot> {
    const folder = await this.#folderFor(request, host);
    const workspace = await this.#openFolder(folder);
    const snapshot = workspace.snapshot();
    const { name, location } = snapshot;
    host.opened?.(workspace.root);
    // Not waited for: a slow disk must not keep the workspace from opening. The store tells of a write that fails.
    void this.settings.change({ recentWorkspaces: [{ name, location }] });
    return snapshot;
  }

  async choose(host: Host): Promise<WorkspaceSnapshot | null> {
    if (!host.chooseFolder)
      throw new StudioError('host.no-dialog', 'Cannot show a folder dialog here: type the path instead');
    const folder = await host.chooseFolder();
    return folder === undefined ? null : this.open({ from: 'folder', folder }, host);
  }

  workspace(id: WorkspaceId): Workspace {
    const workspace = this.#workspaces.get(id);
    if (!workspace)
      throw new StudioError(
        'workspace.not-open',
        'Cannot find this workspace: it is not open, open it again',
      );
    return workspace;
  }

  /** The lens or library resolved as the page shows it: the graph, and the merged lens. */
  async resolve(
    id: WorkspaceId,
    file: FileId,
    unsaved: ReadonlyMap<string, string>,
  ): Promise<ResolvedDocument> {
    const resolution = await this.#resolution(id, file, unsaved);
    const version = this.#versionOf(resolution);
    return {
      graph: graphDocument(resolution),
      lens: lensDocument(resolution),
      ...(version !== undefined && { version }),
    };
  }

  /** Whether a lens or library would still be resolved to what had this version. */
  async isCurrent(id: WorkspaceId, file: FileId, version: string): Promise<boolean> {
    return this.#versionOf(await this.#resolution(id, file, new Map())) === version;
  }

  /** One skill of a lens or library as it is on disk: trust is never decided about text that nobody saved. */
  async skill(id: WorkspaceId, file: FileId, skill: string): Promise<ResolvedSkill> {
    const { skills } = await this.#resolution(id, file, new Map());
    const found = skills.find((node) => node.id === skill);
    if (found) return found;
    throw new StudioError('graph.unknown-skill', `Cannot find skill "${skill}" in "${file}"`, {
      skill,
      file,
    });
  }

  /** Plans and runs of one file of a workspace: refuses what is none of its lenses and libraries. */
  runsOf(id: WorkspaceId, file: FileId): WorkspaceRuns {
    this.workspace(id).requireEntry(file);
    return this.runs(id);
  }

  /** Plans, runs and past runs of a workspace; one for all windows. */
  runs(id: WorkspaceId): WorkspaceRuns {
    const workspace = this.workspace(id);
    let runs = this.#runs.get(id);
    if (!runs) {
      runs = new WorkspaceRuns({
        ...this.#runsParts(workspace),
        home: this.#options.home,
        cache: this.cache,
        changed: () => this.#historyWatches.get(id)?.tell(),
        tell: (sentence) => workspace.tellTakenBack(sentence),
      });
      this.#runs.set(id, runs);
    }
    return runs;
  }

  /** Fixtures of one file of a workspace: refuses what is none of its lenses and libraries. */
  tests(id: WorkspaceId, file: FileId): TestsDesk {
    const workspace = this.workspace(id);
    workspace.requireEntry(file);
    return new TestsDesk({ runs: this.#runsParts(workspace), cache: () => this.cache });
  }

  /** Writes a run down as a fixture of its lens. */
  async saveFixture(id: WorkspaceId, run: RunId, choice: FixtureChoice): Promise<SavedFixture> {
    return saveFixture(this.workspace(id).root, await this.runs(id).show(run), choice);
  }

  /** Agent Skills as a workspace sees them; one for all windows, so that each finds its previews. */
  agentSkills(id: WorkspaceId): SkillsDesk {
    const workspace = this.workspace(id);
    let desk = this.#skillDesks.get(id);
    if (!desk) {
      desk = new SkillsDesk({
        root: workspace.root,
        environment: this.#options.environment ?? process.env,
        configured: () => this.settings.value.skillFolders,
        requireEntry: (file) => workspace.requireEntry(file),
        resolve: (file) => this.#resolution(id, file, new Map()),
      });
      this.#skillDesks.set(id, desk);
    }
    return desk;
  }

  /** Unsaved text of a workspace; by its place, because a folder that was away is opened as another workspace. */
  drafts(id: WorkspaceId): DraftStore {
    const { root } = this.workspace(id);
    let drafts = this.#drafts.get(root);
    if (!drafts) {
      drafts = new DraftStore(join(this.#options.home, 'drafts', workspaceKey(root)));
      this.#drafts.set(root, drafts);
    }
    return drafts;
  }

  /** Skills that the lenses of a workspace could use. */
  library(id: WorkspaceId): LibraryDesk {
    const workspace = this.workspace(id);
    return new LibraryDesk({
      root: workspace.root,
      entries: () => workspace.snapshot().entries,
      resolver: this.#resolverOf(workspace),
    });
  }

  /** Results of earlier steps, of all workspaces. */
  get cache(): ActionCache {
    return (this.#cache ??= ActionCache.open(this.#options.home));
  }

  /** One kept result with everything that led to it. */
  cacheEntry(key: Digest): CacheEntryDetail {
    const entry = this.cache.show(key);
    if (entry) return entry;
    if (this.cache.isUnreadable(key)) throw unreadableEntry(key);
    throw new StudioError('cache.unknown-key', `Cannot find "${key}" in the cache`, { key });
  }

  /** Whether scripts can run on this machine; the answer is kept until asked for again. */
  async doctor({ again }: { again: boolean }): Promise<DoctorReport> {
    const sandbox = this.#openSandbox();
    if (again) await sandbox.report({ again });
    return doctorDocument(await sandbox.doctor());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#opening.values());
    await Promise.all([...this.#runs.values()].map((runs) => runs[Symbol.asyncDispose]()));
    for (const watch of this.#historyWatches.values()) watch[Symbol.dispose]();
    this.#cache?.[Symbol.dispose]();
    this.#sandbox?.[Symbol.dispose]();
    await Promise.all([...this.#workspaces.values()].map((workspace) => workspace[Symbol.asyncDispose]()));
    this.#workspaces.clear();
    await this.settings.settled();
  }

  #runsParts(workspace: Workspace): Omit<WorkspaceRunsOptions, 'home' | 'cache'> {
    return {
      root: workspace.root,
      sandbox: this.#openSandbox(),
      resolve: (file, request) => this.#resolverOf(workspace).resolve(file, request),
      grants: this.#grants,
      log: this.log,
      models: this.models,
    };
  }

  #openSandbox(): Sandbox {
    return (this.#sandbox ??= new Sandbox({
      home: this.#options.home,
      workspaces: [...this.#workspaces.values()].map((workspace) => workspace.root),
    }));
  }

  async #resolution(
    id: WorkspaceId,
    file: FileId,
    unsaved: ReadonlyMap<string, string>,
  ): Promise<Resolution> {
    const workspace = this.workspace(id);
    workspace.requireEntry(file);
    return this.#resolverOf(workspace).resolve(file, { unsaved });
  }

  /** A resolution that holds is always the same one; one whose end could not be noticed has no version. */
  #versionOf(resolution: Resolution): string | undefined {
    if (!footprintOf(resolution)) return undefined;
    const version = this.#versions.get(resolution) ?? randomUUID();
    this.#versions.set(resolution, version);
    return version;
  }

  /** One resolver a workspace keeps what it has read between calls. */
  #resolverOf(workspace: Workspace): WorkspaceResolver {
    let resolver = this.#resolvers.get(workspace.id);
    if (!resolver) {
      const files = (): Promise<readonly string[]> =>
        Promise.resolve(workspace.snapshot().entries.map((entry) => entry.file));
      const { home, resources } = this.#options;
      const { root, id } = workspace;
      ({ resolver } = openResolver({
        ...{ root, home, resources, log: this.log, files, reads: this.#reads.get(id) },
        later: (work) => this.#afterAnswers(work),
      }));
      this.#resolvers.set(workspace.id, resolver);
    }
    return resolver;
  }

  async #folderFor(request: OpenRequest, host: Host): Promise<string> {
    switch (request.from) {
      case 'folder':
        return expandHome(request.folder);
      case 'sample':
        return this.#sample();
      case 'example':
        return this.#copied(
          join('examples', request.name),
          join(this.#options.home, 'examples', request.name),
        );
      case 'start': {
        if (host.start && host.start.from !== 'start') return this.#folderFor(host.start, host);
        const recent = this.settings.value.recentWorkspaces[0]?.location;
        const isThere = recent !== undefined && (await stat(recent).catch(() => undefined))?.isDirectory();
        return isThere ? recent : this.#sample();
      }
      default:
        return unreachable(request);
    }
  }

  /** Two windows on one folder share one workspace, so that its watcher and its state exist once. */
  async #openFolder(folder: string): Promise<Workspace> {
    const root = resolve(folder);
    const takenBack = await takeBackKilled({ home: this.#options.home, root });
    const workspace = await this.#openedFolder(root);
    if (takenBack !== undefined) workspace.tellTakenBack(takenBack);
    return workspace;
  }

  async #openedFolder(root: string): Promise<Workspace> {
    for (const workspace of this.#workspaces.values()) {
      if (workspace.root === root && !workspace.isLost) return workspace;
    }
    let opening = this.#opening.get(root);
    if (!opening) {
      opening = this.#startWorkspace(root).finally(() => this.#opening.delete(root));
      this.#opening.set(root, opening);
    }
    return opening;
  }

  async #startWorkspace(root: string): Promise<Workspace> {
    const reads = new ReadCache();
    const outline: OutlineReader = (kind, file, text) => reads.outline(kind, file, text);
    const workspace = await Workspace.open(root, { outline });
    this.#reads.set(workspace.id, reads);
    // Not waited for: setting up watches on a large folder takes long, and what changes meanwhile is found at its end.
    workspace.watch().catch((error: unknown) => this.log.report(error));
    this.#workspaces.set(workspace.id, workspace);
    const watch = new HistoryWatch({
      folder: join(this.#options.home, 'runs', workspaceKey(root)),
      changed: () => workspace.runsChanged(),
      failed: (error) => this.log.report(error),
    });
    this.#historyWatches.set(workspace.id, watch);
    return workspace;
  }

  #afterAnswers(work: () => void): void {
    setImmediate(() => {
      try {
        work();
      } catch (error) {
        this.log.report(error); // Nobody waits for it, and thrown here it would end the host.
      }
    });
  }

  get #sampleFolder(): string {
    return resolve(this.#options.home, 'sample');
  }

  #sample(): Promise<string> {
    return this.#copied('sample', this.#sampleFolder);
  }

  /** Copied where the user may change it: shipped resources can be read-only. What they changed stays. */
  async #copied(resource: string, target: string): Promise<string> {
    try {
      await mkdir(dirname(target), { recursive: true });
      await cp(join(this.#options.resources, resource), target, {
        recursive: true,
        force: false,
        errorOnExist: false,
      });
    } catch (error) {
      const { message } = error as Error;
      throw new StudioError('workspace.unreadable', `Cannot copy "${resource}" to "${target}": ${message}`, {
        folder: target,
      });
    }
    return target;
  }
}

function expandHome(folder: string): string {
  if (folder === '~') return userFolder();
  return folder.startsWith('~/') ? join(userFolder(), folder.slice(2)) : folder;
}
