import { RPCHandler } from '@orpc/server/message-port';
import type { WebContents } from 'electron';
import type { Engine } from '#engine/engine.ts';
import type { Host } from '#engine/host.ts';
import { router } from '#engine/router.ts';

export interface ConnectionOptions {
  readonly engine: Engine;
  readonly page: URL;
  /** What a new connection of this page is lent. */
  readonly host: () => Host;
}

/** Serves the contract to each port the page of these contents sends, for as long as that port is open. */
export function acceptConnections(contents: WebContents, options: ConnectionOptions): void {
  const handler = new RPCHandler(router);
  contents.ipc.on('connect', (event) => {
    const [port] = event.ports;
    const frame = event.senderFrame;
    // Only the top frame of our own origin: an embedded or strange page gets a closed port.
    if (!port || frame?.parent !== null || frame.origin !== originOf(options.page)) {
      for (const refused of event.ports) refused.close();
      return;
    }
    handler.upgrade(port, { context: { engine: options.engine, host: options.host() } });
    port.start();
  });
}

/** `URL.origin` is "null" for our own scheme in Node, so the origin is put together here. */
function originOf(url: URL): string {
  return `${url.protocol}//${url.host}`;
}
