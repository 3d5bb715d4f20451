import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { RPCHandler } from '@orpc/server/ws';
import { WebSocketServer } from 'ws';
import { Engine } from '#engine/engine.ts';
import type { EngineOptions } from '#engine/engine.ts';
import type { Host } from '#engine/host.ts';
import { router } from '#engine/router.ts';
import type { Connection } from '#engine/router.ts';
import { StudioError } from '#shared/errors.ts';
import type { OpenRequest } from '#shared/model/workspace.ts';
import { AppEvents } from '../common/app-events.ts';
import { readStaticFile } from '../common/static-files.ts';
import { Access } from './access.ts';
import { answer, answerFile, answerUpgrade } from './answer.ts';
import { authoritiesOf, isLoopback, refusalOf, upgradeRefusal } from './guard.ts';
import { listen, reachableName } from './listen.ts';
import { Peer } from './peer.ts';

export interface WebHostOptions extends EngineOptions {
  /** The built page; undefined where another server on this machine serves it, in development. */
  readonly pageRoot: string | undefined;
  /** What a page opens first; undefined when the user named nothing. */
  readonly start: OpenRequest | undefined;
  /** Where to listen: 127.0.0.1 unless told. */
  readonly hostname?: string | undefined;
  /** A free port unless told. */
  readonly port?: number | undefined;
  /** Whether the user asked a second time to be reachable from other machines. */
  readonly isExposureMeant?: boolean;
  /** Who may come in; given where a host is started again for the same browser, in development. */
  readonly access?: Access;
  readonly pingIntervalMs?: number;
}

/** Room for a lens of the largest size in which every character is escaped, and its envelope. */
const maxMessageBytes = 3 * 1024 * 1024;
const maxPages = 64;
const maxConnections = 512;
const stopDeadlineMs = 2000;

/** Serves the studio to the browsers of this machine; owns its engine, and stops it with itself. */
export class WebHost implements AsyncDisposable {
  readonly #options: WebHostOptions;
  readonly #engine: Engine;
  readonly #access: Access;
  readonly #events = new AppEvents();
  readonly #peers = new Set<Peer>();
  readonly #handler = new RPCHandler<Connection>(router);
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  readonly #server: Server;
  readonly #pings: NodeJS.Timeout;
  #authorities: ReadonlySet<string> = new Set();
  #port = 0;
  #stopping: Promise<void> | undefined;

  private constructor(options: WebHostOptions, engine: Engine) {
    this.#options = options;
    this.#engine = engine;
    this.#access = options.access ?? new Access();
    this.#server = createServer({
      maxHeaderSize: 16 * 1024,
      headersTimeout: 5000,
      requestTimeout: 10_000,
      keepAliveTimeout: 5000,
      // Node looks for late headers only every 30 s unless told, which keeps slow attackers' sockets open that long.
      connectionsCheckingInterval: 500,
      requireHostHeader: true,
    });
    this.#server.maxConnections = maxConnections;
    this.#server.on('request', (request, response) => void this.#onRequest(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#onUpgrade(request, socket, head));
    this.#pings = setInterval(() => this.#checkPeers(), options.pingIntervalMs ?? 30_000);
  }

  /** Listens, or refuses with `host.exposed`, `host.no-page`, `host.port-in-use` or `host.cannot-listen`. */
  static async start(options: WebHostOptions): Promise<WebHost> {
    const { hostname = '127.0.0.1', port = 0, pageRoot } = options;
    if (!isLoopback(hostname) && !options.isExposureMeant)
      throw new StudioError(
        'host.exposed',
        `Cannot serve on "${hostname}": other machines could reach it, add --i-know-this-is-exposed if that is meant`,
        { hostname },
      );
    if (pageRoot !== undefined && !(await readStaticFile(pageRoot, '/')))
      throw new StudioError(
        'host.no-page',
        `Cannot find the built page in "${pageRoot}": run "npm run build" first`,
        {
          pageRoot,
        },
      );
    const host = new WebHost(options, await Engine.start(options));
    try {
      await listen(host.#server, hostname, port);
    } catch (error) {
      await host[Symbol.asyncDispose]();
      throw error;
    }
    host.#port = (host.#server.address() as AddressInfo).port;
    host.#authorities = authoritiesOf(hostname, host.#port);
    return host;
  }

  get port(): number {
    return this.#port;
  }

  /** What to open in a browser, once: it carries the one-time code. */
  get address(): string {
    const name = reachableName(this.#options.hostname ?? '127.0.0.1');
    return `http://${name}:${this.#port}/?code=${this.#access.code}`;
  }

  /** Tells the pages, finishes what is under way, closes every socket and disposes the engine. */
  stop(reason: string): Promise<void> {
    this.#stopping ??= this.#stop(reason);
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop('The studio was closed');
  }

  async #stop(reason: string): Promise<void> {
    clearInterval(this.#pings);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#events.emit({ type: 'stopping', reason });
    this.#events[Symbol.dispose]();
    // The engine goes first: it ends the streams that the peers wait for.
    const abort = new AbortController();
    const deadline = delay(stopDeadlineMs, undefined, { signal: abort.signal }).catch(() => undefined);
    const peers = [...this.#peers].map((peer) => peer.stop(deadline));
    await this.#engine[Symbol.asyncDispose]();
    await Promise.all(peers);
    abort.abort();
    this.#server.closeAllConnections();
    await closed;
  }

  async #onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (error) {
      const reference = this.#engine.log.report(error);
      if (response.headersSent) response.destroy();
      else
        answer(request, response, {
          status: 500,
          reason: `Something went wrong: see "${reference}" in the log`,
        });
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(request, this.#authorities);
    if (refusal) return answer(request, response, refusal);
    const [path = '/', query] = (request.url ?? '/').split('?', 2);
    const isAdmitted = this.#access.admits(request.headers.cookie, this.#port);
    const code = path === '/' && request.method === 'GET' ? new URLSearchParams(query).get('code') : null;
    if (code !== null) {
      const cookie = isAdmitted ? undefined : this.#access.exchange(code, this.#port);
      if (!isAdmitted && !cookie) return answer(request, response, codeRefusal);
      response.writeHead(303, {
        location: '/',
        'cache-control': 'no-store',
        ...(cookie && { 'set-cookie': cookie }),
      });
      response.end();
      return;
    }
    if (!isAdmitted) return answer(request, response, cookieRefusal);
    if (path === '/rpc')
      return answer(request, response, { status: 426, reason: 'Only a WebSocket is served here' });
    const file = this.#options.pageRoot && (await readStaticFile(this.#options.pageRoot, path));
    if (file) answerFile(request, response, file);
    else answer(request, response, { status: 404, reason: 'There is nothing at this address' });
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refusal =
      refusalOf(request, this.#authorities) ?? upgradeRefusal(request) ?? this.#peerRefusal(request);
    if (refusal) return answerUpgrade(socket, refusal);
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const peer = new Peer(webSocket, this.#handler, { engine: this.#engine, host: this.#asHost() });
      this.#peers.add(peer);
      webSocket.on('close', () => this.#peers.delete(peer));
    });
  }

  #peerRefusal({ url, headers }: IncomingMessage): { status: number; reason: string } | undefined {
    if (url !== '/rpc') return { status: 404, reason: 'There is nothing at this address' };
    if (!this.#access.admits(headers.cookie, this.#port)) return cookieRefusal;
    if (this.#stopping) return { status: 503, reason: 'The studio is stopping' };
    if (this.#peers.size >= maxPages) return { status: 503, reason: 'Too many pages are open' };
    return undefined;
  }

  #asHost(): Host {
    return { kind: 'web', start: this.#options.start, events: (signal) => this.#events.stream(signal) };
  }

  #checkPeers(): void {
    for (const peer of this.#peers) peer.check();
  }
}

const codeRefusal = {
  status: 401,
  reason: 'The code in this address was used or has expired: start the studio again and open the new address',
};
const cookieRefusal = {
  status: 401,
  reason: 'This browser is not known here: open the whole address that the studio printed, with its code',
};
