import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pageHeaders } from '../common/content-security-policy.ts';
import type { StaticFile } from '../common/static-files.ts';
import type { Refusal } from './guard.ts';
import { messagePage } from './message-page.ts';

/** Answers with a small page that says what happened. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, reason }: Refusal,
): void {
  const body = Buffer.from(messagePage(STATUS_CODES[status] ?? 'Error', reason));
  response.writeHead(status, {
    ...pageHeaders(),
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    // What follows a refused request on its connection may be the body that was refused.
    connection: 'close',
    ...(status === 405 && { allow: 'GET, HEAD' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Answers with a part of the page. */
export function answerFile(request: IncomingMessage, response: ServerResponse, file: StaticFile): void {
  response.writeHead(200, {
    // Not every browser counts a WebSocket to the page's own port as "self".
    ...pageHeaders([`ws://${request.headers.host ?? ''}`]),
    'content-type': file.contentType,
    'content-length': file.body.length,
    'cache-control': file.isImmutable ? 'private, max-age=31536000, immutable' : 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : file.body);
}

/** Refuses an upgrade; a WebSocket client reads nothing but the status. */
export function answerUpgrade(socket: Duplex, { status, reason }: Refusal): void {
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nConnection: close\r\n`;
  socket.end(
    `${head}Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(reason)}\r\n\r\n${reason}`,
  );
}
