import { defaultHome } from '#engine/home.ts';
import { Sandbox } from '#engine/sandbox/sandbox.ts';
import type { Invocation } from './invocation.ts';

/** The sandbox for one command; no interpreter is taken from the workspace. */
export function openSandbox({ terminal }: Invocation, workspace: string): Sandbox {
  const { environment } = terminal.machine;
  const searchPath = environment['PATH'] ?? '';
  return new Sandbox({ searchPath, workspaces: [workspace], home: defaultHome(environment) });
}
