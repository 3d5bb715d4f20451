import type { LayoutAnswer, LayoutRequest } from './graph-layout.ts';

/** Lays graphs out in a worker of its own, so that the page stays at hand. Lives as long as the window. */
export class LayoutClient {
  readonly #worker = new Worker(new URL('./graph-layout-worker.ts', import.meta.url), { type: 'module' });
  readonly #waiting = new Map<
    number,
    { resolve: (answer: LayoutAnswer) => void; reject: (error: Error) => void }
  >();
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

  layOut(request: LayoutRequest): Promise<LayoutAnswer> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request });
    });
  }
}
