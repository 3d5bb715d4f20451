import { join, resolve } from 'node:path';
import { defaultHome } from '#engine/home.ts';
import { requireFolder } from '#engine/workspace/text-file.ts';
import type { OpenRequest } from '#shared/model/workspace.ts';
import { aborted } from '../../common/interrupt.ts';
import { findDesktop, openBrowser, runDesktop } from '../../common/launch.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { findWorkspaceFolder } from '../workspace-folder.ts';

/** The options of `studio` as commander reads them. */
export interface StudioWords {
  readonly sample?: true;
  readonly web?: true;
  readonly port?: number;
  readonly host?: string;
  readonly iKnowThisIsExposed?: true;
  readonly open: boolean;
}

export interface StudioOptions extends StudioWords {
  readonly directory: string | undefined;
}

/** Opens the studio in a window, or serves it until the user stops it. */
export async function studio(invocation: Invocation, options: StudioOptions): Promise<ExitCode> {
  const start = startOf(invocation, options);
  if (start?.from === 'folder') requireFolder(start.folder);
  const wantsWeb = options.web ?? (options.port !== undefined || options.host !== undefined);
  if (!wantsWeb) {
    const outcome = await openWindow(invocation, start);
    if ('exitCode' in outcome) return outcome.exitCode === 0 ? ExitCode.ok : ExitCode.failed;
    invocation.output.note(`No window, ${outcome.problem}: serving the studio to a browser instead`);
  }
  return serve(invocation, options, start);
}

/** What was named, else the workspace around us; undefined lets the studio choose as it does on a plain start. */
function startOf({ terminal, workspace }: Invocation, options: StudioOptions): OpenRequest | undefined {
  const named = options.directory ?? workspace;
  if (named === undefined && options.sample) return { from: 'sample' };
  const folder =
    named ?? findWorkspaceFolder(terminal.workingDirectory, defaultHome(terminal.machine.environment));
  return folder === undefined
    ? undefined
    : { from: 'folder', folder: resolve(terminal.workingDirectory, folder) };
}

async function openWindow(
  { terminal }: Invocation,
  start: OpenRequest | undefined,
): Promise<{ exitCode: number } | { problem: string }> {
  const { appRoot } = terminal;
  const found = findDesktop(appRoot, terminal.machine);
  if ('problem' in found) return found;
  return runDesktop({
    binary: found.binary,
    appRoot,
    words: start?.from === 'folder' ? [start.folder] : start?.from === 'sample' ? ['--sample'] : [],
    environment: terminal.machine.environment,
    signal: terminal.interrupted,
  });
}

async function serve(
  { terminal, output }: Invocation,
  options: StudioOptions,
  start: OpenRequest | undefined,
): Promise<ExitCode> {
  const { WebHost } = await import('../../web/web-host.ts');
  await using host = await WebHost.start({
    home: defaultHome(terminal.machine.environment),
    resources: join(terminal.appRoot, 'resources'),
    pageRoot: join(terminal.appRoot, 'dist', 'renderer'),
    start,
    hostname: options.host,
    port: options.port,
    isExposureMeant: options.iKnowThisIsExposed === true,
  });
  if (output.isJson) output.document({ address: host.address });
  else output.line(host.address);
  if (options.iKnowThisIsExposed)
    output.note('Other machines can reach this address, and what goes over it is not encrypted');
  if (options.open && (await openBrowser(host.address, terminal.machine)))
    output.note('The studio opens in your browser, press Ctrl+C to stop it');
  else output.note('Open this address in a browser on this machine, press Ctrl+C to stop the studio');
  await host.stop(await aborted(terminal.interrupted));
  return ExitCode.ok;
}
