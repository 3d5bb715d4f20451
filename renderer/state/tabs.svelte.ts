import { isFixturesName } from '#shared/lens/language/fixture-places.ts';
import type { Location } from '#shared/model/diagnostic.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { DocumentTarget, OpenDocument } from './document.svelte.ts';
import { FormState } from './form-state.svelte.ts';
import { drawGraph } from './graph-drawing.ts';
import { GraphOverlay } from './graph-overlay.svelte.ts';
import { GraphState } from './graph-state.svelte.ts';
import type { LensRun } from './lens-run.svelte.ts';
import { OutlineTree } from './outline-tree.svelte.ts';
import type { Resolution } from './resolution.svelte.ts';

export type TabView = 'graph' | 'form' | 'yaml';

/** Which part of the graph is in view. */
export interface GraphViewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** A place in a text: where to go, and how far to select. */
export type Place = Omit<Location, 'file'>;

/** Another version of a document's text, to be shown beside it. */
export interface OtherVersion {
  readonly text: string;
  readonly title: string;
}

/** What commands do in the code editor, at its cursor. */
export interface TabEditor {
  run(action: 'format' | 'rename' | 'definition' | 'references' | 'block'): void;
  focus(): void;
}

/** One open document with what the user sees of it: the view, the selected skill and the cursor. */
export class Tab {
  readonly document: OpenDocument;
  /** What it resolves to; an Agent Skill does not. */
  readonly resolution: Resolution | undefined;
  /** Decisions and states over its graph; plan and run write it. */
  readonly overlay: GraphOverlay;
  /** Plan, run and review; an Agent Skill has none. */
  readonly lensRun: LensRun | undefined;
  /** What the user sees of its graph. */
  readonly graph: GraphState;
  /** What the user sees of its form. */
  readonly form: FormState;
  /** What the user sees of its outline, which follows the cursor also while it is hidden. */
  readonly outline = new OutlineTree();
  #view = $state.raw<TabView>('graph');
  #selectedKey = $state.raw<string>();
  #viewport = $state.raw<GraphViewport>();
  #compared = $state.raw<OtherVersion | 'disk'>();
  #cursor = $state.raw<{ line: number; column: number }>();
  #wantedPlace = $state.raw<Place>();
  #editor = $state.raw<TabEditor>();

  /** Undefined until the document has been resolved. */
  readonly drawing = $derived.by(() => {
    const graph = this.resolution?.result?.graph;
    return graph && drawGraph(graph);
  });
  readonly selectedSkill = $derived.by(() => {
    const key = this.#selectedKey;
    if (key === undefined) return undefined;
    const ofThisFile = `${this.document.file}:${key}`;
    return this.drawing?.byKey.get(key) ?? this.drawing?.byKey.get(ofThisFile);
  });

  /** The version that the user compares the text here with. */
  readonly comparedWith = $derived.by((): OtherVersion | undefined => {
    if (this.#compared !== 'disk') return this.#compared;
    const { trouble } = this.document;
    return trouble?.kind === 'changed-on-disk' ? { text: trouble.disk.text, title: 'On disk' } : undefined;
  });

  constructor(
    document: OpenDocument,
    parts: { resolution: Resolution; lensRun: LensRun; overlay: GraphOverlay } | undefined,
  ) {
    this.document = document;
    const resolution = parts?.resolution;
    this.resolution = resolution;
    this.lensRun = parts?.lensRun;
    this.overlay = parts?.overlay ?? new GraphOverlay();
    this.graph = new GraphState({
      file: document.file,
      drawing: () => this.drawing,
      lens: () => resolution?.result?.lens,
    });
    this.form = new FormState(document, resolution);
    if (!this.hasGraph) this.#view = 'yaml';
  }

  get title(): string {
    const parts = this.document.file.split('/');
    const name = parts.at(-1) ?? this.document.file;
    return name === 'SKILL.md' ? (parts.at(-2) ?? name) : name;
  }

  get hasGraph(): boolean {
    return this.document.kind !== 'agent-skill' && this.document.kind !== 'file';
  }

  /** Whether the code editor knows what the names in it mean: in lenses, libraries and fixtures. */
  get hasNames(): boolean {
    return this.hasGraph || (this.document.kind === 'file' && isFixturesName(this.document.file));
  }

  get view(): TabView {
    return this.#view;
  }

  /** Undefined until the graph has been shown. */
  get viewport(): GraphViewport | undefined {
    return this.#viewport;
  }

  /** The text cursor, while the editor has the focus. */
  get cursor(): { line: number; column: number } | undefined {
    return this.#cursor;
  }

  /** A place that the editor should bring into view. */
  get wantedPlace(): Place | undefined {
    return this.#wantedPlace;
  }

  /** The code editor, while it shows the text. */
  get editor(): TabEditor | undefined {
    return this.#editor;
  }

  editorShown(editor: TabEditor): void {
    this.#editor = editor;
  }

  /** The next editor may be there before the last one is gone. */
  editorGone(editor: TabEditor): void {
    if (this.#editor === editor) this.#editor = undefined;
  }

  show(view: TabView): void {
    if (view === 'yaml' || this.hasGraph) this.#view = view;
    if (this.#view !== 'yaml') this.#cursor = undefined;
    this.#compared = undefined;
  }

  /** Selects a skill by its record key, or by its name where the file itself has it. */
  select(key: string | undefined): void {
    this.#selectedKey = key;
  }

  moveGraph(viewport: GraphViewport): void {
    this.#viewport = viewport;
  }

  showAt(place: Place): void {
    this.show('yaml');
    this.#wantedPlace = place;
  }

  placeShown(): void {
    this.#wantedPlace = undefined;
  }

  /** Shows the text beside another version, by default the one on disk that it is in conflict with. */
  compare(version: OtherVersion | 'disk' = 'disk'): void {
    this.#view = 'yaml';
    this.#compared = version;
  }

  stopComparing(): void {
    this.#compared = undefined;
  }

  moveCursor(cursor: { line: number; column: number } | undefined): void {
    this.#cursor = cursor;
    if (cursor) this.outline.follow(cursor.line);
  }
}

interface TabsOptions {
  readonly openTab: (target: DocumentTarget) => Tab;
}

/** Tabs that would lose typed text if they closed; the user decides. */
export interface ClosingTabs {
  readonly unsaved: readonly Tab[];
  readonly decide: (decision: 'save' | 'discard' | 'cancel') => void;
}

/** The open documents in order, and the one in front. */
export class Tabs {
  readonly #options: TabsOptions;
  #all = $state.raw<readonly Tab[]>([]);
  #active = $state.raw<Tab>();
  #closing = $state.raw<ClosingTabs>();

  constructor(options: TabsOptions) {
    this.#options = options;
  }

  get all(): readonly Tab[] {
    return this.#all;
  }

  get active(): Tab | undefined {
    return this.#active;
  }

  /** The question that waits for the user, if any. */
  get closing(): ClosingTabs | undefined {
    return this.#closing;
  }

  find(file: string): Tab | undefined {
    return this.#all.find((tab) => tab.document.file === file);
  }

  /** Opens a file that is no entry, such as a script. */
  openFile(file: FileId): Tab {
    return this.open({ file, kind: 'file' });
  }

  open(target: DocumentTarget): Tab {
    const tab = this.openBehind(target);
    this.#active = tab;
    return tab;
  }

  /** Opens a document without bringing it to the front. */
  openBehind({ file, kind }: DocumentTarget): Tab {
    const existing = this.find(file);
    const tab = existing ?? this.#options.openTab({ file, kind });
    if (!existing) this.#all = [...this.#all, tab];
    return tab;
  }

  activate(tab: Tab): void {
    this.#active = tab;
  }

  step(by: 1 | -1): void {
    if (!this.#active) return;
    const at = this.#all.indexOf(this.#active) + by;
    this.#active = this.#all.at(at % this.#all.length);
  }

  /** Closes a tab, asking first if its text is nowhere else. */
  async close(tab: Tab): Promise<void> {
    if (await this.mayDrop([tab])) this.drop([tab]);
  }

  /** Asks about tabs with unsaved text and saves them if wanted; answers whether they may go. Nothing is closed yet. */
  async mayDrop(tabs: readonly Tab[]): Promise<boolean> {
    const typing = tabs.flatMap((tab) => tab.form.finish() ?? []);
    if (typing.length > 0) await Promise.all(typing);
    const unsaved = tabs.filter((tab) => tab.document.isDirty);
    if (unsaved.length === 0) return true;
    this.#closing?.decide('cancel');
    this.#active = unsaved[0];
    const decision = await new Promise<'save' | 'discard' | 'cancel'>((decide) => {
      this.#closing = { unsaved, decide };
    });
    this.#closing = undefined;
    if (decision !== 'save') return decision === 'discard';
    for (const tab of unsaved) {
      if (await tab.document.save()) continue;
      this.#active = tab;
      return false;
    }
    return true;
  }

  /** Closes tabs whatever they hold. */
  drop(tabs: readonly Tab[]): void {
    const at = this.#active ? this.#all.indexOf(this.#active) : 0;
    this.#all = this.#all.filter((tab) => !tabs.includes(tab));
    if (this.#active && tabs.includes(this.#active)) {
      this.#active = this.#all[Math.min(at, this.#all.length - 1)];
    }
    for (const tab of tabs) {
      tab.document.close();
      tab.resolution?.close();
      tab.lensRun?.close();
    }
  }
}
