import type { Session } from 'electron';

const networkAddresses = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'file://*/*'];

/** Refuses every permission, device, download and network request; the page may only put text on the clipboard. */
export function denyPermissions(session: Session, page: URL): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  // Behind the page's CSP, for whatever a dependency or Chromium itself would fetch.
  session.webRequest.onBeforeRequest({ urls: networkAddresses }, ({ url }, answer) =>
    answer({ cancel: !isDevelopmentServer(url, page) }),
  );
}

function isAllowed(permission: string): boolean {
  return permission === 'clipboard-sanitized-write';
}

function isDevelopmentServer(address: string, page: URL): boolean {
  return page.protocol === 'http:' && new URL(address).host === page.host;
}
