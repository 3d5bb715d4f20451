import type { LanguageContext } from '#shared/lens/language/completion.ts';
import type { LanguageFile } from '#shared/lens/language/file-facts.ts';
import { isFixturesName } from '#shared/lens/language/fixture-places.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Monaco } from '../monaco.ts';
import type { LanguageCalls, LanguageMessage, LanguageReply } from './language-calls.ts';
import { changeBetween } from './sent-text.ts';

/** What every provider works with. */
export interface Language {
  readonly monaco: typeof Monaco;
  readonly studio: Studio;
  readonly client: LanguageClient;
}

/** What is asked, and about which file. */
export interface Asked {
  readonly call: keyof LanguageCalls;
  readonly file: FileId;
}

/** The texts that a question is about: all that can name a skill, or what one wants to look through while somebody types. */
export function filesFor({ call, file }: Asked, { languageFiles }: Studio): Promise<LanguageFile[]> {
  // Whose fixtures these are depends on which others there are.
  const isAboutAll =
    call === 'rename' || call === 'references' || (call === 'definition' && isFixturesName(file));
  return isAboutAll ? languageFiles.withFixtures() : languageFiles.all(file);
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Asks about names and places in a worker of its own, so that nobody waits for it while typing. Lives as long as the window. */
export class LanguageClient {
  readonly #context: (asked: Asked) => Promise<LanguageContext>;
  readonly #worker = new Worker(new URL('./language-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<number, Waiting>();
  /** The texts that the worker has. */
  #sent: ReadonlyMap<string, LanguageFile> = new Map();
  #sentOthers: Omit<LanguageContext, 'files'> = {};
  #next = 0;

  constructor(context: (asked: Asked) => Promise<LanguageContext>) {
    this.#context = context;
    this.#worker.onmessage = ({ data }: MessageEvent<LanguageReply>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ('answer' in data) waiting?.resolve(data.answer);
      else waiting?.reject(new Error(`The language worker failed: ${data.problem}`));
    };
    this.#worker.onerror = ({ message }) => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`The language worker failed: ${message || 'it could not be loaded'}`));
      }
      this.#waiting.clear();
    };
  }

  /** Answers from the texts as they are now, and says which those were. */
  async ask<Call extends keyof LanguageCalls>(
    call: Call,
    params: Parameters<LanguageCalls[Call]>[1],
  ): Promise<{ answer: ReturnType<LanguageCalls[Call]>; texts: ReadonlyMap<string, string> }> {
    const { file } = 'spot' in params ? params.spot : params;
    const { files, ...others } = await this.#context({ call, file: file as FileId });
    const now = new Map(files.map((one) => [one.file, one]));
    const isKnown = (one: LanguageFile): boolean => this.#sent.get(one.file)?.kind === one.kind;
    const edited = files.filter(isKnown).flatMap((one) => {
      const known = this.#sent.get(one.file)!.text;
      return known === one.text ? [] : [{ file: one.file, ...changeBetween(known, one.text) }];
    });
    const id = this.#next++;
    const message: LanguageMessage = {
      ...{ id, call, params, added: files.filter((one) => !isKnown(one)), edited },
      gone: [...this.#sent.keys()].filter((one) => !now.has(one)),
      others: isSame(others, this.#sentOthers) ? undefined : others,
    };
    this.#sent = now;
    this.#sentOthers = others;
    const answer = await new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(message);
    });
    const texts = new Map(files.map((one) => [one.file, one.text]));
    return { answer: answer as ReturnType<LanguageCalls[Call]>, texts };
  }
}

function isSame(a: Omit<LanguageContext, 'files'>, b: Omit<LanguageContext, 'files'>): boolean {
  return a.libraries === b.libraries && a.tools === b.tools;
}
