import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Where a pattern was found; `found` is null where it is not in the text. */
export type PatternMatch =
  { readonly found: { readonly index: number; readonly text: string } | null } | { readonly problem: string };

/** A pattern that needs longer has run into its own alternatives and would not end. */
const limitMs = 250;
/** A second try has longer, because a busy machine is no fault of the pattern. */
const patientLimitMs = 4 * limitMs;
const longestFound = 200;

const workerSource = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ pattern, text, flags }) => {
  let answer;
  try {
    const match = new RegExp(pattern, flags).exec(text);
    answer = { found: match && { index: match.index, text: match[0].slice(0, ${longestFound}) } };
  } catch (error) {
    answer = { problem: 'it is not a regular expression: ' + error.message };
  }
  parentPort.postMessage(answer);
});
parentPort.postMessage('ready');
`;

/**
 * Tries regular expressions of strangers on texts of strangers, in a thread of its own that is ended when one takes too
 * long: in ours, a pattern such as (a+)+$ would stop the whole studio.
 */
export class PatternMatcher implements Disposable {
  #worker: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** One after the other, in the order of the calls. */
  match(pattern: string, text: string, flags: 'u' | '' = ''): Promise<PatternMatch> {
    const answer = this.#last.then(async () => {
      const quick = await this.#try({ pattern, text, flags }, limitMs);
      return (
        quick ??
        (await this.#try({ pattern, text, flags }, patientLimitMs)) ?? { problem: 'it takes too long to try' }
      );
    });
    this.#last = answer.catch(() => undefined); // Whoever asked is told; the next one has another pattern.
    return answer;
  }

  [Symbol.dispose](): void {
    void this.#worker?.then((worker) => worker.terminate());
    this.#worker = undefined;
  }

  async #try(question: object, withinMs: number): Promise<PatternMatch | undefined> {
    const worker = await (this.#worker ??= startWorker());
    // Nothing else may be under way, and a command must not end before it has its answer.
    worker.ref();
    try {
      worker.postMessage(question);
      const [answer] = (await once(worker, 'message', { signal: AbortSignal.timeout(withinMs) })) as [
        PatternMatch,
      ];
      worker.unref();
      return answer;
    } catch (error) {
      this[Symbol.dispose]();
      if ((error as Error).name === 'AbortError') return undefined;
      throw error;
    }
  }
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(workerSource, {
    eval: true,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  await once(worker, 'message');
  return worker;
}
