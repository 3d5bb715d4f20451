import { protocol } from 'electron';
import { pageHeaders } from '../common/content-security-policy.ts';
import { readStaticFile } from '../common/static-files.ts';
import { pageOrigin, pageScheme } from './page-policy.ts';

/** Makes `app://` a secure origin like https; Electron takes it only before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

/** Serves the built page, and nothing else, from the folder `root`. */
export function serveApp(root: string): void {
  protocol.handle(pageScheme, async ({ method, url }) => {
    const { protocol: scheme, host, pathname } = new URL(url);
    const headers = pageHeaders();
    if (method !== 'GET' && method !== 'HEAD') return new Response(null, { status: 405, headers });
    const file = `${scheme}//${host}` === pageOrigin ? await readStaticFile(root, pathname) : undefined;
    if (!file) return new Response(null, { status: 404, headers });
    const body = method === 'HEAD' ? null : new Uint8Array(file.body);
    return new Response(body, { headers: { ...headers, 'content-type': file.contentType } });
  });
}
