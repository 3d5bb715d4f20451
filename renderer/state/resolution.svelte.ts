import { errorTable } from '#shared/errors.ts';
import type { ResolvedDocument } from '#shared/model/lens-document.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource, OpenDocument } from './document.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

interface ResolutionOptions {
  readonly file: FileId;
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  /** Every open document: unsaved texts stand in for their files. */
  readonly documents: () => readonly OpenDocument[];
}

interface Answer {
  readonly result: ResolvedDocument;
  /** The texts of the open documents when it was asked for. */
  readonly texts: ReadonlyMap<FileId, string>;
}

const most = { length: 1_048_576, documents: 100 };

/** What one open lens or library resolves to. The last answer stays until a newer one is there. */
export class Resolution {
  readonly #options: ResolutionOptions;
  #answer = $state.raw<Answer>();
  #failure = $state.raw<Failure>();
  #asking = new AbortController();
  #cancelRefresh: () => void = () => undefined;

  constructor(options: ResolutionOptions) {
    this.#options = options;
  }

  /** Undefined until the engine has answered for the first time. */
  get result(): ResolvedDocument | undefined {
    return this.#answer?.result;
  }

  /** Why the engine gave no newer answer. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Whether the answer was made from the text that this document has now, so that its offsets fit. */
  isOf({ file, text }: OpenDocument): boolean {
    return this.#answer?.texts.get(file) === text;
  }

  /** Asks after a pause; a further call starts the pause again. */
  refresh(delayMs: number): void {
    this.#cancelRefresh();
    this.#cancelRefresh = this.#options.clock.after(delayMs, () => void this.ask());
  }

  /** Asks now; an answer to an earlier question is no longer wanted. */
  async ask(): Promise<void> {
    this.close();
    const { signal } = (this.#asking = new AbortController());
    const documents = this.#options.documents().filter(({ phase }) => phase.phase === 'ready');
    const texts = new Map(documents.map(({ file, text }) => [file, text]));
    const unsaved = documents
      .filter(({ isDirty }) => isDirty)
      .slice(0, most.documents)
      .map(({ file, text }) => ({ file, text }));
    const tooLarge = unsaved.find(({ text }) => text.length > most.length);
    if (tooLarge) {
      const message = `Cannot resolve "${this.#options.file}": the text of "${tooLarge.file}" is larger than 1 MiB`;
      this.#failure = { code: 'file.too-large', message, wayOut: errorTable['file.too-large'] };
      return;
    }
    try {
      const { client, workspace } = this.#options.source();
      const result = await client.lens.resolve({ workspace, file: this.#options.file, unsaved }, { signal });
      if (signal.aborted) return;
      this.#answer = { result, texts };
      this.#failure = undefined;
    } catch (error) {
      if (!signal.aborted) this.#failure = toFailure(error);
    }
  }

  /** Stops asking. */
  close(): void {
    this.#cancelRefresh();
    this.#asking.abort();
  }
}
