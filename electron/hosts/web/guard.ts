import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';

/** Why a request is turned away, before anything else looks at it. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

const frameDestinations = ['iframe', 'frame', 'embed', 'object', 'fencedframe', 'portal'];
const refuse = (status: number, reason: string): Refusal => ({ status, reason });

/**
 * Checks that a request was made by our own page or typed by the user, to one of our own names, and asks only to read.
 * Stops DNS rebinding (Host), other sites (Origin, Sec-Fetch) and anything that could change state (method, body).
 */
export function refusalOf(request: IncomingMessage, authorities: ReadonlySet<string>): Refusal | undefined {
  const { headers, method, url } = request;
  const { host, origin } = headers;
  if (host === undefined || countOf(request, 'host') !== 1) return refuse(400, 'One Host header is needed');
  if (!authorities.has(host)) return refuse(421, 'This is not the host that was asked for');
  if (!url?.startsWith('/') || url.startsWith('//')) return refuse(400, 'The address must be a path');
  if (method !== 'GET' && method !== 'HEAD') return refuse(405, 'Only reading is possible here');
  if (hasBody(request)) return refuse(413, 'A body is not accepted here');
  if (origin !== undefined && (origin !== `http://${host}` || countOf(request, 'origin') !== 1))
    return refuse(403, 'The request comes from another site');
  return fetchRefusal(request);
}

/** What a WebSocket upgrade must bring on top: its origin, and no sign of being anything else. */
export function upgradeRefusal(request: IncomingMessage): Refusal | undefined {
  const { headers } = request;
  if (request.method !== 'GET') return refuse(405, 'An upgrade must be a GET');
  if (headers.origin === undefined) return refuse(403, 'An upgrade must name its origin');
  if (!isOneOf(headers['sec-fetch-site'], ['same-origin']))
    return refuse(403, 'The upgrade comes from another site');
  if (!isOneOf(headers['sec-fetch-mode'], ['websocket'])) return refuse(403, 'The upgrade is no WebSocket');
  if (!isOneOf(headers['sec-fetch-dest'], ['websocket', 'empty']))
    return refuse(403, 'The upgrade is no WebSocket');
  return undefined;
}

/** The names under which a host that listens there may be addressed. */
export function authoritiesOf(listensOn: string, port: number): Set<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  if (isWildcard(listensOn)) {
    const addresses = Object.values(networkInterfaces()).flatMap((known) => known ?? []);
    names.push(hostname().toLowerCase(), ...addresses.map(({ address }) => bracketed(address)));
  } else {
    names.push(bracketed(listensOn.toLowerCase()));
  }
  // Browsers leave the port of plain http out.
  return new Set(names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])));
}

export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

export function isWildcard(name: string): boolean {
  return name === '0.0.0.0' || name === '::';
}

/** A name as it stands in an address: IPv6 goes in brackets. */
export function bracketed(name: string): string {
  return name.includes(':') ? `[${name}]` : name;
}

/** Browsers say where a request comes from and what it is for; others send nothing and have no user's cookie to abuse. */
function fetchRefusal({ headers }: IncomingMessage): Refusal | undefined {
  if (!isOneOf(headers['sec-fetch-site'], ['same-origin', 'none']))
    return refuse(403, 'A link on another page led here: paste the address into the address bar instead');
  // What no page asked for can only be the user's own address bar.
  if (headers['sec-fetch-site'] === 'none' && !isOneOf(headers['sec-fetch-mode'], ['navigate']))
    return refuse(403, 'The request comes from no page');
  if (frameDestinations.includes(String(headers['sec-fetch-dest'])))
    return refuse(403, 'The studio cannot be shown inside another page');
  // A preview or prefetch would spend the one-time code before the user arrives.
  if (headers['sec-purpose'] !== undefined || headers['purpose'] === 'prefetch')
    return refuse(403, 'The studio cannot be prefetched');
  return undefined;
}

function isOneOf(value: string | string[] | undefined, allowed: readonly string[]): boolean {
  return value === undefined || (typeof value === 'string' && allowed.includes(value));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Node keeps only the first of some repeated headers; what it dropped is still here. */
function countOf({ rawHeaders }: IncomingMessage, name: string): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
