import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { StudioClient } from '#shared/contract.ts';

/** One live channel to the engine; `closed` resolves when it is gone for good. */
export interface Connection {
  readonly client: StudioClient;
  readonly closed: Promise<void>;
}

/** Opens one channel to the engine: a port from the desktop host, a WebSocket from the web host. */
export function connect({ isDevelopment } = { isDevelopment: false }): Promise<Connection> {
  const { protocol } = window.location;
  const { userAgent } = window.navigator;
  return hasPort({ protocol, userAgent, isDevelopment }) ? connectPort() : connectSocket();
}

/**
 * Whether a desktop host is there to give a port. Its page in development comes from Vite, so only the browser tells; in
 * a built page that would be wrong, because editors made with Electron show web pages too.
 */
export function hasPort(page: { protocol: string; userAgent: string; isDevelopment: boolean }): boolean {
  return page.protocol === 'app:' || (page.isDevelopment && page.userAgent.includes('Electron/'));
}

function connectPort(): Promise<Connection> {
  return new Promise((resolve) => {
    const take = (event: MessageEvent): void => {
      const [port] = event.ports;
      if (event.source !== window || event.data !== 'sunwell:port' || !port) return;
      // Another connection that waits as well must get its own port: two on one take each other's answers.
      event.stopImmediatePropagation();
      window.removeEventListener('message', take);
      const closed = new Promise<void>((gone) => port.addEventListener('close', () => gone()));
      const client: StudioClient = createORPCClient(new PortLink({ port }));
      port.start();
      resolve({ client, closed });
    };
    window.addEventListener('message', take);
    window.postMessage('sunwell:connect', window.location.origin);
  });
}

function connectSocket(): Promise<Connection> {
  const address = new URL('/rpc', window.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const websocket = new WebSocket(address);
  const closed = new Promise<void>((gone) => websocket.addEventListener('close', () => gone()));
  return new Promise((resolve, reject) => {
    websocket.addEventListener('open', () => {
      const client: StudioClient = createORPCClient(new SocketLink({ websocket }));
      resolve({ client, closed });
    });
    websocket.addEventListener('close', () => reject(new Error('Cannot reach the engine')));
  });
}
