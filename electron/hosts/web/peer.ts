import type { RPCHandler } from '@orpc/server/ws';
import type { Connection } from '#engine/router.ts';
import type { RawData, WebSocket } from 'ws';

/** How much one page may have under way: calls and open streams together. */
const maxInFlight = 256;

/** The type of oRPC's message that ends a call. */
const abortSignal = 4;

type Listener = (event: { data: unknown }) => void | Promise<void>;

/** One page at the other end of a WebSocket: hands its calls to the engine, and keeps it within limits. */
export class Peer {
  readonly #socket: WebSocket;
  readonly #inFlight = new Set<Promise<void>>();
  #onMessage: Listener = () => undefined;
  #isStopping = false;
  #isAlive = true;

  constructor(socket: WebSocket, handler: RPCHandler<Connection>, connection: Connection) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => (this.#isAlive = true));
    // A broken frame or a reset is the other side's doing: ws closes the socket, and that ends its calls.
    socket.on('error', () => socket.terminate());
    void handler.upgrade(this.#asSeenByHandler(), { context: connection });
  }

  /** Asks for a sign of life; a peer that gave none since the last time is dropped. */
  check(): void {
    if (!this.#isAlive) this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
  }

  /** Takes no more calls, waits for those under way to be answered, then says goodbye. */
  async stop(deadline: Promise<void>): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    if (this.#socket.readyState === this.#socket.CLOSED) return;
    await Promise.race([Promise.all(this.#inFlight), deadline, closed]);
    this.#socket.close(1001, 'The studio is stopping');
    await Promise.race([deadline, closed]);
    this.#socket.terminate();
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isStopping) return;
    const text = isBinary ? undefined : (data as Buffer).toString();
    if (text === undefined || !isMessage(text))
      return this.#socket.close(1007, 'Not a message of the contract');
    if (this.#inFlight.size >= maxInFlight) return this.#socket.close(1008, 'Too many calls at once');
    const work = Promise.resolve(this.#onMessage({ data: text })).finally(() => this.#inFlight.delete(work));
    this.#inFlight.add(work);
  }

  /** Sending waits until the bytes are out, so that a page that reads slowly slows its own streams, not our memory. */
  #asSeenByHandler(): Pick<WebSocket, 'addEventListener' | 'send'> {
    const send = (data: string | Uint8Array): Promise<void> =>
      new Promise((resolve) => this.#socket.send(data, () => resolve()));
    const addEventListener = (type: string, listener: Listener): void => {
      if (type === 'message') this.#onMessage = listener;
      else this.#socket.on(type, (event: { data: unknown }) => void listener(event));
    };
    return { send, addEventListener } as unknown as Pick<WebSocket, 'addEventListener' | 'send'>;
  }
}

/**
 * Whether the text is a call or the end of one. The contract has no uploads, so headers and other methods are refused;
 * what oRPC cannot read it would answer with a stack trace on the console.
 */
function isMessage(text: string): boolean {
  try {
    const { i, t, p } = JSON.parse(text) as { i?: unknown; t?: unknown; p?: Record<string, unknown> };
    if (typeof i !== 'string') return false;
    if (t !== undefined) return t === abortSignal;
    return typeof p?.['u'] === 'string' && /^\/[\w/.-]*$/.test(p['u']) && !('h' in p) && !('m' in p);
  } catch {
    return false; // Not JSON, or null: the caller closes the socket.
  }
}
