import type { RunProgress } from '#shared/model/app.ts';
import type { RunSummary } from '#shared/model/run.ts';
import type { Tab } from './tabs.svelte.ts';

/** How far the runs of the open lenses are, all together; with no number where only others run, undefined while nothing does. */
export function runProgress(
  tabs: readonly Pick<Tab, 'lensRun'>[],
  recent: readonly RunSummary[],
): RunProgress | undefined {
  const running = tabs.flatMap(({ lensRun }) => lensRun?.live ?? []);
  if (running.length + recent.length === 0) return undefined;
  const states = running.flatMap(({ steps }) => [...steps.values()].map(({ state }) => state));
  return {
    done: states.filter((state) => state !== 'pending' && state !== 'running').length,
    of: states.length,
  };
}

/** What the window is called: what runs comes first, since a taskbar shows only the beginning. */
export function windowTitle(workspace: string | undefined, progress: RunProgress | undefined): string {
  const running = progress && (progress.of > 0 ? `Running ${progress.done} of ${progress.of}` : 'Running');
  return [running, workspace, 'Sunwell Studio'].filter((part) => part !== undefined).join(' · ');
}
