import type { StudioClient } from '#shared/contract.ts';
import type { Connection } from '#renderer/client/connect.ts';
import type { Clock } from './clock.ts';
import { DisconnectedError } from './failure.ts';

export type ConnectionPhase =
  | { readonly phase: 'connecting' }
  | { readonly phase: 'connected' }
  | { readonly phase: 'lost'; readonly attempts: number };

interface EngineConnectionOptions {
  readonly connect: () => Promise<Connection>;
  readonly clock: Clock;
  /** Called for every new channel, the first and each after a loss. */
  readonly connected: () => void;
}

const firstDelayMs = 250;
const longestDelayMs = 5_000;

/** The page's tie to the engine: opens a channel, notices its loss and tries again until it is back. */
export class EngineConnection {
  readonly #options: EngineConnectionOptions;
  #phase = $state.raw<ConnectionPhase>({ phase: 'connecting' });
  #stopReason = $state.raw<string>();
  #client: StudioClient | undefined;
  #cancelRetry: () => void = () => undefined;

  constructor(options: EngineConnectionOptions) {
    this.#options = options;
  }

  get phase(): ConnectionPhase {
    return this.#phase;
  }

  /** Why the host said it is going away, if it said so. */
  get stopReason(): string | undefined {
    return this.#stopReason;
  }

  /** The live client; throws while there is none. */
  get client(): StudioClient {
    if (!this.#client) throw new DisconnectedError('The studio’s engine is not connected');
    return this.#client;
  }

  async start(): Promise<void> {
    await this.#connect(0);
  }

  hostIsStopping(reason: string): void {
    this.#stopReason = reason;
  }

  async retryNow(): Promise<void> {
    if (this.#phase.phase !== 'lost') return;
    this.#cancelRetry();
    await this.#connect(this.#phase.attempts);
  }

  async #connect(failedAttempts: number): Promise<void> {
    let connection: Connection;
    try {
      connection = await this.#options.connect();
    } catch {
      this.#retry(failedAttempts + 1);
      return;
    }
    this.#client = connection.client;
    this.#stopReason = undefined;
    this.#phase = { phase: 'connected' };
    void connection.closed.then(() => {
      this.#client = undefined;
      this.#retry(0);
    });
    this.#options.connected();
  }

  #retry(attempts: number): void {
    this.#phase = { phase: 'lost', attempts };
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** attempts);
    this.#cancelRetry = this.#options.clock.after(delayMs, () => void this.#connect(attempts));
  }
}
