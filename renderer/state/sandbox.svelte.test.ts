import { describe, expect, it } from 'vitest';
import { SandboxView } from './sandbox.svelte.ts';
import { deferred } from './testing/deferred.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { doctorReport } from './testing/sandbox-answers.ts';

describe('SandboxView', () => {
  it('knows nothing before the engine has answered', async () => {
    const engine = new FakeEngine();
    const answer = deferred();
    engine.delays.set('sandbox.report', answer.promise);
    const sandbox = new SandboxView(engine);
    expect([sandbox.phase, sandbox.report]).toEqual([{ phase: 'unknown' }, undefined]);
    const asked = sandbox.ask();
    expect([sandbox.phase, sandbox.report]).toEqual([{ phase: 'asking' }, undefined]);
    answer.resolve();
    await asked;
    expect([sandbox.phase, sandbox.report]).toEqual([{ phase: 'known' }, engine.report]);
  });

  it('asks once however often it is told to while an answer is under way', async () => {
    const engine = new FakeEngine();
    const sandbox = new SandboxView(engine);
    await Promise.all([sandbox.ask(), sandbox.ask({ again: true })]);
    expect(engine.calls).toEqual(['sandbox.report']);
  });

  it('keeps the last report when trying again fails, and says why', async () => {
    const engine = new FakeEngine();
    const sandbox = new SandboxView(engine);
    await sandbox.ask();
    engine.refusals.set('sandbox.report', 'sandbox.unavailable');
    await sandbox.ask({ again: true });
    expect([sandbox.report, sandbox.phase]).toMatchObject([
      doctorReport(),
      { phase: 'failed', failure: { code: 'sandbox.unavailable' } },
    ]);
  });
});
