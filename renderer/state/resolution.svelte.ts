import { ORPCError } from '@orpc/client';
import type { ResolvedDocument } from '#shared/model/lens-document.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource, OpenDocument } from './document.svelte.ts';
import type { Failure } from './failure.ts';
import { Latest } from './latest.svelte.ts';

interface ResolutionOptions {
  readonly file: FileId;
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  /** Every open document: unsaved texts stand in for their files. */
  readonly documents: () => readonly OpenDocument[];
  /** What it resolved to when it was last open: shown until the engine has answered. */
  readonly known?: ResolutionAnswer | undefined;
  /** Told at the end, for the next time. */
  readonly closed?: (answer: ResolutionAnswer) => void;
}

export interface ResolutionAnswer {
  readonly result: ResolvedDocument;
  /** The texts of the open documents when it was asked for. */
  readonly texts: ReadonlyMap<FileId, string>;
}

const most = { length: 1_048_576, documents: 100 };

/** What one open lens or library resolves to. */
export class Resolution {
  readonly #options: ResolutionOptions;
  readonly #latest: Latest<ResolutionAnswer>;

  constructor(options: ResolutionOptions) {
    this.#options = options;
    this.#latest = new Latest({ clock: options.clock, ask: (signal) => this.#resolve(signal) });
    if (options.known) this.#latest.take(options.known);
  }

  /** Undefined until the engine has answered for the first time; stays the same for as long as it holds. */
  readonly result = $derived.by(() => this.#latest.answer?.result);

  /** Why the engine gave no newer answer. */
  get failure(): Failure | undefined {
    return this.#latest.failure;
  }

  /** The text of an open document that the answer was made from. */
  textOf(file: FileId): string | undefined {
    return this.#latest.answer?.texts.get(file);
  }

  /** Whether the answer was made from the text that this document has now, so that its offsets fit. */
  isOf({ file, text }: OpenDocument): boolean {
    return this.#latest.answer?.texts.get(file) === text;
  }

  refresh(delayMs: number): void {
    this.#latest.refresh(delayMs);
  }

  ask(): Promise<void> {
    return this.#latest.ask();
  }

  close(): void {
    const { answer } = this.#latest;
    if (answer) this.#options.closed?.(answer);
    this.#latest.close();
  }

  async #resolve(signal: AbortSignal): Promise<ResolutionAnswer> {
    const { file } = this.#options;
    const documents = this.#options.documents().filter(({ phase }) => phase.phase === 'ready');
    const texts = new Map(documents.map((document) => [document.file, document.text]));
    const unsaved = unsavedTexts(documents);
    const tooLarge = unsaved.find(({ text }) => text.length > most.length);
    if (tooLarge) {
      const message = `Cannot resolve "${file}": the text of "${tooLarge.file}" is larger than 1 MiB`;
      throw new ORPCError('file.too-large', { message });
    }
    const { client, workspace } = this.#options.source();
    const known = this.#latest.answer?.result;
    if (known?.version !== undefined && unsaved.length === 0) {
      const { version } = known;
      if (await client.lens.isCurrent({ workspace, file, version }, { signal }))
        return { result: known, texts };
    }
    return { result: await client.lens.resolve({ workspace, file, unsaved }, { signal }), texts };
  }
}

/** The texts that nobody has saved yet, which stand in for their files. */
export function unsavedTexts(documents: readonly OpenDocument[]): { file: FileId; text: string }[] {
  return documents
    .filter(({ phase, isDirty }) => phase.phase === 'ready' && isDirty)
    .slice(0, most.documents)
    .map(({ file, text }) => ({ file, text }));
}
