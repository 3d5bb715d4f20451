import { describe, expect, it } from 'vitest';
import { HistoryView } from './history.svelte.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { runSummary } from './testing/fake-runs.ts';
import { ManualClock } from './testing/manual-clock.ts';

describe('HistoryView', () => {
  it('while it is looked at asks for runs that go on, and tells how long they take so far', async () => {
    const engine = new FakeEngine();
    const clock = new ManualClock();
    const source = () => ({ client: engine.client, workspace: engine.workspaceId });
    const history = new HistoryView({ source, clock });
    const startedAt = Date.now() - 60_000;
    engine.runs.summaries = [runSummary('run-00000001', { status: 'running', startedAt, durationMs: 1 })];
    await history.ask();
    const leave = history.attend();
    const soFar = history.tookMs(history.runs![0]!);
    engine.runs.summaries = [runSummary('run-00000001', { startedAt, durationMs: 61_000 })];
    await clock.advance(1000);
    const [ended] = history.runs!;
    await clock.advance(1000);
    const asked = engine.calls.filter((name) => name === 'run.list').length;
    leave();
    expect([soFar >= 60_000, ended?.status, history.tookMs(ended!), asked, clock.delaysMs]).toEqual([
      true,
      'succeeded',
      61_000,
      2,
      [],
    ]);
  });

  it('showOlder() lists the next hundred runs too, until there are no more', async () => {
    const engine = new FakeEngine();
    const source = () => ({ client: engine.client, workspace: engine.workspaceId });
    const history = new HistoryView({ source, clock: new ManualClock() });
    engine.runs.summaries = Array.from({ length: 150 }, (_, i) => runSummary(`run-${999 - i}`));
    await history.ask();
    const seen = [[history.runs?.length, history.hasOlder]];
    await history.showOlder();
    seen.push([history.runs?.length, history.hasOlder]);
    expect(seen).toEqual([
      [100, true],
      [150, false],
    ]);
  });
});
