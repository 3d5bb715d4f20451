import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { WebSocket } from 'ws';
import type { ClientOptions } from 'ws';
import type { StudioClient } from '#shared/contract.ts';
import { WebHost } from '../web-host.ts';
import type { WebHostOptions } from '../web-host.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A real host on a real port, with a page of its own, and the clients that a test needs against it. */
export class WebRig implements AsyncDisposable {
  readonly folder: string;
  readonly host: WebHost;
  readonly #sockets: WebSocket[] = [];

  private constructor(folder: string, host: WebHost) {
    this.folder = folder;
    this.host = host;
  }

  static async start(options: Partial<WebHostOptions> = {}): Promise<WebRig> {
    const folder = await mkdtemp(join(tmpdir(), 'sunwell-web-'));
    await writePage(join(folder, 'page'));
    await mkdir(join(folder, 'resources', 'sample'), { recursive: true });
    const places = { home: join(folder, 'home'), resources: join(folder, 'resources') };
    return new WebRig(
      folder,
      await WebHost.start({ ...places, pageRoot: join(folder, 'page'), start: undefined, ...options }),
    );
  }

  get origin(): string {
    return new URL(this.host.address).origin;
  }

  /** Sends one request as it stands; nothing is followed, added or corrected. */
  async ask(path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<Answer> {
    const sent = request({ host: '127.0.0.1', port: this.host.port, path, method, headers, agent: false });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  }

  /** Writes bytes to a new connection and returns the first line of what comes back before it closes. */
  async raw(bytes: string): Promise<string> {
    const socket = connect(this.host.port, '127.0.0.1');
    socket.write(bytes);
    const received = await text(socket).catch((error: NodeJS.ErrnoException) => String(error.code));
    return received.split('\r\n', 1)[0] ?? '';
  }

  /** Brings the code, as a browser that opens the printed address, and returns the cookie to send from then on. */
  async enter(): Promise<string> {
    const { headers } = await this.ask(`/${new URL(this.host.address).search}`);
    return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
  }

  socket(cookie: string, options: ClientOptions = {}): WebSocket {
    const headers = { cookie, ...options.headers };
    const socket = new WebSocket(`${this.origin.replace('http', 'ws')}/rpc`, {
      origin: this.origin,
      ...options,
      headers,
    });
    this.#sockets.push(socket);
    return socket;
  }

  /** A page: an open WebSocket and the client on it. */
  async page(cookie: string): Promise<{ socket: WebSocket; client: StudioClient }> {
    const socket = this.socket(cookie);
    await once(socket, 'open');
    // The types of `ws` and of a browser's WebSocket differ in what no link uses.
    const link = new RPCLink({ websocket: socket as never });
    return { socket, client: createORPCClient(link) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    await this.host[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true });
  }
}

/** The status with which the host refuses an upgrade, or 101. */
export async function upgradeStatus(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
  });
}

async function writePage(root: string): Promise<void> {
  await mkdir(join(root, 'renderer'), { recursive: true });
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'renderer', 'index.html'), '<!doctype html><title>Studio</title>');
  await writeFile(join(root, 'assets', 'main-1a2b.js'), 'export {};');
}
