import { existsSync, readFileSync } from 'node:fs';

/** Why no window can be opened here, in one line; undefined when nothing speaks against it. */
export function displayProblem(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  isServed: (display: number) => boolean = isServedHere,
): string | undefined {
  if (platform !== 'linux' || environment['WAYLAND_DISPLAY']) return undefined;
  const display = environment['DISPLAY'];
  const wayOut = 'run "sunwell studio --web" to use a browser instead';
  if (!display) return `Cannot open a window: there is no display, ${wayOut}`;
  // Chromium ends in a crash dump on a display that is not there. One on another machine cannot be looked up.
  const local = /^(?:unix)?:(\d+)/.exec(display)?.[1];
  if (local === undefined || isServed(Number(local))) return undefined;
  return `Cannot open a window: display "${display}" is not there, ${wayOut}`;
}

/** A display server listens on a socket file, an abstract socket, or both. */
function isServedHere(display: number): boolean {
  const socket = `/tmp/.X11-unix/X${display}`;
  if (existsSync(socket)) return true;
  try {
    return readFileSync('/proc/net/unix', 'utf8').split(/\s+/).includes(`@${socket}`);
  } catch {
    return true; // Cannot be known here: let Chromium try.
  }
}
