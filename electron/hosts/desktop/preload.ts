import { ipcRenderer } from 'electron';

declare const window: {
  addEventListener(type: 'message', listener: (event: { source: unknown; data: unknown }) => void): void;
  postMessage(message: string, targetOrigin: string, transfer: unknown[]): void;
};
declare const location: { readonly origin: string };

window.addEventListener('message', (event) => {
  if (event.source !== window || event.data !== 'sunwell:connect') return;
  const { port1, port2 } = new MessageChannel();
  ipcRenderer.postMessage('connect', null, [port1]);
  window.postMessage('sunwell:port', location.origin, [port2]);
});
