import type { TextEdit } from '#shared/model/diagnostic.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { countText } from '#shared/quantities.ts';
import type { DocumentSource } from './document.svelte.ts';
import { EditedText } from './edited-text.svelte.ts';
import type { MadeFile, StepOutcome } from './edited-text.svelte.ts';
import type { Failure } from './failure.ts';
import { groupBy } from './group-by.ts';
import { MadeFiles } from './made-files.ts';
import type { NewFile } from './made-files.ts';
import type { Notices } from './notices.svelte.ts';
import type { Tab, Tabs } from './tabs.svelte.ts';
import type { WorkspaceView } from './workspace.svelte.ts';

/** Edits of any number of files that are one undo step. */
export interface FileEdits {
  readonly label: string;
  readonly edits: readonly TextEdit[];
  /**
   * The texts that the offsets count in, by file; where one has changed meanwhile nothing is edited. Files that were read
   * for it are of the workspace, also where they are no entries.
   */
  readonly texts?: ReadonlyMap<string, string>;
  /** The one of the files that was made for them: it goes with their undo. */
  readonly made?: string;
}

interface EditsOptions {
  readonly tabs: Tabs;
  readonly workspace: WorkspaceView;
  readonly notices: Notices;
  readonly source: () => DocumentSource;
}

/** Edits over several files, and undo and redo over all of them. Files that are not open are opened behind. */
export class Edits {
  readonly #options: EditsOptions;
  readonly #madeFiles: MadeFiles;
  /** Files that are being made or removed for an undo or redo: the next one waits for them. */
  #atWork: Promise<void> | undefined;

  constructor(options: EditsOptions) {
    this.#options = options;
    this.#madeFiles = new MadeFiles(options);
  }

  /** Writes a new file that edits are to fill, and opens it behind; answers why it could not. */
  make(file: NewFile): Promise<Failure | undefined> {
    return this.#madeFiles.make(file);
  }

  /** Makes the edits in all files or in none; answers whether. Where all files are open they are made at once. */
  async apply(wanted: FileEdits): Promise<boolean> {
    const isDone = await this.#apply(wanted);
    if (!isDone && wanted.made !== undefined) await this.#madeFiles.remove(wanted.made);
    return isDone;
  }

  async #apply({ label, edits, texts, made }: FileEdits): Promise<boolean> {
    const byFile = groupBy(edits, ({ file }) => file);
    const tabs = this.open([...byFile.keys()], texts);
    if (!tabs) return false;
    const waiting = tabs.filter(({ document }) => document.phase.phase === 'loading');
    if (waiting.length > 0) await Promise.all(waiting.map(({ document }) => document.atRest()));
    const problem = notReady(tabs, texts);
    if (problem) {
      this.#options.notices.warn({ ...problem, message: `Cannot apply ${label}: ${problem.message}` });
      return false;
    }
    const changes = tabs.map(({ document }) => [document, byFile.get(document.file)!] as const);
    EditedText.applyAll(
      label,
      new Map(changes),
      tabs.find(({ document }) => document.file === made)?.document,
    );
    return true;
  }

  /** The tabs of files, opened behind the active one where they are not open; undefined where one cannot be. */
  open(files: readonly string[], texts?: ReadonlyMap<string, string>): Tab[] | undefined {
    const { workspace, tabs, notices } = this.#options;
    const outside = files.find((file) => !tabs.find(file) && !workspace.entry(file) && !texts?.has(file));
    if (outside !== undefined) {
      notices.warn({
        message: `Cannot change "${outside}": it is not one of this workspace’s files`,
        wayOut: 'Open the folder that holds it and change it there.',
      });
      return undefined;
    }
    return files.map(
      (file) =>
        tabs.find(file) ?? tabs.openBehind(workspace.entry(file) ?? { file: file as FileId, kind: 'file' }),
    );
  }

  /** Takes back the last step of a text, by default of the one in front. */
  undo(text: EditedText | undefined = this.#options.tabs.active?.document): void {
    this.#inTurn(() => {
      if (!text?.canUndo) return this.#options.notices.speak('Nothing to undo');
      const outcome = text.undo();
      this.#tell('Undone', outcome);
      return outcome.ok && outcome.made ? this.#remove(outcome.made) : undefined;
    });
  }

  /** Does the last undone step of a text again, by default of the one in front. */
  redo(text: EditedText | undefined = this.#options.tabs.active?.document): void {
    this.#inTurn(() => {
      if (!text?.canRedo) return this.#options.notices.speak('Nothing to redo');
      const { redoMakes: made } = text;
      if (made?.isRemoved) return this.#redoWith(made, text);
      return this.#tell('Redone', text.redo());
    });
  }

  async #remove(made: MadeFile): Promise<void> {
    made.isRemoved = await this.#madeFiles.remove(made.document.file);
  }

  async #redoWith(made: MadeFile, text: EditedText): Promise<void> {
    if (!(await this.#madeFiles.makeAgain(made))) return;
    const outcome = text.redo();
    this.#tell('Redone', outcome);
    // Something else was typed meanwhile, and the new file would stay empty.
    if (!outcome.ok) await this.#remove(made);
  }

  /** Most steps are done at once; what comes while a file is made or removed is done behind it. */
  #inTurn(step: () => Promise<void> | void): void {
    const begun = this.#atWork ? this.#atWork.then(step) : step();
    if (!begun) return;
    const work = begun.finally(() => {
      if (this.#atWork === work) this.#atWork = undefined;
    });
    this.#atWork = work;
  }

  #tell(done: 'Undone' | 'Redone', outcome: StepOutcome): void {
    const { notices } = this.#options;
    if (!outcome.ok) return notices.tell(outcome.message);
    const { label, files, closed } = outcome;
    if (closed.length > 0) {
      const names = closed.map((file) => `"${file}"`).join(', ');
      notices.tell(`${done} only where it is open, not in ${names}: ${label}`);
    } else if (files.length > 1) notices.tell(`${done} in ${countText(files.length, 'file')}: ${label}`);
    else notices.speak(`${done}: ${label}`);
  }
}

function notReady(
  tabs: readonly Tab[],
  texts: ReadonlyMap<string, string> | undefined,
): (Pick<Failure, 'message'> & { wayOut?: string }) | undefined {
  for (const { document } of tabs) {
    if (document.phase.phase === 'unreadable') return document.phase.failure;
    const known = texts?.get(document.file);
    if (known !== undefined && known !== document.text) {
      return { message: `"${document.file}" has changed meanwhile`, wayOut: 'Try again.' };
    }
  }
  return undefined;
}
