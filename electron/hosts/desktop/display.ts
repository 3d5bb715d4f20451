/** Why no window can be opened here, in one line; undefined when one can. */
export function displayProblem(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  if (platform !== 'linux' || environment['DISPLAY'] || environment['WAYLAND_DISPLAY']) return undefined;
  return 'Cannot open a window: there is no display, run "sunwell studio --web" to use a browser instead';
}
