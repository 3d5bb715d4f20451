import { isSameRequest } from './graph-layout.ts';
import type { LayoutAnswer, LayoutRequest } from './graph-layout.ts';

const mostKept = 8;

/** Lays graphs out in a worker of its own, so that the page stays at hand. Lives as long as the window. */
export class LayoutClient {
  readonly #worker = new Worker(new URL('./graph-layout-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<
    number,
    { resolve: (answer: LayoutAnswer) => void; reject: (error: Error) => void }
  >();
  readonly #kept: { readonly request: LayoutRequest; readonly answer: LayoutAnswer }[] = [];
  #next = 0;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<{ id: number; answer: LayoutAnswer }>) => {
      this.#waiting.get(data.id)?.resolve(data.answer);
      this.#waiting.delete(data.id);
    };
    this.#worker.onerror = ({ message }) => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`The layout worker failed: ${message || 'it could not be loaded'}`));
      }
      this.#waiting.clear();
    };
  }

  /** Answers at once what it was asked lately, such as for a graph that is opened again. */
  async layOut(request: LayoutRequest): Promise<LayoutAnswer> {
    const kept = this.#kept.find((known) => isSameRequest(known.request, request));
    if (kept) return kept.answer;
    const id = this.#next++;
    const answer = await new Promise<LayoutAnswer>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request });
    });
    this.#kept.unshift({ request, answer });
    this.#kept.length = Math.min(this.#kept.length, mostKept);
    return answer;
  }
}
