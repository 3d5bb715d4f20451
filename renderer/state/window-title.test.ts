import { expect, test } from 'vitest';
import { runSummary } from './testing/fake-runs.ts';
import type { Tab } from './tabs.svelte.ts';
import { runProgress, windowTitle } from './window-title.ts';

function tab(isRunning: boolean, ...states: string[]): Pick<Tab, 'lensRun'> {
  const steps = new Map(states.map((state, i) => [String(i), { state }]));
  return { lensRun: { live: isRunning ? { steps } : undefined } } as unknown as Pick<Tab, 'lensRun'>;
}

test('runProgress() adds up what runs and leaves out what is over', () => {
  expect([
    runProgress(
      [tab(true, 'ran', 'cached', 'running', 'pending'), tab(false, 'ran'), tab(true, 'failed')],
      [],
    ),
    runProgress([tab(false, 'ran'), { lensRun: undefined }], []),
    runProgress([tab(false, 'ran')], [runSummary('run-00000001', { status: 'running' })]),
  ]).toEqual([{ done: 3, of: 5 }, undefined, { done: 0, of: 0 }]);
});

test('windowTitle() says first what runs', () => {
  expect([
    windowTitle(undefined, undefined),
    windowTitle('harbor', undefined),
    windowTitle('harbor', { done: 0, of: 0 }),
    windowTitle('harbor', { done: 3, of: 8 }),
  ]).toEqual([
    'Sunwell Studio',
    'harbor · Sunwell Studio',
    'Running · harbor · Sunwell Studio',
    'Running 3 of 8 · harbor · Sunwell Studio',
  ]);
});
