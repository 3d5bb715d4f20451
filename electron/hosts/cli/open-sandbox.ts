import { Sandbox } from '#engine/sandbox/sandbox.ts';
import type { Invocation } from './invocation.ts';

/** The sandbox for one command; no interpreter is taken from the workspace. */
export function openSandbox({ terminal }: Invocation, workspace: string): Sandbox {
  return new Sandbox({ searchPath: terminal.machine.environment['PATH'] ?? '', workspaces: [workspace] });
}
