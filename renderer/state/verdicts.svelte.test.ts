import { describe, expect, it } from 'vitest';
import type { RunId } from '#shared/model/run.ts';
import type { JudgmentRule, Verdict } from '#shared/model/verdict.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { GraphOverlay } from './graph-overlay.svelte.ts';
import { LensRun } from './lens-run.svelte.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { stepRecord } from './testing/fake-runs.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';

const rule: JudgmentRule = { minConfidence: 0.7, personaAgreement: 0.5, required: ['clear'] };
const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  ...{ judge: 'clear', kind: 'heuristic', outcome: 'fail', severity: 'error', confidence: 0.9, message: 'm' },
  ...more,
});

async function judgedWith(...verdicts: Verdict[]) {
  const engine = new FakeEngine({ 'a.lens': '' });
  const { runs } = engine;
  runs.record = {
    ...runs.record,
    status: 'failed',
    steps: [stepRecord('one', { state: 'judged-failed', verdicts, rule })],
  };
  const clock = new ManualClock();
  const overlay = new GraphOverlay();
  let changes = 0;
  const lensRun = new LensRun({
    ...{ file: 'a.lens' as FileId, clock, overlay, documents: () => [], speak: () => undefined },
    source: () => ({ client: engine.client, workspace: engine.workspaceId }),
    changed: () => void changes++,
  });
  await lensRun.open('run-00000001' as RunId);
  await settled();
  return { engine, runs, clock, overlay, lensRun, changes: () => changes };
}

describe('verdicts of a run', () => {
  it.each([
    ['1 failed', [verdict()]],
    ['passed 0.90', [verdict({ outcome: 'pass' })]],
    ['not judged', [verdict({ outcome: 'not-judged' })]],
    ['did not pass', [verdict({ outcome: 'pass', confidence: 0.5 })]],
    ['passed by you', [verdict({ override: { outcome: 'pass', note: 'n', at: 1 } })]],
  ])('lie over the graph as "%s"', async (text, verdicts) => {
    const { overlay } = await judgedWith(...verdicts);
    expect(overlay.get('one')?.verdict).toBe(text);
  });

  it('an override is sent, shown at once, and makes a new plan', async () => {
    const { engine, overlay, lensRun, clock, changes } = await judgedWith(verdict());
    const before = [changes(), engine.calls.filter((name) => name === 'plan.make').length];
    await lensRun.override('one', 'clear', { outcome: 'pass', note: 'It is a poem' });
    await clock.advance(1000);
    await settled();
    expect([
      lensRun.run.steps.get('one')?.verdicts?.[0]?.override?.note,
      overlay.get('one')?.verdict,
      changes() - before[0]!,
      engine.calls.filter((name) => name === 'plan.make').length - before[1]!,
    ]).toEqual(['It is a poem', 'passed by you', 1, 1]);
    await lensRun.override('one', 'clear', null);
    expect(lensRun.run.steps.get('one')?.verdicts?.[0]?.override).toBeUndefined();
  });
});
