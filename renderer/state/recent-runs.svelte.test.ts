import { describe, expect, it } from 'vitest';
import { RecentRuns } from './recent-runs.svelte.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { runSummary } from './testing/fake-runs.ts';
import { ManualClock } from './testing/manual-clock.ts';

function recentRuns() {
  const engine = new FakeEngine();
  const heard: unknown[] = [];
  const place = { location: '/harbor' };
  const recent = new RecentRuns({
    source: () => ({ client: engine.client, workspace: engine.workspaceId }),
    clock: new ManualClock(),
    location: () => place.location,
    heard: ({ running, ended }) =>
      heard.push({ running: running.map(({ runId }) => runId), ended: ended.map(({ runId }) => runId) }),
  });
  return { recent, runs: engine.runs, heard, place };
}

const [a, b, c] = ['run-00000001', 'run-00000002', 'run-00000003'] as const;

describe('RecentRuns', () => {
  it('tells what goes on, and once what ended since it looked before', async () => {
    const { recent, runs, heard } = recentRuns();
    runs.summaries = [runSummary(a)];
    await recent.look();
    runs.summaries = [runSummary(b, { status: 'running' }), runSummary(a)];
    await recent.look();
    runs.summaries = [runSummary(c), runSummary(b, { status: 'failed' }), runSummary(a)];
    await recent.look();
    await recent.look();
    expect(heard).toEqual([
      { running: [b], ended: [] },
      { running: [], ended: [c, b] },
      { running: [], ended: [] },
    ]);
  });

  it('knows what goes on in the open workspace, also from the first look', async () => {
    const { recent, runs, place } = recentRuns();
    runs.summaries = [runSummary(b, { status: 'running' }), runSummary(a)];
    await recent.look();
    const known = [recent.running.length];
    place.location = '/other';
    known.push(recent.running.length);
    runs.summaries = [];
    await recent.look();
    place.location = '/harbor';
    expect([...known, recent.running.length]).toEqual([1, 0, 0]);
  });

  it('what ended in another workspace before it was opened is no news', async () => {
    const { recent, runs, heard, place } = recentRuns();
    await recent.look();
    place.location = '/other';
    runs.summaries = [runSummary(a)];
    await recent.look();
    runs.summaries = [runSummary(b), runSummary(a)];
    await recent.look();
    expect(heard).toEqual([{ running: [], ended: [b] }]);
  });
});
