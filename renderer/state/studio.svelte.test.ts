import { describe, expect, it } from 'vitest';
import type { WorkspaceId } from '#shared/model/workspace.ts';
import { Studio } from './studio.svelte.ts';
import { deferred } from './testing/deferred.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { planOf, planStep, runSummary } from './testing/fake-runs.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';

const lens = 'skills:\n  - name: one\n  - name: two\n    depends_on: [one]\n';

async function start(
  files: Record<string, string> = { 'a.lens': lens, 'b.lens': lens },
  engine = new FakeEngine(files),
) {
  const clock = new ManualClock();
  let drop: () => void = () => undefined;
  const studio = new Studio({
    clock,
    connect: () => {
      const { promise: closed, resolve } = deferred();
      drop = resolve;
      return Promise.resolve({ client: engine.client, closed });
    },
  });
  await studio.start();
  await settled();
  return { engine, clock, studio, drop: () => drop() };
}

const titles = (studio: Studio): string[] => studio.tabs.all.map(({ title }) => title);

describe('Studio', () => {
  it('opens the first lens that can be drawn on the very first start', async () => {
    const { studio } = await start({ 'a.lens': '', 'b.lens': lens });
    expect([titles(studio), studio.tabs.active?.view]).toEqual([['b.lens'], 'graph']);
  });

  it('starts without waiting for the sandbox, and asks about it once', async () => {
    const engine = new FakeEngine({ 'a.lens': lens });
    const answer = deferred();
    engine.delays.set('sandbox.report', answer.promise);
    const { studio } = await start({}, engine);
    const early = [titles(studio), studio.sandbox.report];
    answer.resolve();
    await settled();
    const asked = engine.calls.filter((name) => name === 'sandbox.report').length;
    expect([early, studio.sandbox.report, asked]).toEqual([[['a.lens'], undefined], engine.report, 1]);
  });

  it('opens the settings at their first page unless another is asked for', async () => {
    const { studio } = await start();
    studio.showSettings('sandbox');
    const asked = [studio.dialog, studio.settingsPage];
    studio.showDialog(undefined);
    studio.showDialog('settings');
    expect([asked, studio.dialog, studio.settingsPage]).toEqual([
      ['settings', 'sandbox'],
      'settings',
      'appearance',
    ]);
  });

  it.each([
    'view.graph',
    'view.yaml',
    'view.form',
    'view.toggle-outline',
    'view.toggle-inspector',
    'view.toggle-problems',
    'view.toggle-panel',
    'view.plan',
    'view.tests',
    'file.next-tab',
    'file.close',
    'run.start',
  ] as const)('%s brings the documents back from behind a page, and takes nothing away there', async (id) => {
    const { studio } = await start();
    studio.showPage('library');
    void studio.commands.run(id);
    await settled();
    const { page, panes, tabs } = studio;
    const open = (['explorer', 'inspector', 'panel', 'outline'] as const).filter((pane) =>
      panes.isOpen(pane),
    );
    expect([page, tabs.all.length, open]).toEqual([
      'documents',
      1,
      ['explorer', 'inspector', 'panel', 'outline'],
    ]);
  });

  it('reloads a clean tab and keeps a dirty one when files change on disk', async () => {
    const { engine, studio } = await start();
    studio.openFile(studio.workspace.entries[1]!.file);
    await settled();
    studio.tabs.active?.document.edit('mine');
    engine.write('a.lens', 'theirs');
    engine.write('b.lens', 'theirs');
    await settled();
    expect(studio.tabs.all.map(({ document }) => [document.text, document.trouble?.kind])).toEqual([
      ['theirs', undefined],
      ['mine', 'changed-on-disk'],
    ]);
  });

  it('keeps typed text over a lost connection and catches up with the disk', async () => {
    const { engine, clock, studio, drop } = await start();
    const document = studio.tabs.active!.document;
    document.edit('mine');
    drop();
    await settled();
    await studio.save();
    expect(document.trouble).toMatchObject({ kind: 'not-saved', failure: { code: 'disconnected' } });
    engine.files.set('a.lens', 'theirs');
    engine.refusals.set('workspace.snapshot', 'workspace.not-open');
    await clock.advance(250);
    expect([studio.engine.phase.phase, document.text, document.trouble?.kind]).toEqual([
      'connected',
      'mine',
      'changed-on-disk',
    ]);
  });

  it('asks before unsaved tabs give way to another workspace', async () => {
    const { engine, studio } = await start();
    studio.tabs.active?.document.edit('mine');
    engine.workspaceId = 'w2' as WorkspaceId;
    const opening = studio.open({ from: 'folder', folder: '/other' });
    expect(studio.tabs.closing?.unsaved.length).toBe(1);
    studio.tabs.closing?.decide('cancel');
    await opening;
    expect([studio.workspace.snapshot?.workspace, titles(studio)]).toEqual(['w1', ['a.lens']]);
    const again = studio.open({ from: 'folder', folder: '/other' });
    studio.tabs.closing?.decide('discard');
    await again;
    expect([studio.workspace.snapshot?.workspace, titles(studio)]).toEqual(['w2', []]);
  });

  it('keeps tabs and their text when the other workspace cannot be opened', async () => {
    const { engine, studio } = await start();
    studio.tabs.active?.document.edit('mine');
    engine.refusals.set('workspace.open', 'workspace.not-found');
    const opening = studio.open({ from: 'folder', folder: '/nowhere' });
    studio.tabs.closing?.decide('discard');
    expect((await opening)?.code).toBe('workspace.not-found');
    expect([titles(studio), studio.tabs.active?.document.text]).toEqual([['a.lens'], 'mine']);
  });

  it('runs commands from the menu and opens folders that the host names', async () => {
    const { engine, studio } = await start();
    engine.tellApp({ type: 'command', command: 'view.yaml' });
    engine.tellApp({ type: 'command', command: 'no.such-command' });
    engine.tellApp({ type: 'open-folder', folder: '/told' });
    engine.tellApp({ type: 'notice', notice: { code: 'x', message: 'Mind this' } });
    engine.tellApp({ type: 'stopping', reason: 'The machine goes to sleep' });
    await settled();
    expect({
      view: studio.tabs.active?.view,
      opened: engine.opened.at(-1),
      notices: studio.notices.shown.map(({ message }) => message),
      reason: studio.engine.stopReason,
    }).toEqual({
      view: 'yaml',
      opened: { from: 'folder', folder: '/told' },
      notices: ['Mind this'],
      reason: 'The machine goes to sleep',
    });
  });

  it('shows why nothing could be opened at the start', async () => {
    const engine = new FakeEngine();
    engine.refusals.set('workspace.open', 'workspace.unreadable');
    const studio = new Studio({
      clock: new ManualClock(),
      connect: () => Promise.resolve({ client: engine.client, closed: new Promise(() => undefined) }),
    });
    await studio.start();
    await settled();
    expect(studio.startFailure).toMatchObject({ code: 'workspace.unreadable' });
  });

  it('lists what is wrong with the typed text of open files and with the files as read', async () => {
    const { clock, studio } = await start();
    studio.tabs.active?.document.edit(`${lens}  - name: three\n    depends_on: [nowhere]\n`);
    await clock.advance(249);
    expect(studio.problems.all).toEqual([]);
    await clock.advance(1);
    expect(studio.problems.all.map(({ file, code }) => [file, code])).toEqual([
      ['a.lens', 'graph.missing-dependency'],
    ]);
  });

  it('takes the tour on the sample until it was seen once, and nowhere else by itself', async () => {
    const engine = new FakeEngine({ 'a.lens': lens });
    const elsewhere = (await start({}, engine)).studio.tour.step;
    engine.sampleLocation = '/harbor';
    engine.settings = { ...engine.settings, recentWorkspaces: [{ name: 'harbor', location: '/harbor' }] };
    const { studio } = await start({}, engine);
    const shown = [studio.tour.step?.id, titles(studio), studio.panes.panelTab];
    studio.tour.end();
    await settled();
    const later = (await start({}, engine)).studio.tour.step;
    expect([elsewhere, shown, engine.settings.tourSeen, later]).toEqual([
      undefined,
      ['plan', ['a.lens'], 'plan'],
      true,
      undefined,
    ]);
  });

  it('a run that another process started and ended is shown, and brings new plans and the list of runs', async () => {
    const { engine, clock, studio } = await start();
    studio.showPage('history');
    await settled();
    engine.runs.record = { ...engine.runs.record, status: 'succeeded' };
    engine.runs.summaries = [runSummary(engine.runs.record.runId)];
    engine.runs.plan = planOf(planStep('one', { decision: 'skip' }));
    engine.tell({ type: 'runs-changed' });
    await settled();
    await clock.advance(100);
    const { lensRun } = studio.tabs.active!;
    expect([lensRun?.run.phase, lensRun?.plan.runLabel, studio.history.runs?.length]).toEqual([
      { phase: 'ended', run: engine.runs.record.runId },
      'Run · skip 1',
      1,
    ]);
  });

  it('opens a new lens that it wrote, and answers why it could not write one', async () => {
    const { engine, studio } = await start();
    const failures = [await studio.createLens('new.lens', lens), await studio.createLens('a.lens', 'mine')];
    expect([failures.map((failure) => failure?.code), titles(studio), engine.files.get('a.lens')]).toEqual([
      [undefined, 'file.exists'],
      ['a.lens', 'new.lens'],
      lens,
    ]);
  });
});
