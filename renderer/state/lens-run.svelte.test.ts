import { describe, expect, it } from 'vitest';
import type { ReviewFile, RunId } from '#shared/model/run.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { OpenDocument } from './document.svelte.ts';
import { GraphOverlay } from './graph-overlay.svelte.ts';
import { LensRun } from './lens-run.svelte.ts';
import { choiceTitle, planChoices } from './plan.svelte.ts';
import type { PlanChoice } from './plan.svelte.ts';
import { deferred } from './testing/deferred.ts';
import { entryOf, FakeEngine } from './testing/fake-engine.ts';
import { planOf, planStep, runSummary, stepRecord } from './testing/fake-runs.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';

const text = 'skills:\n  - name: one\n';

async function open() {
  const engine = new FakeEngine({ 'a.lens': text });
  const clock = new ManualClock();
  const overlay = new GraphOverlay();
  const spoken: string[] = [];
  const source = () => ({ client: engine.client, workspace: engine.workspaceId });
  const document = new OpenDocument({ target: entryOf('a.lens', text), source, changed: () => undefined });
  await document.load();
  const lensRun = new LensRun({
    ...{ file: 'a.lens' as FileId, source, clock, overlay, documents: () => [document] },
    changed: () => undefined,
    speak: (sentence) => spoken.push(sentence),
  });
  await lensRun.plan.ask();
  return { engine, runs: engine.runs, clock, overlay, document, lensRun, spoken };
}

const ended = {
  type: 'run_complete' as const,
  status: 'succeeded' as const,
  duration_ms: 5,
  ran: 1,
  cached: 0,
};
const totals = { failed: 0, blocked: 0, saved_ms: 0, diverged: false };

function executed(skill_name: string) {
  return {
    ...{ type: 'skill_execute_complete' as const, skill_name, duration_ms: 7, produces: [], cached: false },
    ...{ success: true, state: 'ran' as const },
  };
}

function reviewFile(path: string, change: Partial<ReviewFile> = {}): ReviewFile {
  return {
    ...{ path, operation: 'modify', skill: 'one', before: 'a\n', after: 'b\n' },
    ...{ isText: true, isApplied: false, hasConflict: false },
    ...change,
  };
}

describe('LensRun', () => {
  it('the plan lies over the graph and the run button says what will happen', async () => {
    const { runs, lensRun, overlay } = await open();
    runs.plan = planOf(
      planStep('one', { estimatedMs: 40 }),
      planStep('two', { decision: 'skip', savedMs: 9 }),
      planStep('three', { decision: 'undecided' }),
    );
    await lensRun.plan.ask();
    expect(lensRun.plan.runLabel).toBe('Run 1 · skip 1 · 1 undecided');
    expect(['one', 'two'].map((key) => overlay.get(key))).toEqual([
      { decision: 'run', reason: 'never ran here', durationMs: 40 },
      { decision: 'skip', reason: 'never ran here', durationMs: 9 },
    ]);
  });

  it('a started run saves first, then shows its states as they change', async () => {
    const { engine, runs, lensRun, overlay, document } = await open();
    document.edit(`${text}# typed\n`);
    const started = lensRun.start();
    await settled();
    expect([engine.files.get('a.lens'), overlay.get('one')?.state]).toEqual([`${text}# typed\n`, 'pending']);
    runs.tell({
      ...{ type: 'skill_execute_start', skill_name: 'one', wave_index: 0, requires: [] },
      ...{ context_keys_available: [], reasons: [] },
    });
    const output = { type: 'skill_output' as const, skill_name: 'one', script_name: 'a.py' };
    runs.tell({ ...output, stream: 'stderr', chunk: 'hello\nwor' });
    runs.tell({ ...output, stream: 'stderr', chunk: 'ld\n' });
    await settled();
    expect([overlay.get('one')?.state, lensRun.run.log.lines.map((line) => line.text)]).toEqual([
      'running',
      ['hello', 'world'],
    ]);
    runs.tell(executed('one'));
    runs.record = {
      ...runs.record,
      status: 'succeeded',
      steps: [stepRecord('one', { state: 'ran', durationMs: 7 })],
    };
    runs.tell({ ...ended, ...totals });
    await started;
    expect([lensRun.run.phase.phase, overlay.get('one')]).toEqual([
      'ended',
      { decision: 'run', reason: 'never ran here', state: 'ran', durationMs: 7 },
    ]);
  });

  it('after a good run an edit brings the plan back, and nothing else does', async () => {
    const { runs, lensRun, clock } = await open();
    runs.record = { ...runs.record, status: 'succeeded', steps: [stepRecord('one', { state: 'ran' })] };
    runs.plan = planOf(planStep('one', { decision: 'skip' }));
    await lensRun.start();
    await clock.advance(100);
    expect(lensRun.shows).toBe('run');
    runs.plan = planOf(planStep('one'));
    await lensRun.plan.ask();
    expect(lensRun.shows).toBe('plan');
  });

  it('a refused start is told, and the plan is back', async () => {
    const { engine, lensRun } = await open();
    engine.refusals.set('run.start', 'sandbox.unavailable');
    await lensRun.start();
    expect([lensRun.run.failure?.code, lensRun.run.phase.phase, lensRun.shows]).toEqual([
      'sandbox.unavailable',
      'none',
      'plan',
    ]);
  });

  it('catchUp() follows a run that goes on without the page, before anything is drawn', async () => {
    const { runs, lensRun, overlay } = await open();
    const { runId } = runs.record;
    const over = runSummary('run-00000002', { lens: 'b.lens' });
    runs.summaries = [over, runSummary(runId, { status: 'running' })];
    void lensRun.catchUp(deferred().promise);
    await settled();
    expect([lensRun.run.phase, overlay.get('one')?.state]).toEqual([
      { phase: 'running', run: runId },
      'pending',
    ]);
  });

  it('catchUp() brings the newest run of the history with its changes once the lens is drawn, and says nothing', async () => {
    const { runs, lensRun, spoken, clock } = await open();
    const { runId } = runs.record;
    runs.record = { ...runs.record, status: 'succeeded', steps: [stepRecord('one', { state: 'ran' })] };
    runs.summaries = [runSummary('run-00000009', { lens: 'b.lens' }), runSummary(runId)];
    runs.review = [reviewFile('a.md')];
    const drawn = deferred();
    void lensRun.catchUp(drawn.promise);
    await settled();
    const early = lensRun.run.phase.phase;
    drawn.resolve();
    await settled();
    expect([early, lensRun.run.phase, lensRun.shows]).toEqual([
      'none',
      { phase: 'ended', run: runId },
      'plan',
    ]);
    expect([lensRun.review.open.map(({ path }) => path), spoken, clock.delaysMs]).toEqual([['a.md'], [], []]);
  });

  it('an old run that is on its way onto the screen does not disturb one that is started', async () => {
    const { engine, runs, lensRun } = await open();
    const old = { ...runs.record, status: 'succeeded' as const };
    runs.record = old;
    runs.summaries = [runSummary(old.runId)];
    const answer = deferred();
    engine.delays.set('run.show', answer.promise);
    void lensRun.catchUp();
    await settled();
    const started = deferred();
    engine.delays.set('run.start', started.promise);
    void lensRun.start();
    await settled();
    answer.resolve();
    await settled();
    const meanwhile = [lensRun.run.phase.phase, lensRun.run.record];
    runs.record = { ...old, runId: 'run-00000002' as RunId, status: 'running' };
    started.resolve();
    await settled();
    expect([meanwhile, lensRun.run.phase]).toEqual([
      ['starting', undefined],
      { phase: 'running', run: 'run-00000002' },
    ]);
  });

  it('notice() takes up what others run, and what they ran, but nothing older than what is shown', async () => {
    const { engine, runs, lensRun, spoken } = await open();
    const shown = (): unknown => [lensRun.run.phase, lensRun.shows];
    const elsewhere = runSummary('run-00000003', { lens: 'b.lens', status: 'running' });
    lensRun.notice({ running: [elsewhere], ended: [] });
    await settled();
    expect(shown()).toEqual([{ phase: 'none' }, 'plan']);
    runs.record = { ...runs.record, runId: 'run-00000002' as RunId };
    lensRun.notice({ running: [runSummary('run-00000002', { status: 'running' })], ended: [] });
    await settled();
    expect(shown()).toEqual([{ phase: 'running', run: 'run-00000002' }, 'run']);
    runs.record = { ...runs.record, status: 'succeeded', steps: [stepRecord('one', { state: 'ran' })] };
    runs.tell({ ...ended, ...totals });
    await settled();
    const asked = engine.calls.filter((name) => name === 'run.show').length;
    lensRun.notice({ running: [runSummary('run-00000001', { status: 'running' })], ended: [] });
    await settled();
    expect([shown(), spoken]).toEqual([[{ phase: 'ended', run: 'run-00000002' }, 'run'], ['Run succeeded']]);
    expect(engine.calls.filter((name) => name === 'run.show')).toHaveLength(asked);
    runs.record = { ...runs.record, runId: 'run-00000004' as RunId };
    lensRun.notice({ running: [], ended: [runSummary('run-00000004')] });
    await settled();
    expect(shown()).toEqual([{ phase: 'ended', run: 'run-00000004' }, 'run']);
  });

  it('an older run that is opened leaves the one that goes on to be stopped, come back to and waited for', async () => {
    const { engine, runs, lensRun, overlay, spoken } = await open();
    const live = runs.record.runId;
    const old = { ...runs.record, runId: 'run-00000000' as RunId, status: 'succeeded' as const };
    runs.past.set(old.runId, { ...old, steps: [stepRecord('one', { state: 'cached' })] });
    void lensRun.start();
    await settled();
    await lensRun.open(old.runId);
    await settled();
    const shown = (): unknown => [lensRun.run.record?.runId, overlay.get('one')?.state];
    const liveRun = (): unknown => lensRun.live?.record?.runId;
    expect([shown(), liveRun()]).toEqual([['run-00000000', 'cached'], live]);
    await lensRun.start();
    await lensRun.live?.cancel();
    runs.tell({
      ...{ type: 'skill_execute_start', skill_name: 'one', wave_index: 0, requires: [] },
      ...{ context_keys_available: [], reasons: [] },
    });
    await settled();
    const calls = ['run.start', 'run.cancel'].map((name) => engine.calls.filter((c) => c === name).length);
    expect([calls, shown(), lensRun.live?.steps.get('one')?.state]).toEqual([
      [1, 1],
      ['run-00000000', 'cached'],
      'running',
    ]);
    lensRun.showLive();
    expect(shown()).toEqual([live, 'running']);
    await lensRun.open(old.runId);
    runs.record = { ...runs.record, status: 'succeeded' };
    runs.tell({ ...ended, ...totals });
    await settled();
    expect([shown(), liveRun(), spoken]).toEqual([['run-00000000', 'cached'], undefined, ['Run succeeded']]);
    lensRun.notice({ running: [], ended: [runSummary(live)] });
    await settled();
    expect(shown()).toEqual(['run-00000000', 'cached']);
  });

  it('catchUp() watches a run that goes on behind an older one that was opened with the lens', async () => {
    const { runs, lensRun, overlay } = await open();
    const live = runs.record.runId;
    const old = { ...runs.record, runId: 'run-00000000' as RunId, status: 'succeeded' as const };
    runs.past.set(old.runId, { ...old, steps: [stepRecord('one', { state: 'cached' })] });
    runs.summaries = [runSummary(live, { status: 'running' }), runSummary(old.runId)];
    const watched = (): unknown => [lensRun.run.record?.runId, lensRun.live?.record?.runId];
    void lensRun.catchUp();
    await lensRun.open(old.runId);
    await settled();
    expect([watched(), overlay.get('one')?.state]).toEqual([['run-00000000', live], 'cached']);
    lensRun.close();
    const other = await open();
    other.runs.summaries = runs.summaries;
    void other.lensRun.catchUp();
    void other.lensRun.open(live);
    await settled();
    const asked = other.engine.calls.filter((name) => name === 'run.show').length;
    expect([other.lensRun.live === other.lensRun.run, asked]).toEqual([true, 1]);
  });

  it('a file that changes on disk after a run is looked at again, before it is applied', async () => {
    const { runs, lensRun, clock } = await open();
    runs.record = { ...runs.record, status: 'succeeded' };
    runs.review = [reviewFile('a.md'), reviewFile('b.md')];
    await lensRun.open(runs.record.runId);
    await settled();
    runs.review = [reviewFile('a.md', { hasConflict: true }), reviewFile('b.md')];
    lensRun.filesChanged(20);
    await clock.advance(20);
    expect(lensRun.review.accepted.map(({ path }) => path)).toEqual(['b.md']);
  });

  it('an ended run brings what it printed, and a run of another process is looked at again', async () => {
    const { runs, lensRun, clock, engine } = await open();
    runs.record = { ...runs.record, status: 'succeeded', steps: [stepRecord('one', { state: 'ran' })] };
    await lensRun.open(runs.record.runId);
    const output = { type: 'skill_output' as const, skill_name: 'one', script_name: 'a.py' };
    runs.tell({ ...output, stream: 'stdout', chunk: 'printed\n' });
    await settled();
    expect(lensRun.run.log.lines.map((line) => line.text)).toEqual(['printed']);
    runs.record = { ...runs.record, status: 'running' };
    void lensRun.run.follow(runs.record.runId);
    await settled();
    runs.tell({ type: 'snapshot_needed' });
    await settled();
    const shown = engine.calls.filter((name) => name === 'run.show').length;
    await clock.advance(1000);
    expect(engine.calls.filter((name) => name === 'run.show')).toHaveLength(shown + 1);
    expect(lensRun.run.isElsewhere).toBe(true);
    runs.tell({ type: 'snapshot_needed' });
    await settled();
    runs.record = { ...runs.record, status: 'succeeded' };
    await clock.advance(1000);
    expect([lensRun.run.phase.phase, lensRun.run.isElsewhere]).toEqual(['ended', false]);
  });

  it('a run of this page is none of another process, also when it printed more than is kept', async () => {
    const { runs, lensRun } = await open();
    void lensRun.start();
    await settled();
    runs.tell({ type: 'snapshot_needed' });
    await settled();
    expect([lensRun.run.phase.phase, lensRun.run.isElsewhere]).toEqual(['running', false]);
  });

  it('a cancel that was refused is told at once, until the next one or the end of the run', async () => {
    const { engine, runs, lensRun } = await open();
    void lensRun.start();
    await settled();
    const cancelRefused = async (): Promise<string | undefined> => {
      engine.refusals.set('run.cancel', 'run.elsewhere');
      await lensRun.live?.cancel('one');
      engine.refusals.clear();
      return lensRun.live?.failure?.code;
    };
    const told = [await cancelRefused()];
    await lensRun.live?.cancel();
    told.push(lensRun.live?.failure?.code, await cancelRefused());
    runs.record = { ...runs.record, status: 'succeeded' };
    runs.tell({ ...ended, ...totals });
    await settled();
    expect([...told, lensRun.run.failure?.code]).toEqual([
      'run.elsewhere',
      undefined,
      'run.elsewhere',
      undefined,
    ]);
  });

  it('a run that is on screen is followed again without its output, steps or questions being doubled or lost', async () => {
    const { runs, lensRun } = await open();
    const { runId } = runs.record;
    const texts = (): unknown => lensRun.run.log.lines.map((line) => line.text);
    const output = { type: 'skill_output' as const, skill_name: 'one', script_name: 'a.py' };
    void lensRun.start();
    await settled();
    runs.tell({ ...output, stream: 'stdout', chunk: 'first\nsec' });
    runs.tell({ type: 'answer_wanted', skill_name: 'one', prompt: 'Say it', request: 'q1' });
    await settled();
    lensRun.run.close();
    runs.tell({ ...output, stream: 'stdout', chunk: 'ond\n' });
    void lensRun.catchUp();
    await settled();
    expect([texts(), lensRun.run.question?.request]).toEqual([['first', 'second'], 'q1']);
    runs.record = { ...runs.record, status: 'succeeded' };
    runs.tell({ ...ended, ...totals });
    await settled();
    await lensRun.open(runId);
    await settled();
    expect([texts(), lensRun.run.question]).toEqual([['first', 'second'], undefined]);
    runs.record = { ...runs.record, runId: 'run-00000002' as RunId };
    await lensRun.open(runs.record.runId);
    runs.record = { ...runs.record, runId };
    await lensRun.open(runId);
    await settled();
    expect(texts()).toEqual(['first', 'second']);
  });

  it('asks a person one question after the other, and keeps one whose answer was refused', async () => {
    const { engine, runs, lensRun } = await open();
    void lensRun.start();
    await settled();
    const wanted = { type: 'answer_wanted' as const, skill_name: 'one', prompt: 'Say it' };
    for (const request of ['q1', 'q2', 'q3']) runs.tell({ ...wanted, request });
    await settled();
    expect(lensRun.run.question).toEqual({ request: 'q1', skill: 'one', prompt: 'Say it' });
    await lensRun.run.answer('q1', 'It');
    engine.refusals.set('run.answer', 'run.unknown');
    await expect(lensRun.run.answer('q2', null)).rejects.toThrow();
    expect([runs.answered, lensRun.run.question?.request]).toEqual([['It'], 'q2']);
    runs.tell({ type: 'answer_given', skill_name: 'one', request: 'q2' });
    await settled();
    expect(lensRun.run.question?.request).toBe('q3');
  });

  it('a choice is what the plan and the run are asked for', async () => {
    const { runs, lensRun } = await open();
    lensRun.plan.giveInputs({ who: 'me' }, 'Greet them');
    lensRun.plan.choose({ kind: 'from', skill: 'one' });
    await settled();
    expect(runs.requests.at(-1)).toEqual({
      task: 'Greet them',
      inputs: { who: 'me' },
      selection: { from: ['one'] },
    });
  });

  it('how many skills are stale does not depend on what is chosen to run', async () => {
    const { runs, lensRun } = await open();
    runs.plan = planOf(
      planStep('one'),
      planStep('two', { decision: 'rejudge' }),
      planStep('three', { decision: 'skip' }),
    );
    await lensRun.plan.ask();
    const counts = [lensRun.plan.staleCount];
    runs.plan = planOf(planStep('one'), planStep('two'), planStep('three'));
    lensRun.plan.choose({ kind: 'force' });
    counts.push(lensRun.plan.staleCount);
    await settled();
    counts.push(lensRun.plan.staleCount);
    lensRun.plan.choose({ kind: 'all' });
    counts.push(lensRun.plan.staleCount);
    await settled();
    expect([...counts, lensRun.plan.staleCount]).toEqual([2, 2, 0, 0, 3]);
  });

  it('the menu has the choice that counts, also where another skill is selected by now', () => {
    const now: PlanChoice = { kind: 'to', skill: 'one' };
    const titles = (...of: Parameters<typeof planChoices>): string[] =>
      planChoices(...of).map((choice) => `${choiceTitle(choice)}${choice === of[0] ? ' ✓' : ''}`);
    const general = ['All skills', 'Only what is stale', 'Only what failed', 'All, without the cache'];
    const ofTwo = ['Up to two', 'From two down', 'two, without the cache'];
    expect([titles({ kind: 'all' }, undefined), titles(now, 'two'), titles(now, 'one').slice(4)]).toEqual([
      ['All skills ✓', ...general.slice(1)],
      [...general, ...ofTwo, 'Up to one ✓'],
      ['Up to one ✓', 'From one down', 'one, without the cache'],
    ]);
  });

  it('review applies accepted files, with only the hunks that were kept', async () => {
    const { runs, lensRun } = await open();
    const lines = (changed: readonly number[]): string =>
      Array.from({ length: 30 }, (_, i) => `${changed.includes(i) ? 'new' : 'old'} ${i}\n`).join('');
    const file = (path: string, change: Partial<ReviewFile> = {}): ReviewFile =>
      reviewFile(path, { before: lines([]), after: lines([1, 25]), ...change });
    runs.record = { ...runs.record, status: 'succeeded' };
    runs.review = [
      ...[file('a.md'), file('b.md'), file('c.md'), file('d.md', { hasConflict: true })],
      file('e.md', { operation: 'unknown', problem: 'Cannot write "e.md": "e.md" is a link' }),
    ];
    await lensRun.open(runs.record.runId);
    await settled();
    lensRun.review.toggleHunk('a.md', 0);
    const share = (): unknown => lensRun.review.shareOf(lensRun.review.files[0]!);
    const shares = [share()];
    lensRun.review.toggleHunk('a.md', 1);
    shares.push(share());
    lensRun.review.toggleFile('a.md');
    shares.push(share());
    lensRun.review.toggleHunk('a.md', 0);
    lensRun.review.toggleFile('a.md');
    shares.push(share());
    lensRun.review.toggleFile('a.md');
    shares.push(share());
    expect(shares).toEqual(['some', 'none', 'all', 'none', 'some']);
    lensRun.review.toggleFile('b.md');
    expect(lensRun.review.accepted.map(({ path }) => path)).toEqual(['a.md', 'c.md']);
    await lensRun.review.apply();
    expect(runs.accepted).toEqual([{ path: 'a.md', text: lines([25]) }, { path: 'c.md' }]);
    expect(lensRun.review.open.map(({ path }) => path)).toEqual(['b.md']);
    expect(['a.md', 'c.md'].map((path) => lensRun.review.hasRejectedHunks(path))).toEqual([true, false]);
  });
});
