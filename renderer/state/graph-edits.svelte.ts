import { addNeededSkill } from '#shared/lens/graph-edit/add-skill.ts';
import { connectSkills, disconnectSkills, whyNotConnected } from '#shared/lens/graph-edit/connect.ts';
import type { SkillPair } from '#shared/lens/graph-edit/connect.ts';
import { referenceIn } from '#shared/lens/graph-edit/context.ts';
import type { GraphContext } from '#shared/lens/graph-edit/context.ts';
import { deleteSkill, usesOf } from '#shared/lens/graph-edit/delete-skill.ts';
import type { SkillUse } from '#shared/lens/graph-edit/delete-skill.ts';
import { emptyLibrary, extractSkills } from '#shared/lens/graph-edit/extract.ts';
import { copiedEntry, referenceEntry } from '#shared/lens/graph-edit/library-entry.ts';
import type { GraphEdit } from '#shared/lens/graph-edit/graph-edit.ts';
import { takeWayOut } from '#shared/lens/graph-edit/take-way-out.ts';
import type { NewEntry } from '#shared/lens/edit/lens-edits.ts';
import { renameSkill } from '#shared/lens/language/rename.ts';
import type { SkillDraft } from '#shared/lens/templates/skill-draft.ts';
import type { Location } from '#shared/model/diagnostic.ts';
import type { LibrarySkill, LibrarySkillDetail } from '#shared/model/library-skill.ts';
import type { WayOut } from '#shared/model/run.ts';
import type { FileId, WorkspaceEntry } from '#shared/model/workspace.ts';
import type { Edits } from './edits.ts';
import { toFailure } from './failure.ts';
import type { LanguageFiles } from './language-files.ts';
import type { Notices } from './notices.svelte.ts';
import type { Tab, Tabs } from './tabs.svelte.ts';

/** What the graph asks the user before it writes anything. */
export type GraphQuestion =
  | { readonly kind: 'connect' | 'disconnect'; readonly tab: Tab; readonly key: string }
  /** What fits to a port that was dragged into empty space. */
  | { readonly kind: 'fitting'; readonly tab: Tab; readonly key: string; readonly side: 'in' | 'out' }
  | {
      readonly kind: 'new-skill';
      readonly tab: Tab;
      readonly draft: Partial<SkillDraft>;
      readonly neededBy: readonly string[];
    }
  | { readonly kind: 'delete'; readonly tab: Tab; readonly key: string; readonly uses: readonly SkillUse[] }
  | { readonly kind: 'group'; readonly tab: Tab; readonly key: string | undefined }
  /** What was asked for is written in another place. */
  | { readonly kind: 'elsewhere'; readonly message: string; readonly place: Location };

interface GraphEditsOptions {
  readonly tabs: Tabs;
  readonly edits: Edits;
  readonly notices: Notices;
  readonly languageFiles: LanguageFiles;
  readonly entries: () => readonly WorkspaceEntry[];
  readonly readText: (file: FileId) => Promise<string>;
  /** A library's skill in full. */
  readonly show: (skill: LibrarySkill) => Promise<LibrarySkillDetail>;
}

/** What people do to a graph, each as text edits that are one step of undo; says what was done or why not. */
export class GraphEdits {
  readonly #options: GraphEditsOptions;
  #question = $state.raw<GraphQuestion>();

  constructor(options: GraphEditsOptions) {
    this.#options = options;
  }

  get question(): GraphQuestion | undefined {
    return this.#question;
  }

  ask(question: GraphQuestion | undefined): void {
    this.#question = question;
  }

  /** Asks for what a new skill shall be; others may wait for it from the start. */
  askForSkill(tab: Tab, draft: Partial<SkillDraft> = {}, neededBy: readonly string[] = []): void {
    this.#question = { kind: 'new-skill', tab, draft, neededBy };
  }

  /** Why two skills of the graph on the screen cannot be tied; undefined where they can. */
  whyNot(tab: Tab, pair: SkillPair): string | undefined {
    const graph = tab.resolution?.result?.graph;
    return graph && whyNotConnected(graph, pair);
  }

  connect(tab: Tab, pair: SkillPair): Promise<boolean> {
    return this.#make(tab, (context) => connectSkills(context, pair));
  }

  async disconnect(tab: Tab, pair: SkillPair): Promise<boolean> {
    const isDone = await this.#make(tab, (context) => disconnectSkills(context, pair));
    if (isDone) tab.graph.selectEdge(undefined);
    return isDone;
  }

  /** Deletes a skill that nothing uses; asks first where something does. */
  async askToDelete(tab: Tab, key: string): Promise<void> {
    const context = await this.#context(tab);
    if (!context) return;
    const uses = usesOf(context, key);
    if (uses.length === 0) await this.delete(tab, key, { withUses: false });
    else this.#question = { kind: 'delete', tab, key, uses };
  }

  async delete(tab: Tab, key: string, how: { withUses: boolean }): Promise<boolean> {
    const isDone = await this.#make(tab, (context) => deleteSkill(context, key, how));
    if (isDone) tab.select(undefined);
    return isDone;
  }

  /** Adds a skill to the open file, selects it, and lets others wait for it. */
  async add(tab: Tab, entry: NewEntry, neededBy: readonly string[] = []): Promise<boolean> {
    const isDone = await this.#make(tab, (context) => addNeededSkill(context, entry, neededBy));
    if (isDone) tab.select(String(entry['name']));
    return isDone;
  }

  /** Uses a skill of a library in the open file, behind one skill of the graph or before others. */
  async addReference(
    tab: Tab,
    skill: LibrarySkill,
    { after, neededBy = [] }: { after?: string; neededBy?: readonly string[] } = {},
  ): Promise<boolean> {
    const detail = after === undefined ? skill : await this.#detail(skill);
    const context = detail && (await this.#context(tab));
    if (!context) return false;
    const before = after === undefined ? undefined : context.graph.skills[after];
    const reference = before && referenceIn(context, tab.document.file, before);
    const entry = referenceEntry(detail, tab.document.file, reference === undefined ? [] : [reference]);
    if (entry) return this.add(tab, entry, neededBy);
    this.#options.notices.tell(
      `Cannot refer to "${skill.name}": "${skill.origin.file}" is not within reach of "${tab.document.file}"; copy it`,
    );
    return false;
  }

  /** Writes a skill of a library into the open file, from now on its own. */
  async addCopy(tab: Tab, skill: LibrarySkill): Promise<boolean> {
    const detail = await this.#detail(skill);
    if (!detail || !(await this.add(tab, copiedEntry(detail, tab.document.file)))) return false;
    for (const sentence of detail.leftOut) this.#options.notices.tell(sentence);
    return true;
  }

  async #detail(skill: LibrarySkill): Promise<LibrarySkillDetail | undefined> {
    try {
      return await this.#options.show(skill);
    } catch (error) {
      this.#options.notices.warn(toFailure(error));
      return undefined;
    }
  }

  /** Gives a skill another name wherever it is named; answers why it could not. */
  async rename(tab: Tab, key: string, newName: string): Promise<string | undefined> {
    const context = await this.#context(tab);
    const skill = context?.graph.skills[key];
    if (!context || !skill) return `Cannot find skill "${key}"`;
    if (newName === skill.name) return undefined;
    const files = await this.#options.languageFiles.withFixtures().catch(toFailure);
    if ('message' in files) return files.message;
    const texts = new Map(files.map((one) => [one.file, one.text]));
    const graphs = this.#options.tabs.all.flatMap((other) => other.resolution?.result?.graph ?? []);
    const { file } = skill.origin;
    const result = renameSkill({ file, name: skill.name }, { files, newName, graphs });
    if (!result.ok) return result.message;
    const label = `Rename ${skill.name} to ${newName}`;
    if (!(await this.#options.edits.apply({ label, edits: result.edits, texts })))
      return 'The files changed meanwhile: try again';
    tab.select(newName);
    for (const note of result.notes) this.#options.notices.tell(note);
    this.#options.notices.speak(`${skill.name} is now ${newName}`);
    return undefined;
  }

  /** Moves skills into a library of the workspace, which is made where it is not there; answers why it could not. */
  async group(tab: Tab, names: readonly string[], library: string): Promise<string | undefined> {
    const context = await this.#context(tab);
    if (!context) return 'The lens cannot be read';
    const isNew = !this.#options.entries().some(({ file }) => file === library);
    const libraryText = isNew ? emptyLibrary : await this.#options.readText(library as FileId);
    const edit = extractSkills(context, { names, library, libraryText });
    if (!edit.ok) return edit.message;
    const failure = isNew
      ? await this.#options.edits.make({ file: library as FileId, kind: 'library', text: emptyLibrary })
      : undefined;
    if (failure) return failure.message;
    if (await this.#apply({ ...edit, ...(isNew && { made: library }) })) return undefined;
    return 'The files changed meanwhile: try again';
  }

  /** Writes what the studio advises after a failure. */
  takeWayOut(tab: Tab, key: string, way: WayOut): Promise<boolean> {
    return this.#make(tab, (context) => takeWayOut(context, key, way));
  }

  async #make(tab: Tab, edit: (context: GraphContext) => GraphEdit): Promise<boolean> {
    const context = await this.#context(tab);
    return context !== undefined && this.#apply(edit(context));
  }

  async #apply(edit: GraphEdit): Promise<boolean> {
    const { notices, edits } = this.#options;
    if (!edit.ok) {
      if (edit.place && this.#options.entries().some(({ file }) => file === edit.place!.file))
        this.#question = { kind: 'elsewhere', message: edit.message, place: edit.place };
      else notices.tell(edit.message);
      return false;
    }
    const isDone = await edits.apply(edit);
    if (isDone) notices.speak(`Done: ${edit.label}`);
    return isDone;
  }

  /** The graph as it is by the text of this moment, and the texts of everything in it that is the user's. */
  async #context(tab: Tab): Promise<GraphContext | undefined> {
    if (tab.resolution && !tab.resolution.isOf(tab.document)) await tab.resolution.ask();
    const graph = tab.resolution?.result?.graph;
    if (!graph) return undefined;
    const own = new Set(this.#options.entries().map(({ file }) => file as string));
    const files = Object.values(graph.skills).map(({ origin }) => origin.file);
    const texts = await this.#texts(
      [...new Set([tab.document.file, ...files])].filter((file) => own.has(file)),
    );
    // A lens that was made a moment ago may not be among the entries yet.
    texts.set(tab.document.file, tab.document.text);
    return { file: tab.document.file, graph, textOf: (file) => texts.get(file) };
  }

  async #texts(files: readonly string[]): Promise<Map<string, string>> {
    const read = await Promise.allSettled(files.map((file) => this.#options.readText(file as FileId)));
    // A file that cannot be read is nobody's to change, and whoever needs it says so.
    return new Map(
      read.flatMap((text, i) => (text.status === 'fulfilled' ? [[files[i]!, text.value] as const] : [])),
    );
  }
}
