import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { anthropicStream, openaiStream } from './wire-formats.ts';

/** What the server does with its next request. */
export type Turn =
  | { readonly say: string }
  | { readonly call: string; readonly input: object }
  /** Says this much, then the line goes dead: by an ordinary end of the response, a broken connection, or silence. */
  | { readonly say: string; readonly cut: 'end' | 'reset' | 'hang' }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  /** Sends this as it stands, as if it were a stream. */
  | { readonly raw: string }
  | { readonly endless: string }
  | { readonly silent: true };

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A model server on loopback that speaks the wire formats of OpenAI chat and Anthropic messages, as streams. */
export class FakeServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #turns: Turn[] = [];
  readonly address: string;
  readonly received: Received[] = [];
  /** Requests with another key are refused; undefined accepts all. */
  key: string | undefined;
  /** Answers by what is asked, before the turns that were set; undefined for what it has no answer to. */
  choose: ((body: Record<string, unknown>) => Turn | undefined) | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    server.on('request', (request, response) => {
      void json(request)
        .then((body) =>
          this.#answer(request.url ?? '', request.headers, body as Record<string, unknown>, response),
        )
        .catch(() => response.destroy());
    });
  }

  static async start(): Promise<FakeServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeServer(server);
  }

  /** Sets what the next requests get, one after another; a request beyond them fails with 500. */
  answerWith(...turns: readonly Turn[]): void {
    this.#turns.push(...turns);
  }

  /** Takes back what no request has taken. */
  forgetTurns(): void {
    this.#turns.length = 0;
  }

  async stopListening(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopListening();
  }

  #answer(
    path: string,
    headers: IncomingHttpHeaders,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): void {
    this.received.push({ path, headers, body });
    const isAnthropic = path.endsWith('/messages');
    const key = isAnthropic ? headers['x-api-key'] : headers.authorization?.replace('Bearer ', '');
    if (this.key !== undefined && key !== this.key) {
      const message = `Incorrect API key provided: ${String(key)}`;
      return refuse(response, 401, { type: 'error', error: { type: 'authentication_error', message } });
    }
    const turn = this.choose?.(body) ??
      this.#turns.shift() ?? { status: 500, body: { error: { message: 'The test set no turn' } } };
    if ('silent' in turn) return;
    if ('status' in turn)
      return refuse(response, turn.status, turn.body ?? errorOf(turn.status), turn.headers);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if ('raw' in turn) return void response.end(turn.raw);
    if ('endless' in turn) return repeat(response, `: ${turn.endless}\n\n`);
    const wire = isAnthropic ? anthropicStream : openaiStream;
    const { events, ending } =
      'call' in turn ? wire.call(turn.call, turn.input, body) : wire.say(turn.say, body);
    if ('cut' in turn) {
      response.write(events);
      if (turn.cut === 'hang') return;
      if (turn.cut === 'end') response.end();
      // After the bytes are out: a reset at once would take them along.
      else response.write(': \n\n', () => response.socket?.resetAndDestroy());
      return;
    }
    response.end(events + ending);
  }
}

function errorOf(status: number): unknown {
  return { type: 'error', error: { type: 'fake_error', message: `The fake server says ${status}` } };
}

function refuse(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Writes for as long as somebody reads. */
function repeat(response: ServerResponse, piece: string): void {
  while (!response.destroyed && response.write(piece));
  if (!response.destroyed) response.once('drain', () => repeat(response, piece));
}
