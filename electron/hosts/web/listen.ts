import type { Server } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { StudioError } from '#shared/errors.ts';
import { bracketed, isWildcard } from './guard.ts';

/** Binds the server, or says in one sentence why it cannot. */
export async function listen(server: Server, name: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: name, port, exclusive: true }, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StudioError(
        'host.port-in-use',
        `Cannot listen on port ${port}: another program uses it, choose another with --port or leave it out`,
        { port },
      );
    throw new StudioError('host.cannot-listen', `Cannot listen on "${name}" port ${port}: ${message}`, {
      name,
      port,
    });
  }
}

/** A name under which a browser reaches a host that listens there: of all addresses, one that others can use. */
export function reachableName(name: string): string {
  if (!isWildcard(name)) return bracketed(name);
  const addresses = Object.values(networkInterfaces()).flatMap((known) => known ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? hostname();
}
