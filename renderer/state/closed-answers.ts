import type { FileId } from '#shared/model/workspace.ts';

const mostKept = 4;

/** What the last closed documents came to, so that one that is opened again is there at once. */
export class ClosedAnswers<T> {
  readonly #answers = new Map<FileId, T>();

  /** Gives an answer out once: what was open since is newer. */
  take(file: FileId): T | undefined {
    const answer = this.#answers.get(file);
    this.#answers.delete(file);
    return answer;
  }

  keep(file: FileId, answer: T): void {
    this.#answers.delete(file);
    this.#answers.set(file, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > mostKept && oldest !== undefined) this.#answers.delete(oldest);
  }

  clear(): void {
    this.#answers.clear();
  }
}
