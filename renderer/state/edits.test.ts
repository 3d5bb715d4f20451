import { describe, expect, it } from 'vitest';
import type { Studio } from './studio.svelte.ts';
import { openLens } from './testing/open-lens.ts';

const lens = 'skills:\n  - name: one\n';
const rename = (file: string) => ({ file, start: 18, end: 21, text: 'two' });

const start = (): ReturnType<typeof openLens> => openLens({ 'a.lens': lens, 'b.lens': lens });

const texts = (studio: Studio): string[] => studio.tabs.all.map(({ document }) => document.text);
const messages = (studio: Studio): string[] => studio.notices.shown.map(({ message }) => message);

describe('Edits', () => {
  it('apply() edits several files as one step, opening those that are not open behind', async () => {
    const { studio } = await start();
    const edits = [rename('a.lens'), rename('b.lens')];
    expect(await studio.edits.apply({ label: 'Rename "one"', edits })).toBe(true);
    const changed = lens.replace('one', 'two');
    expect([texts(studio), studio.tabs.active?.title]).toEqual([[changed, changed], 'a.lens']);
    await studio.commands.run('edit.undo');
    expect([texts(studio), messages(studio)]).toEqual([[lens, lens], ['Undone in 2 files: Rename "one"']]);
    await studio.commands.run('edit.redo');
    expect(texts(studio)).toEqual([changed, changed]);
  });

  it('apply() edits open files before anybody else can', async () => {
    const { studio } = await start();
    void studio.edits.apply({ label: 'Rename "one"', edits: [rename('a.lens')] });
    expect(studio.tabs.active?.document.text).toBe(lens.replace('one', 'two'));
  });

  it('apply() touches nothing where a text is not the one the edits were made for', async () => {
    const { studio } = await start();
    studio.tabs.active?.document.edit('mine');
    const done = await studio.edits.apply({
      label: 'Rename "one"',
      edits: [rename('a.lens'), rename('b.lens')],
      texts: new Map([['a.lens', lens]]),
    });
    expect([done, texts(studio), messages(studio)]).toEqual([
      false,
      ['mine', lens],
      ['Cannot apply Rename "one": "a.lens" has changed meanwhile'],
    ]);
  });

  it('apply() refuses files that are not of the workspace', async () => {
    const { studio } = await start();
    const edits = [rename('a.lens'), rename('sunwell/common')];
    expect(await studio.edits.apply({ label: 'x', edits })).toBe(false);
    expect([texts(studio), messages(studio)]).toEqual([
      [lens],
      ['Cannot change "sunwell/common": it is not one of this workspace’s files'],
    ]);
  });

  it('undo() says why it cannot', async () => {
    const { studio } = await start();
    studio.edits.undo();
    expect(studio.notices.spoken).toBe('Nothing to undo');
    await studio.edits.apply({ label: 'Rename', edits: [rename('a.lens'), rename('b.lens')] });
    studio.tabs.find('b.lens')!.document.edit('other');
    studio.edits.undo();
    expect(messages(studio)).toEqual(['Cannot undo Rename: "b.lens" was changed after it']);
  });
});
