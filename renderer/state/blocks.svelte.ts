import { setValue } from '#shared/lens/edit/set.ts';
import { blockOf } from '#shared/lens/language/blocks.ts';
import type { Block } from '#shared/lens/language/blocks.ts';
import { openYaml } from '#shared/lens/yaml/open.ts';
import type { Path } from '#shared/lens/yaml/source.ts';
import type { Edits } from './edits.ts';
import type { Notices } from './notices.svelte.ts';
import type { OpenDocument } from './document.svelte.ts';

interface BlocksOptions {
  readonly edits: Edits;
  readonly notices: Notices;
}

/** A text of a lens that is edited in an editor of its own. */
export interface OpenBlock extends Block {
  readonly document: OpenDocument;
}

/** Scripts, templates and prose of lenses, one at a time in an editor of their own; what comes back is one step of undo. */
export class Blocks {
  readonly #options: BlocksOptions;
  #current = $state.raw<OpenBlock>();

  constructor(options: BlocksOptions) {
    this.#options = options;
  }

  get current(): OpenBlock | undefined {
    return this.#current;
  }

  /** Opens the text at a path of a lens or library; says why where it cannot be edited. */
  async open(file: string, path: Path): Promise<void> {
    const document = this.#options.edits.open([file])?.[0]?.document;
    if (!document) return;
    await document.atRest();
    const { source } = openYaml(document.text, file);
    const block = blockOf(source, path);
    if (source.isBroken) {
      this.#options.notices.tell(`Cannot open this text by itself: correct the syntax of "${file}" first`);
    } else if (block) this.#current = { ...block, document };
    else this.#options.notices.tell(`Cannot open this text by itself: "${file}" has none there`);
  }

  /** Writes the text back and closes; answers false where it cannot be written, and keeps it open. */
  async finish(text: string): Promise<boolean> {
    const block = this.#current;
    if (!block) return true;
    // A block of text ends with a line break, and whoever takes the last line away does not mean to change that.
    const wanted = block.text.endsWith('\n') && text !== '' && !text.endsWith('\n') ? `${text}\n` : text;
    if (wanted !== block.text && !(await this.#write(block, wanted))) return false;
    this.#current = undefined;
    return true;
  }

  /** Closes without writing anything. */
  discard(): void {
    this.#current = undefined;
  }

  async #write({ document, path, text, title }: OpenBlock, wanted: string): Promise<boolean> {
    const { edits, notices } = this.#options;
    const { source } = openYaml(document.text, document.file);
    if (blockOf(source, path)?.text !== text) {
      notices.tell(`Not written: "${title}" was changed in "${document.file}" meanwhile`);
      return false;
    }
    const result = setValue(source, path, wanted);
    if (!result.ok) {
      notices.tell(result.message);
      return false;
    }
    return edits.apply({ label: `Edit ${title}`, edits: result.edits });
  }
}
