import { pageEntry } from '../common/static-files.ts';

/** The page's own origin: a scheme that only this app serves, so that no web page and no file shares it. */
export const pageScheme = 'app';
export const pageOrigin = `${pageScheme}://studio`;

/**
 * The address of the page: our own scheme, or in development the Vite server on this machine.
 * A packaged app never reads the variable, so that the environment cannot put another page behind the port.
 */
export function pageAddress(environment: NodeJS.ProcessEnv, isPackaged: boolean): URL {
  const server = environment['SUNWELL_DEV_SERVER'];
  if (isPackaged || !server) return new URL(`${pageOrigin}/`);
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'http:' || url.hostname !== '127.0.0.1')
    throw new Error(`SUNWELL_DEV_SERVER must be an address on http://127.0.0.1, not "${server}"`);
  return new URL(pageEntry, url.origin);
}

/** True for the page itself, whatever its query and fragment. */
export function isPage(address: string, page: URL): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === page.protocol && url.host === page.host && url.pathname === page.pathname;
}

/** True for an address that may be offered to the user's browser. */
export function isExternalLink(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === 'https:' && !url.username && !url.password;
}
