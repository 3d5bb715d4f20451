import { isCommandId } from '#shared/commands.ts';
import { unreachable } from '#shared/errors.ts';
import type { AppEvent, AppInfo, RunProgress } from '#shared/model/app.ts';
import type { Location } from '#shared/model/diagnostic.ts';
import type { RunId, RunSummary } from '#shared/model/run.ts';
import type { FileId, OpenRequest } from '#shared/model/workspace.ts';
import { countText } from '#shared/quantities.ts';
import type { Connection } from '#renderer/client/connect.ts';
import type { Clock } from './clock.ts';
import { AgentSkillsView } from './agent-skills.svelte.ts';
import { Blocks } from './blocks.svelte.ts';
import { ClosedAnswers } from './closed-answers.ts';
import { Commands } from './commands.svelte.ts';
import { commandActions, commandContexts } from './command-actions.ts';
import { EngineConnection } from './connection.svelte.ts';
import { OpenDocument } from './document.svelte.ts';
import type { DocumentSource, DocumentTarget } from './document.svelte.ts';
import { Drafts } from './drafts.ts';
import { Edits } from './edits.ts';
import { CacheView } from './cache.svelte.ts';
import { Explorer } from './explorer.svelte.ts';
import { DisconnectedError, toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { FileIndex } from './file-index.svelte.ts';
import { GraphEdits } from './graph-edits.svelte.ts';
import { GraphOverlay } from './graph-overlay.svelte.ts';
import { HistoryView } from './history.svelte.ts';
import { Keymap } from './keymap.svelte.ts';
import { LanguageFiles } from './language-files.ts';
import { LensRun } from './lens-run.svelte.ts';
import { LibraryView } from './library.svelte.ts';
import { ModelsView } from './models.svelte.ts';
import { Notices } from './notices.svelte.ts';
import { Palette } from './palette.svelte.ts';
import type { PaletteItem } from './palette.svelte.ts';
import { Panes } from './panes.svelte.ts';
import type { PanelTab } from './panes.svelte.ts';
import { Problems } from './problems.svelte.ts';
import { Resolution } from './resolution.svelte.ts';
import type { ResolutionAnswer } from './resolution.svelte.ts';
import { RecentRuns } from './recent-runs.svelte.ts';
import type { RunNews } from './recent-runs.svelte.ts';
import { SandboxView } from './sandbox.svelte.ts';
import { SettingsView } from './settings.svelte.ts';
import { SkillIndex } from './skill-index.svelte.ts';
import { Tab, Tabs } from './tabs.svelte.ts';
import { Tour } from './tour.svelte.ts';
import { TrustView } from './trust.svelte.ts';
import { usedLibraries } from './used-libraries.ts';
import { WorkspaceView } from './workspace.svelte.ts';

/** Where a script is to be found: in a file of its own, or within the text of a lens or library. */
export interface ScriptPlace {
  readonly name: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** The skill in its lens or library. */
  readonly origin: Location;
}

/** What the middle of the window shows: the open documents, or one of the studio's own pages. */
export type StudioPage = 'documents' | 'history' | 'cache' | 'agent-skills' | 'library';

export type StudioDialog = 'new-lens' | 'open-folder' | 'settings' | 'shortcuts';
export type SettingsPage = 'appearance' | 'keys' | 'models' | 'sandbox' | 'trust';

export interface StudioOptions {
  readonly connect: () => Promise<Connection>;
  readonly clock: Clock;
}

/**
 * How long to wait for the typing to pause, for more events of one change, and for the tab in front to go first; and how
 * much longer with a plan while somebody types: problems and graph come first, and nobody plans between two letters.
 */
const pauseMs = { typing: 250, disk: 20, behind: 250, planWhileTyping: 500 };

/** Everything one window shows, tied together: connection, workspace, tabs, commands and settings. */
export class Studio {
  readonly #clock: Clock;
  readonly notices: Notices;
  readonly engine: EngineConnection;
  readonly settings: SettingsView;
  readonly workspace: WorkspaceView;
  readonly tabs: Tabs;
  readonly edits: Edits;
  readonly blocks: Blocks;
  readonly languageFiles: LanguageFiles;
  readonly graphEdits: GraphEdits;
  readonly library: LibraryView;
  readonly drafts: Drafts;
  readonly problems: Problems;
  readonly panes = new Panes();
  readonly explorer: Explorer;
  readonly skillIndex: SkillIndex;
  readonly fileIndex: FileIndex;
  readonly keymap: Keymap;
  readonly commands: Commands;
  readonly palette: Palette;
  readonly sandbox: SandboxView;
  readonly models: ModelsView;
  readonly trust: TrustView;
  readonly recentRuns: RecentRuns;
  readonly history: HistoryView;
  readonly cache: CacheView;
  readonly agentSkills: AgentSkillsView;
  readonly tour: Tour;
  readonly #closedAnswers = new ClosedAnswers<ResolutionAnswer>();
  #info = $state.raw<AppInfo>();
  #dialog = $state.raw<StudioDialog>();
  #settingsPage = $state.raw<SettingsPage>('appearance');
  #page = $state.raw<StudioPage>('documents');
  #startFailure = $state.raw<Failure>();

  constructor({ connect, clock }: StudioOptions) {
    this.#clock = clock;
    this.notices = new Notices(clock);
    const warn = (failure: Failure): void => this.notices.warn(failure);
    this.engine = new EngineConnection({ connect, clock, connected: () => void this.#connected() });
    this.settings = new SettingsView({ engine: this.engine, clock, failed: warn });
    this.drafts = new Drafts({
      source: () => this.#source(),
      clock,
      failed: warn,
      restore: async (draft) => {
        const entry = this.workspace.entry(draft.file);
        const { document } = this.tabs.open({ file: draft.file, kind: entry?.kind ?? 'file' });
        await document.restore(draft);
        return document;
      },
      restored: (drafts) =>
        this.notices.tell(`Unsaved text is back: ${drafts.map(({ file }) => file).join(', ')}`),
    });
    this.workspace = new WorkspaceView({
      engine: this.engine,
      clock,
      page: this.drafts.page,
      entryChanged: ({ file, revision }) => {
        void this.tabs.find(file)?.document.checkDisk(revision);
        this.#resolveAgain('disk');
      },
      entryRemoved: (file) => {
        this.tabs.find(file)?.document.fileRemoved();
        this.#resolveAgain('disk');
      },
      filesChanged: (files) => {
        for (const file of files) void this.tabs.find(file)?.document.checkDisk(undefined);
        this.#resolveAgain('disk');
      },
      runsChanged: () => void this.recentRuns.look(),
      unfollowed: warn,
    });
    this.recentRuns = new RecentRuns({
      source: () => this.#source(),
      clock,
      location: () => this.workspace.snapshot?.location,
      heard: (news) => this.#heardOfRuns(news),
    });
    this.tabs = new Tabs({ openTab: (target) => this.#openTab(target) });
    this.edits = new Edits({
      ...{ tabs: this.tabs, workspace: this.workspace, notices: this.notices },
      source: () => this.#source(),
    });
    this.blocks = new Blocks({ edits: this.edits, notices: this.notices });
    this.languageFiles = new LanguageFiles({
      entries: () => this.workspace.entries,
      document: (file) => this.tabs.find(file)?.document,
      read: (file) => this.engine.client.lens.read({ workspace: this.#source().workspace, file }),
      list: async () => {
        const { client, workspace } = this.#source();
        return (await client.workspace.files({ workspace })).files;
      },
    });
    this.library = new LibraryView({ source: () => this.#source(), clock });
    this.graphEdits = new GraphEdits({
      ...{ tabs: this.tabs, edits: this.edits, notices: this.notices, languageFiles: this.languageFiles },
      entries: () => this.workspace.entries,
      readText: (file) => this.readText(file),
      show: (skill) => this.library.show(skill),
    });
    this.problems = new Problems({
      snapshot: () => this.workspace.snapshot,
      tabs: () => this.tabs,
      notices: () => this.#info?.notices ?? [],
    });
    this.sandbox = new SandboxView(this.engine);
    const planAgain = (): void => {
      for (const tab of this.tabs.all) tab.lensRun?.plan.refresh(0);
    };
    this.models = new ModelsView({ client: () => this.engine.client, changed: planAgain });
    this.trust = new TrustView({
      client: () => this.engine.client,
      workspace: () => this.#source().workspace,
      decided: ({ name, level }) => {
        this.notices.speak(`${name} is trusted: ${level}`);
        planAgain();
      },
    });
    this.history = new HistoryView({ source: () => this.#source(), clock });
    this.cache = new CacheView({ client: () => this.engine.client, clock });
    this.tour = new Tour({
      show: ({ id }) => this.showPanel(id === 'review' ? 'changes' : 'plan'),
      ended: () => void this.settings.rememberTour(),
    });
    this.agentSkills = new AgentSkillsView({
      source: () => this.#source(),
      clock,
      written: ({ folder }, files) => this.notices.tell(`${countText(files, 'file')} written to ${folder}`),
    });
    this.explorer = new Explorer({
      entries: () => this.workspace.entries,
      used: () => usedLibraries(this.tabs.all),
    });
    this.skillIndex = new SkillIndex({
      read: (file) => this.engine.client.lens.read({ workspace: this.#source().workspace, file }),
      failed: warn,
    });
    this.fileIndex = new FileIndex({ source: () => this.#source(), failed: warn });
    this.keymap = new Keymap({
      keyboard: () => ({
        host: this.#info?.host === 'desktop' ? 'desktop' : 'browser',
        isMac: this.#info?.platform === 'darwin',
      }),
      chosen: () => this.settings.keymap,
      choose: (keymap) => this.settings.chooseKeymap(keymap),
    });
    this.commands = new Commands({
      actions: commandActions(this),
      contexts: commandContexts(this),
      keymap: this.keymap,
      finishTyping: () => this.tabs.active?.form.finish(),
    });
    this.palette = new Palette({
      entries: () => this.workspace.entries,
      skills: () => this.skillIndex.skills,
      files: () => this.fileIndex.files,
      commands: () => this.commands,
      recent: () => this.settings.recentItemsOf(this.workspace.snapshot?.location ?? ''),
      opened: () => {
        void this.skillIndex.refresh(this.workspace.entries);
        void this.fileIndex.refresh();
      },
      choose: (item) => this.#chosen(item),
    });
  }

  get info(): AppInfo | undefined {
    return this.#info;
  }

  get dialog(): StudioDialog | undefined {
    return this.#dialog;
  }

  /** Why nothing could be opened when the studio started. */
  get startFailure(): Failure | undefined {
    return this.#startFailure;
  }

  get settingsPage(): SettingsPage {
    return this.#settingsPage;
  }

  get page(): StudioPage {
    return this.#page;
  }

  /** Brings a page up; the same page again brings the documents back. */
  showPage(page: StudioPage): void {
    this.#page = this.#page === page ? 'documents' : page;
    if (this.#page === 'history') void this.history.ask();
    if (this.#page === 'cache') void this.cache.ask();
    if (this.#page === 'agent-skills') void this.agentSkills.ask();
    if (this.#page === 'library') void this.library.ask();
  }

  /** Brings the open documents back from behind a page. */
  showDocuments(): void {
    this.#page = 'documents';
  }

  /** Brings a tab of the panel up, and with it what the graph shows: the plan or the run. */
  showPanel(tab: PanelTab): void {
    this.showDocuments();
    this.panes.showPanel(tab);
    const lensRun = this.tabs.active?.lensRun;
    if (tab === 'plan') lensRun?.show('plan');
    else if (tab !== 'problems' && tab !== 'tests') lensRun?.show('run');
  }

  /** Whether a lens has a run that goes on, whoever started it. */
  isRunning(lens: FileId): boolean {
    const isLive = this.tabs.find(lens)?.lensRun?.live !== undefined;
    return isLive || this.recentRuns.running.some((run) => run.lens === lens);
  }

  /** Does what the plan of the active lens says; asks for inputs that are missing. */
  async startRun(): Promise<void> {
    const lensRun = this.tabs.active?.lensRun;
    if (!lensRun || lensRun.live) return;
    this.showDocuments();
    if (lensRun.plan.missingInputs.length > 0) return lensRun.askForInputs();
    this.panes.showPanel('run');
    await lensRun.start();
  }

  showDialog(dialog: StudioDialog | undefined): void {
    this.#dialog = dialog;
    this.#settingsPage = 'appearance';
  }

  showSettings(page: SettingsPage): void {
    this.#dialog = 'settings';
    this.#settingsPage = page;
  }

  start(): Promise<void> {
    return this.engine.start();
  }

  /** Opens a workspace in this window after asking about unsaved text; answers why it could not. */
  async open(request: OpenRequest): Promise<Failure | undefined> {
    return this.#replaceWorkspace(() => this.workspace.open(request), request.from === 'sample');
  }

  /** Asks for a folder: with the host's dialog where there is one, else with the page's own. */
  async askForFolder(): Promise<void> {
    if (!this.#info?.canChooseFolder) return this.showDialog('open-folder');
    const failure = await this.#replaceWorkspace(() => this.workspace.choose(), false);
    if (failure) this.notices.warn(failure);
  }

  async openSample(): Promise<void> {
    const failure = await this.open({ from: 'sample' });
    if (failure) this.notices.warn(failure);
  }

  /** Lets the host show in the taskbar or dock how far the runs are. */
  async tellProgress(progress: RunProgress | undefined): Promise<void> {
    if (this.#info?.host !== 'desktop') return;
    try {
      await this.engine.client.app.progress({ ...(progress && { progress }) });
    } catch {
      // A taskbar that lags behind is nothing to bother the user with.
    }
  }

  /** Starts the tour on the lens in front, or on the sample where there is none. */
  async takeTour(): Promise<void> {
    if (!this.tabs.active?.hasGraph) await this.openSample();
    if (this.tabs.active?.hasGraph) this.tour.start();
  }

  /** Writes a new lens and opens it; answers why it could not. */
  async createLens(file: string, text: string): Promise<Failure | undefined> {
    try {
      const { client, workspace } = this.#source();
      await client.lens.create({ workspace, file, text });
    } catch (error) {
      return toFailure(error);
    }
    this.#page = 'documents';
    this.tabs.open({ file: file as FileId, kind: 'lens' });
    return undefined;
  }

  openFile(file: FileId): void {
    const entry = this.workspace.entry(file);
    if (!entry) return;
    this.#page = 'documents';
    this.tabs.open(entry);
  }

  /** Shows a run of the history on the graph of its lens; answers whether the lens is still there. */
  async openRun({ lens, runId }: RunSummary): Promise<boolean> {
    const entry = this.workspace.entry(lens);
    if (!entry) return false;
    this.openFile(entry.file);
    this.panes.showPanel('run');
    await this.tabs.active?.lensRun?.open(runId);
    return true;
  }

  /** The run as one HTML file for the user to keep. */
  async exportRun(run: RunId): Promise<{ name: string; html: string } | undefined> {
    try {
      const { client, workspace } = this.#source();
      return await client.run.export({ workspace, run });
    } catch (error) {
      this.notices.warn(toFailure(error));
      return undefined;
    }
  }

  /** Opens a file of the workspace as text at a place in it; answers whether it is one. */
  openAt({ file, ...place }: Location): boolean {
    const entry = this.workspace.entry(file);
    if (!entry) return false;
    this.#page = 'documents';
    this.tabs.open(entry).showAt(place);
    return true;
  }

  /** Opens any text of the workspace at a place in it, also one that is no lens, library or skill of its list. */
  openTextAt({ file, ...place }: Location): void {
    if (this.openAt({ file, ...place })) return;
    this.#page = 'documents';
    this.tabs.openFile(file as FileId).showAt(place);
  }

  /** The text of a lens or library: what is typed where it is open, else what is on disk. */
  async readText(file: FileId): Promise<string> {
    const document = this.tabs.find(file)?.document;
    if (document?.phase.phase === 'ready') return document.text;
    return (await this.engine.client.lens.read({ workspace: this.#source().workspace, file })).text;
  }

  /** Opens the script where it is written: in a file of its own, or within a lens or library. */
  openScript({ name, file, line, origin }: ScriptPlace): void {
    if (file === undefined) {
      if (!this.openAt({ ...origin, endLine: origin.line, endColumn: origin.column })) {
        this.notices.warn({
          message: `Cannot open "${name}": "${origin.file}" is not a file of this workspace`,
        });
      }
      return;
    }
    const place = { line: line ?? 1, column: 1, endLine: line ?? 1, endColumn: 1 };
    this.tabs.openFile(file as FileId).showAt(place);
  }

  /** Shows the text in front beside what is saved. */
  compareWithSaved(): void {
    const tab = this.tabs.active;
    if (!tab) return;
    if (tab.document.isDirty) tab.compare({ text: tab.document.savedText ?? '', title: 'Saved' });
    else this.notices.tell(`Nothing to compare: ${tab.title} has no changes that are not saved`);
  }

  /** Shows the text in front beside the last commit of its git repository. */
  async compareWithHead(): Promise<void> {
    const tab = this.tabs.active;
    if (!tab) return;
    try {
      const { client, workspace } = this.#source();
      const { text, commit } = await client.lens.headText({ workspace, file: tab.document.file });
      tab.compare({ text, title: `Last commit, ${commit.slice(0, 8)}` });
    } catch (error) {
      this.notices.warn(toFailure(error));
    }
  }

  async save(): Promise<void> {
    const document = this.tabs.active?.document;
    if (!document) return;
    if (await document.save()) this.notices.speak(`Saved ${document.file}`);
    else this.notices.speak(`Not saved: ${document.file}`);
  }

  async #replaceWorkspace(
    open: () => Promise<Failure | undefined>,
    opensFirstLens: boolean,
  ): Promise<Failure | undefined> {
    const before = this.workspace.snapshot?.workspace;
    if (!(await this.tabs.mayDrop(this.tabs.all))) return undefined;
    const failure = await open();
    if (failure) return failure;
    this.#startFailure = undefined;
    if (this.workspace.snapshot?.workspace !== before) {
      this.tabs.drop(this.tabs.all);
      this.#closedAnswers.clear();
    }
    if (opensFirstLens) this.#openFirstLens();
    void this.drafts.bringBack();
    if (this.#page === 'agent-skills') void this.agentSkills.ask();
    await this.settings.read();
    return undefined;
  }

  #openTab(target: DocumentTarget): Tab {
    const source = (): DocumentSource => this.#source();
    const document: OpenDocument = new OpenDocument({
      target,
      source,
      changed: (by) => {
        this.drafts.changed(document);
        this.#resolveAgain(by);
      },
    });
    this.drafts.follow(document);
    void document.load();
    if (target.kind === 'agent-skill' || target.kind === 'file') return new Tab(document, undefined);
    const documents = (): readonly OpenDocument[] => this.tabs.all.map((tab) => tab.document);
    const common = { file: target.file, source, clock: this.#clock, documents };
    const resolution = new Resolution({
      ...common,
      known: this.#closedAnswers.take(target.file),
      closed: (answer) => this.#closedAnswers.keep(target.file, answer),
    });
    const overlay = new GraphOverlay();
    const lensRun = new LensRun({
      ...common,
      overlay,
      changed: () => this.#runsChanged(),
      speak: (sentence) => this.notices.speak(sentence),
    });
    void lensRun.catchUp(this.#ask(resolution, lensRun));
    return new Tab(document, { resolution, lensRun, overlay });
  }

  /** The graph first: planning many skills would keep the engine from answering what it is drawn from. */
  async #ask(resolution: Resolution, { plan }: LensRun): Promise<void> {
    await resolution.ask();
    if (this.tabs.all.some(({ lensRun }) => lensRun?.plan === plan)) await plan.ask();
  }

  /** Any file may be part of what any open lens resolves to. */
  #resolveAgain(by: 'typing' | 'disk'): void {
    if (by === 'disk' && this.#page === 'agent-skills') this.agentSkills.refresh(pauseMs.behind);
    for (const tab of this.tabs.all) {
      const pause = pauseMs[by] + (tab === this.tabs.active ? 0 : pauseMs.behind);
      tab.resolution?.refresh(pause);
      tab.lensRun?.plan.refresh(by === 'typing' ? pause + pauseMs.planWhileTyping : pause);
      if (by === 'disk') tab.lensRun?.filesChanged(pause);
    }
  }

  /** What others ran may be kept for any open lens; a run that a tab follows to its end brings the tab's plan itself. */
  #heardOfRuns(news: RunNews): void {
    this.#runsChanged();
    for (const { lensRun } of this.tabs.all) {
      if (!lensRun) continue;
      const isNew = ({ runId }: RunSummary): boolean => !lensRun.watches(runId);
      if (news.ended.some(isNew)) lensRun.plan.refresh(pauseMs.disk);
      lensRun.notice(news);
    }
  }

  /** Only what is on the screen is read again; the rest when it is opened. */
  #runsChanged(): void {
    void this.cache.askStats();
    if (this.history.runs) void this.history.ask();
  }

  #openFirstLens(): void {
    const lenses = this.workspace.entries.filter((entry) => entry.kind === 'lens');
    const first = lenses.find(({ problem, skillCount }) => problem === undefined && skillCount > 0);
    if (first) this.tabs.open(first);
  }

  #source(): DocumentSource {
    const { snapshot } = this.workspace;
    if (!snapshot) throw new DisconnectedError('No workspace is open');
    return { client: this.engine.client, workspace: snapshot.workspace };
  }

  async #connected(): Promise<void> {
    try {
      const { client } = this.engine;
      this.#info = await client.app.info();
      void this.#followApp();
      await this.settings.read();
      const failure = this.workspace.snapshot ? await this.#resume() : await this.#openAtStart();
      if (failure && failure.code !== 'disconnected') this.#startFailure = failure;
      void this.sandbox.ask();
      void this.models.ask();
      void this.cache.askStats();
      for (const { lensRun } of this.tabs.all) void lensRun?.catchUp();
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code !== 'disconnected') this.notices.warn(failure);
    }
  }

  async #resume(): Promise<Failure | undefined> {
    const failure = await this.workspace.resume();
    if (!failure) void this.drafts.bringBack();
    return failure;
  }

  async #openAtStart(): Promise<Failure | undefined> {
    const isFirstStart = this.settings.recentWorkspaces.length === 0;
    const { tourSeen } = this.settings;
    const failure = await this.#replaceWorkspace(() => this.workspace.open({ from: 'start' }), isFirstStart);
    const isSample = this.workspace.snapshot?.location === this.#info?.sampleLocation;
    if (failure || !isSample || tourSeen) return failure;
    if (!this.tabs.active) this.#openFirstLens();
    await this.takeTour();
    return undefined;
  }

  async #followApp(): Promise<void> {
    try {
      for await (const event of await this.engine.client.app.events()) await this.#heard(event);
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code !== 'disconnected') this.notices.warn(failure);
    }
  }

  async #heard(event: AppEvent): Promise<void> {
    switch (event.type) {
      case 'command':
        if (isCommandId(event.command)) void this.commands.run(event.command);
        return;
      case 'open-folder': {
        const failure = await this.open({ from: 'folder', folder: event.folder });
        if (failure) this.notices.warn(failure);
        return;
      }
      case 'notice':
        return this.notices.warn({ message: event.notice.message });
      case 'stopping':
        return this.engine.hostIsStopping(event.reason);
      default:
        return unreachable(event);
    }
  }

  #chosen(item: PaletteItem): void {
    void this.settings.rememberItem(this.workspace.snapshot?.location ?? '', item.id);
    switch (item.kind) {
      case 'file':
        this.#page = 'documents';
        this.tabs.openFile(item.file);
        return;
      case 'entry':
        return this.openFile(item.entry.file);
      case 'skill':
        this.openFile(item.skill.file);
        return this.tabs.active?.select(item.skill.name);
      case 'command':
        void this.commands.run(item.command);
        return;
      default:
        return unreachable(item);
    }
  }
}
