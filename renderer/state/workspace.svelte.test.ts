import { describe, expect, it } from 'vitest';
import { WorkspaceView } from './workspace.svelte.ts';
import { FakeEngine, entryOf } from './testing/fake-engine.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';
import type { FileId, WorkspaceId } from '#shared/model/workspace.ts';

async function open(files: Record<string, string>, runsChanged = () => undefined as void) {
  const engine = new FakeEngine(files);
  const heard: string[] = [];
  const clock = new ManualClock();
  const workspace = new WorkspaceView({
    engine,
    clock,
    entryChanged: ({ file }) => heard.push(`changed ${file}`),
    filesChanged: (files) => heard.push(...files.map((file) => `other ${file}`)),
    entryRemoved: (file) => heard.push(`removed ${file}`),
    runsChanged: () => void runsChanged(),
    unfollowed: ({ code }) => heard.push(`unfollowed ${code}`),
  });
  const failure = await workspace.open({ from: 'start' });
  await settled();
  return { engine, clock, workspace, heard, failure };
}

const files = (workspace: WorkspaceView): string[] => workspace.entries.map(({ file }) => file);

describe('WorkspaceView', () => {
  it('follows new, changed and removed files in the order of their names', async () => {
    const { engine, workspace, heard } = await open({ 'b.lens': '1' });
    engine.write('c.lens', '1');
    engine.write('a.lens', '1');
    engine.write('b.lens', '2');
    engine.remove('c.lens');
    await settled();
    expect(workspace.entries).toEqual([entryOf('a.lens', '1'), entryOf('b.lens', '2')]);
    expect(heard).toEqual(['changed c.lens', 'changed a.lens', 'changed b.lens', 'removed c.lens']);
  });

  it('ignores an event that its snapshot already holds', async () => {
    const { workspace, heard } = await open({ 'a.lens': '1' });
    expect(workspace.apply({ seq: 0, type: 'entry-removed', file: 'a.lens' as FileId })).toBe(true);
    expect([files(workspace), heard]).toEqual([['a.lens'], []]);
  });

  it('takes a new snapshot when told to, or when an event is missing', async () => {
    const { engine, workspace, heard } = await open({ 'a.lens': '1', 'b.lens': '1' });
    engine.files.delete('b.lens');
    engine.files.set('a.lens', '2');
    engine.tell({ type: 'snapshot-needed' });
    await settled();
    expect([files(workspace), heard]).toEqual([['a.lens'], ['changed a.lens', 'removed b.lens']]);
    engine.seq += 1;
    engine.files.delete('a.lens');
    engine.write('d.lens', '1');
    await settled();
    expect(files(workspace)).toEqual(['d.lens']);
  });

  it('tells that runs changed: with an event, and after a gap in which nobody told', async () => {
    let times = 0;
    const { engine, workspace, heard } = await open({ 'a.lens': '1' }, () => void times++);
    const opened = times;
    engine.tell({ type: 'runs-changed' });
    await settled();
    const told = times;
    engine.tell({ type: 'snapshot-needed' });
    await settled();
    expect([opened, told, times, workspace.snapshot?.seq, heard]).toEqual([1, 2, 3, 2, ['changed a.lens']]);
  });

  it('says that the folder is gone or not watched', async () => {
    const { engine, workspace } = await open({});
    engine.tell({ type: 'watch-lost', reason: 'Too many files' });
    engine.tell({ type: 'workspace-lost', reason: 'The folder was deleted' });
    await settled();
    expect([workspace.snapshot?.notWatching, workspace.lost]).toEqual([
      'Too many files',
      'The folder was deleted',
    ]);
  });

  it('opens a folder that is gone again as soon as it is back', async () => {
    const { engine, clock, workspace, heard } = await open({ 'a.lens': '1' });
    engine.tell({ type: 'workspace-lost', reason: 'The folder was deleted' });
    engine.refusals.set('workspace.open', 'workspace.not-found');
    await settled();
    await clock.advance(2_000);
    expect([workspace.lost, clock.delaysMs.length]).toEqual(['The folder was deleted', 1]);
    engine.refusals.clear();
    engine.files.set('b.lens', '1');
    await clock.advance(2_000);
    expect([workspace.lost, files(workspace), clock.delaysMs]).toEqual([undefined, ['a.lens', 'b.lens'], []]);
    expect(heard).toContain('changed b.lens');
  });

  it('open() keeps the old workspace when the new one is refused', async () => {
    const { engine, workspace } = await open({ 'a.lens': '1' });
    engine.refusals.set('workspace.open', 'workspace.not-found');
    const failure = await workspace.open({ from: 'folder', folder: '/nowhere' });
    expect([failure?.code, files(workspace), workspace.isOpening]).toEqual([
      'workspace.not-found',
      ['a.lens'],
      false,
    ]);
  });

  it('resume() opens the same folder again in an engine that was started anew', async () => {
    const { engine, workspace } = await open({ 'a.lens': '1' });
    engine.refusals.set('workspace.snapshot', 'workspace.not-open');
    engine.workspaceId = 'w2' as WorkspaceId;
    expect(await workspace.resume()).toBeUndefined();
    expect([engine.opened.at(-1), workspace.snapshot?.workspace]).toEqual([
      { from: 'folder', folder: '/harbor' },
      'w2',
    ]);
  });

  it('choose() changes nothing when the user changes their mind', async () => {
    const { workspace } = await open({ 'a.lens': '1' });
    const before = workspace.snapshot;
    expect([await workspace.choose(), workspace.snapshot === before]).toEqual([undefined, true]);
  });
});
