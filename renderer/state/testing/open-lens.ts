import { Studio } from '../studio.svelte.ts';
import type { Tab } from '../tabs.svelte.ts';
import { FakeEngine } from './fake-engine.ts';
import { ManualClock, settled } from './manual-clock.ts';

/** A studio of these files with "a.lens" open, read and drawn. */
export async function openLens(
  files: Readonly<Record<string, string>> & { readonly 'a.lens': string },
): Promise<{ engine: FakeEngine; studio: Studio; tab: Tab }> {
  const engine = new FakeEngine({ ...files });
  const studio = new Studio({
    clock: new ManualClock(),
    connect: () => Promise.resolve({ client: engine.client, closed: new Promise<void>(() => undefined) }),
  });
  await studio.start();
  await settled();
  const tab = studio.tabs.open(studio.workspace.entry('a.lens')!);
  await settled();
  return { engine, studio, tab };
}
