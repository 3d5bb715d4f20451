import { describe, expect, it } from 'vitest';
import { SettingsView } from './settings.svelte.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { ManualClock } from './testing/manual-clock.ts';

function rig() {
  const engine = new FakeEngine();
  const clock = new ManualClock();
  const failures: string[] = [];
  const settings = new SettingsView({ engine, clock, failed: ({ message }) => failures.push(message) });
  return { engine, clock, settings, failures };
}

describe('SettingsView', () => {
  it('shows a theme at once and has the engine keep it', async () => {
    const { engine, settings } = rig();
    const keeping = settings.chooseTheme('dark');
    expect(settings.theme).toBe('dark');
    await keeping;
    expect(engine.settings.theme).toBe('dark');
  });

  it('writes pane sizes once, after the dragging has paused', async () => {
    const { engine, clock, settings } = rig();
    settings.rememberPane('explorer', 20.04);
    settings.rememberPane('explorer', 21.06);
    settings.rememberPane('inspector', 30);
    await clock.advance(500);
    expect([engine.settings.panes, engine.calls]).toEqual([
      { explorer: [21.1], inspector: [30] },
      ['settings.change'],
    ]);
  });

  it('says why a change was not kept', async () => {
    const { engine, settings, failures } = rig();
    engine.refusals.set('settings.change', 'file.unwritable');
    await settings.chooseTheme('light');
    expect(failures).toEqual(['Cannot keep the settings: Refused: file.unwritable']);
  });

  it('remembers what was typed for a lens, and that the tour was seen, once', async () => {
    const { engine, settings } = rig();
    await settings.rememberInputs('/w/a.lens', { topic: 'sea' });
    await settings.rememberTour();
    await settings.rememberTour();
    expect([settings.inputsOf('/w/a.lens'), settings.inputsOf('/w/b.lens'), engine.calls.length]).toEqual([
      { topic: 'sea' },
      {},
      2,
    ]);
    expect([engine.settings.tourSeen, engine.settings.lensInputs]).toEqual([
      true,
      { '/w/a.lens': { topic: 'sea' } },
    ]);
  });
});
