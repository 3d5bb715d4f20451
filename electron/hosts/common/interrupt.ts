/** One Ctrl+C reaches a program several times when npm or a script stands between it and the terminal. */
const sameKeyMs = 300;

/** Follows Ctrl+C and SIGTERM: the first aborts the signal so that work can end well, a second one ends the process. */
export class Interrupt implements Disposable {
  readonly #abort = new AbortController();
  #firstAt: number | undefined;
  readonly #onSignal = (name: NodeJS.Signals): void => {
    const now = performance.now();
    this.#firstAt ??= now;
    this.#abort.abort(new Error(name === 'SIGINT' ? 'Ctrl+C' : 'The system asked for it'));
    if (now - this.#firstAt > sameKeyMs) process.exit(130);
  };

  constructor() {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, this.#onSignal);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  [Symbol.dispose](): void {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, this.#onSignal);
  }
}

/** Resolves when the signal aborts, with its reason in words. */
export function aborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const done = (): void =>
      resolve(signal.reason instanceof Error ? signal.reason.message : 'It was stopped');
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}
