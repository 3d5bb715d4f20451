import type { RunProgress } from '#shared/model/app.ts';
import type { Tab } from './tabs.svelte.ts';

/** How far the runs of the open lenses are, all together; undefined while nothing runs. */
export function runProgress(tabs: readonly Pick<Tab, 'lensRun'>[]): RunProgress | undefined {
  const running = tabs.flatMap(({ lensRun }) => (lensRun?.run.isRunning ? [lensRun.run] : []));
  if (running.length === 0) return undefined;
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
