import { expect, test } from 'vitest';
import type { FileId } from '#shared/model/workspace.ts';
import { OpenDocument } from './document.svelte.ts';
import { Drafts } from './drafts.ts';
import type { Failure } from './failure.ts';
import { FakeEngine, entryOf, revisionOf } from './testing/fake-engine.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';

const file = 'lenses/a.lens' as FileId;
const lens = 'skills:\n  - name: one\n';

async function window(engine = new FakeEngine({ [file]: lens })) {
  const clock = new ManualClock();
  const told: (Failure | readonly string[])[] = [];
  const source = () => ({ client: engine.client, workspace: engine.workspaceId });
  const document: OpenDocument = new OpenDocument({
    target: entryOf(file, lens),
    source,
    changed: () => drafts.changed(document),
  });
  const drafts: Drafts = new Drafts({
    source,
    clock,
    failed: (failure) => told.push(failure),
    restore: async (draft) => {
      await document.restore(draft);
      return document;
    },
    restored: (restored) => told.push(restored.map(({ text }) => text)),
  });
  drafts.follow(document);
  await document.load();
  return { engine, clock, told, document, drafts, type: (text: string) => document.edit(text) };
}

const draftOf = (text: string, base = lens) => ({
  ...{ file, text, base: revisionOf(base), keptAt: '2026-01-01T00:00:00.000Z' },
});

test('Drafts keeps typed text when the typing pauses', async () => {
  const { engine, clock, drafts, type } = await window();
  type('mine');
  await clock.advance(400);
  type('mine too');
  await clock.advance(400);
  expect([engine.drafts.size, drafts.areKept]).toEqual([0, false]);
  await clock.advance(100);
  expect([engine.drafts.get(file), drafts.areKept]).toEqual([draftOf('mine too'), true]);
});

test('Drafts keeps text every two seconds while the typing does not pause', async () => {
  const { engine, clock, type } = await window();
  for (let i = 0; i < 20; i++) {
    type(`mine ${i}`);
    await clock.advance(250);
  }
  expect(engine.drafts.get(file)?.text).toBe('mine 15');
  expect(engine.calls.filter((name) => name === 'drafts.keep')).toHaveLength(2);
});

test('Drafts drops a draft when its text is saved, typed back or given up', async () => {
  const { engine, clock, document, type } = await window();
  const kept: number[] = [];
  const count = async (): Promise<void> => {
    await clock.advance(500);
    kept.push(engine.drafts.size);
  };
  type('mine');
  await count();
  await document.save();
  await count();
  type('more');
  await count();
  type('mine');
  await count();
  type('once more');
  await count();
  document.close();
  await count();
  expect([kept, clock.delaysMs]).toEqual([[1, 0, 1, 0, 1, 0], []]);
});

test('bringBack() puts unsaved text back as one step that can be undone, and drops it when it is saved', async () => {
  const { engine, told, document, drafts } = await window();
  engine.drafts.set(file, draftOf('mine'));
  await drafts.bringBack();
  expect([document.text, document.isDirty, document.trouble, told, drafts.areKept]).toEqual([
    ...['mine', true, undefined],
    ...[[['mine']], true],
  ]);
  document.undo();
  expect([document.text, document.isDirty]).toEqual([lens, false]);
  document.redo();
  await document.save();
  await settled();
  expect([engine.files.get(file), engine.drafts.size]).toEqual(['mine', 0]);
});

test('bringBack() names the conflict when the file changed since, and saving does not write over it', async () => {
  const { engine, document, drafts } = await window();
  engine.drafts.set(file, draftOf('mine', 'what it was'));
  await drafts.bringBack();
  const disk = { file, text: lens, revision: revisionOf(lens) };
  const conflict = { kind: 'changed-on-disk', disk };
  expect([document.text, document.isDirty, document.trouble]).toEqual(['mine', true, conflict]);
  expect([await document.save(), document.trouble, engine.files.get(file)]).toEqual([false, conflict, lens]);
  expect([await document.overwrite(), engine.files.get(file)]).toEqual([true, 'mine']);
});

test('bringBack() shows the text of a file that is gone, and drops text that the disk has by now', async () => {
  const gone = await window(new FakeEngine());
  gone.engine.drafts.set(file, draftOf('mine'));
  await gone.drafts.bringBack();
  const { document } = gone;
  expect([document.phase, document.text, document.isDirty, document.trouble]).toEqual([
    ...[{ phase: 'ready' }, 'mine', true, { kind: 'deleted' }],
  ]);
  const saved = await window(new FakeEngine({ [file]: 'mine' }));
  saved.engine.drafts.set(file, draftOf('mine'));
  await saved.drafts.bringBack();
  expect([saved.document.isDirty, saved.told, saved.engine.drafts.size]).toEqual([false, [], 0]);
});

test('bringBack() after the engine was started anew keeps what is typed here, not what was kept before', async () => {
  const { engine, clock, document, drafts, type } = await window();
  type('mine');
  await clock.advance(500);
  engine.drafts.set(file, draftOf('older'));
  await drafts.bringBack();
  expect([document.text, engine.drafts.get(file)]).toEqual(['mine', draftOf('mine')]);
});

test('Drafts tells once that text cannot be kept, and keeps it when the disk has room again', async () => {
  const { engine, clock, told, drafts, type } = await window();
  engine.refusals.set('drafts.keep', 'draft.unwritable');
  for (const text of ['a', 'b']) {
    type(text);
    await clock.advance(500);
  }
  expect([told, drafts.areKept]).toMatchObject([[{ code: 'draft.unwritable' }], false]);
  engine.refusals.clear();
  await drafts.flush();
  expect(drafts.areKept).toBe(true);
});
