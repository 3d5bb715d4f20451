import { describe, expect, it } from 'vitest';
import type { RunId } from '#shared/model/run.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { fixtureResult } from './testing/fake-tests.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';
import { placeAt } from './testing/resolved-graph.ts';
import { TestsView } from './tests.svelte.ts';

async function open({ saves = true } = {}) {
  const engine = new FakeEngine();
  const clock = new ManualClock();
  const view = new TestsView({
    ...{ file: 'a.lens' as FileId, clock, saveAll: () => Promise.resolve(saves) },
    source: () => ({ client: engine.client, workspace: engine.workspaceId }),
  });
  await view.ask();
  return { engine, tests: engine.tests, clock, view };
}

function statesOf(view: TestsView): Record<string, string> {
  return Object.fromEntries(view.rows.map(({ fixture, state }) => [fixture.name, state]));
}

const problem = {
  ...{ code: 'fixture.unknown-skill', severity: 'error' as const },
  ...{ message: 'Cannot find "x"', location: placeAt(3, 'tests/fixtures.yaml') },
};

describe('TestsView', () => {
  it('all fixtures are tried, and each shows how it stands', async () => {
    const { tests, view } = await open();
    expect([statesOf(view), view.summary]).toEqual([
      { one: 'not-run', two: 'not-run' },
      '2 fixtures, not run yet',
    ]);
    const run = view.run();
    await settled();
    tests.tell({ type: 'started', name: 'one' });
    await settled();
    expect([statesOf(view), view.summary, view.canRun]).toEqual([
      { one: 'running', two: 'waiting' },
      'Running, 2 to go',
      false,
    ]);
    const failed = fixtureResult('two', { state: 'failed' });
    tests.tell({ type: 'finished', result: fixtureResult('one') }, { type: 'finished', result: failed });
    tests.complete();
    await run;
    expect([statesOf(view), view.summary, view.failed, view.rows[1]?.result, tests.asked]).toEqual([
      { one: 'passed', two: 'failed' },
      '1 of 2 passed',
      1,
      failed,
      [undefined],
    ]);
  });

  it('add() writes a first fixture for a skill and selects it, or says why not', async () => {
    const { engine, view } = await open();
    expect(await view.add('lonely')).toEqual({ file: 'tests/fixtures.yaml', name: 'lonely ends well' });
    await view.ask();
    expect([view.current?.fixture.name, view.list?.untested]).toEqual(['lonely ends well', []]);
    engine.refusals.set('tests.add', 'fixture.exists');
    expect([await view.add('lonely'), view.failure?.code]).toEqual([undefined, 'fixture.exists']);
    expect(await (await open({ saves: false })).view.add('lonely')).toBeUndefined();
  });

  it('one fixture is tried alone, and the others keep what they have', async () => {
    const { tests, view } = await open();
    const run = view.run(['two']);
    await settled();
    expect(statesOf(view)).toEqual({ one: 'not-run', two: 'waiting' });
    tests.tell({ type: 'finished', result: fixtureResult('two') });
    tests.complete();
    await run;
    expect([view.summary, tests.asked]).toEqual(['1 of 1 passed · 1 not run', [['two']]]);
  });

  it('cancel() ends what is under way, and what comes late is not heard', async () => {
    const { tests, view } = await open();
    const run = view.run();
    await settled();
    tests.tell({ type: 'started', name: 'one' });
    await settled();
    view.cancel();
    expect([statesOf(view), view.isRunning]).toEqual([{ one: 'cancelled', two: 'not-run' }, false]);
    tests.tell({ type: 'finished', result: fixtureResult('one') });
    await run;
    expect([statesOf(view), view.failure]).toEqual([{ one: 'cancelled', two: 'not-run' }, undefined]);
  });

  it('a run after a cancelled one is not ended by it', async () => {
    const { tests, view } = await open();
    const cancelled = view.run();
    await settled();
    view.cancel();
    const run = view.run();
    await settled();
    tests.tell({ type: 'started', name: 'one' });
    await cancelled;
    await settled();
    expect([view.isRunning, statesOf(view)]).toEqual([true, { one: 'running', two: 'waiting' }]);
    tests.complete();
    await run;
    expect(view.isRunning).toBe(false);
  });

  it('a refused run is told, and nothing waits any more', async () => {
    const { engine, view } = await open();
    engine.refusals.set('tests.run', 'sandbox.unavailable');
    await view.run();
    expect([view.failure?.code, statesOf(view), view.isRunning]).toEqual([
      'sandbox.unavailable',
      { one: 'not-run', two: 'not-run' },
      false,
    ]);
  });

  it('nothing is tried while typed text cannot be saved', async () => {
    const { tests, view } = await open({ saves: false });
    await view.run();
    expect([tests.asked, view.isRunning, view.summary]).toEqual([[], false, '2 fixtures, not run yet']);
  });

  it('nothing is tried while the fixtures have errors', async () => {
    const { tests, view } = await open();
    tests.list = { ...tests.list, diagnostics: [problem] };
    await view.ask();
    await view.run();
    expect([view.canRun, view.problems, tests.asked]).toEqual([false, [problem], []]);
  });

  it('refresh() reads again only what somebody looked at', async () => {
    const { engine, clock, view } = await open();
    const other = new TestsView({
      ...{ file: 'b.lens' as FileId, clock, saveAll: () => Promise.resolve(true) },
      source: () => ({ client: engine.client, workspace: engine.workspaceId }),
    });
    engine.calls.length = 0;
    view.refresh(20);
    other.refresh(20);
    await clock.advance(20);
    expect(engine.calls).toEqual(['tests.list']);
  });

  it('save() writes a run down and selects the new fixture', async () => {
    const { tests, view } = await open();
    const run = 'run-00000001' as RunId;
    const saved = await view.save(run, { skill: 'moor', name: ' moors well ' });
    await settled();
    expect([saved, tests.saved, view.current?.fixture.name]).toEqual([
      { file: 'tests/fixtures.yaml', name: 'moors well' },
      [{ run, skill: 'moor', name: 'moors well' }],
      'moors well',
    ]);
    expect(await view.save(run, { skill: undefined, name: '' })).toEqual({
      file: 'tests/fixtures.yaml',
      name: 'as in the run',
    });
  });
});
