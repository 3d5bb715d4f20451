import type { DocumentSource, DocumentTarget, OpenDocument } from './document.svelte.ts';
import type { MadeFile } from './edited-text.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import type { Notices } from './notices.svelte.ts';
import type { Tabs } from './tabs.svelte.ts';

/** A lens or library to write. */
export interface NewFile extends DocumentTarget {
  readonly text: string;
}

interface MadeFilesOptions {
  readonly tabs: Tabs;
  readonly notices: Notices;
  readonly source: () => DocumentSource;
}

/** Files that edits make: written when they are needed, and taken back while nothing else was put into them. */
export class MadeFiles {
  readonly #options: MadeFilesOptions;

  constructor(options: MadeFilesOptions) {
    this.#options = options;
  }

  /** Writes a new file and opens it behind; answers why it could not. */
  async make({ file, kind, text }: NewFile): Promise<Failure | undefined> {
    const { tabs, source } = this.#options;
    try {
      const { client, workspace } = source();
      await client.lens.create({ workspace, file, text });
    } catch (error) {
      return toFailure(error);
    }
    await tabs.openBehind({ file, kind }).document.atRest();
    return undefined;
  }

  /** Removes a file and closes its tab; answers whether. One that has been saved with more in it stays. */
  async remove(file: string): Promise<boolean> {
    const { tabs, notices } = this.#options;
    const tab = tabs.find(file);
    try {
      if (!tab || !(await tab.document.remove())) return false;
    } catch (error) {
      notices.warn(toFailure(error));
      return false;
    }
    // What was typed meanwhile is nowhere else.
    if (tab.document.isDirty) return false;
    tabs.drop([tab]);
    return true;
  }

  /** Writes a removed file again, so that its document goes on where the closed one ended; answers whether it is there. */
  async makeAgain(made: MadeFile): Promise<boolean> {
    const { tabs, notices } = this.#options;
    const { document: closed, text } = made;
    const { file, kind } = closed as OpenDocument;
    const failure = await this.make({ file, kind, text });
    const document = tabs.find(file)?.document;
    if (failure || document?.text !== text) {
      notices.warn(failure ?? { message: `Cannot make "${file}" again: it has changed meanwhile` });
      return false;
    }
    document.goOnFrom(closed);
    made.isRemoved = false;
    return true;
  }
}
