import { describe, expect, it } from 'vitest';
import { OpenDocument } from './document.svelte.ts';
import { Tab, Tabs } from './tabs.svelte.ts';
import { FakeEngine, entryOf } from './testing/fake-engine.ts';

async function open(...names: string[]) {
  const engine = new FakeEngine(Object.fromEntries(names.map((name) => [name, 'text'])));
  const tabs = new Tabs({
    openTab: (entry) => {
      const source = () => ({ client: engine.client, workspace: engine.workspaceId });
      return new Tab(new OpenDocument({ target: entry, source, changed: () => undefined }), undefined);
    },
  });
  const all = names.map((name) => tabs.open(entryOf(name, 'text')));
  await Promise.all(all.map(({ document }) => document.load()));
  return { engine, tabs, all };
}

const seen = (tabs: Tabs): unknown => [tabs.all.map(({ title }) => title), tabs.active?.title];

describe('Tabs', () => {
  it('open() brings an open file to the front instead of opening it twice', async () => {
    const { tabs } = await open('a.lens', 'b.lens');
    tabs.open(entryOf('a.lens', 'text'));
    expect(seen(tabs)).toEqual([['a.lens', 'b.lens'], 'a.lens']);
  });

  it('close() moves to the neighbour and ends the document', async () => {
    const { tabs, all } = await open('a.lens', 'b.lens', 'c.lens');
    tabs.activate(all[1]!);
    await tabs.close(all[1]!);
    expect([seen(tabs), all[1]!.document.closed.aborted]).toEqual([[['a.lens', 'c.lens'], 'c.lens'], true]);
    await tabs.close(all[2]!);
    expect(seen(tabs)).toEqual([['a.lens'], 'a.lens']);
  });

  it.each([
    { decision: 'cancel', isOpen: true, disk: 'text' },
    { decision: 'discard', isOpen: false, disk: 'text' },
    { decision: 'save', isOpen: false, disk: 'mine' },
  ] as const)('close() of unsaved text asks, and $decision is obeyed', async ({ decision, isOpen, disk }) => {
    const { engine, tabs, all } = await open('a.lens');
    all[0]!.document.edit('mine');
    const closing = tabs.close(all[0]!);
    tabs.closing?.decide(decision);
    await closing;
    expect([tabs.all.length === 1, engine.files.get('a.lens'), tabs.closing]).toEqual([
      isOpen,
      disk,
      undefined,
    ]);
  });

  it('close() asks about what a field of the form still holds', async () => {
    const { tabs, all } = await open('a.lens');
    const { document, form } = all[0]!;
    form.finishLater(() => Promise.resolve(document.edit('renamed')));
    const closing = tabs.close(all[0]!);
    await form.finish();
    await Promise.resolve();
    expect(tabs.closing?.unsaved).toEqual([all[0]]);
    tabs.closing?.decide('cancel');
    await closing;
    expect([tabs.all.length, document.text]).toEqual([1, 'renamed']);
  });

  it('close() stays open when saving fails', async () => {
    const { engine, tabs, all } = await open('a.lens');
    all[0]!.document.edit('mine');
    engine.refusals.set('lens.save', 'file.unwritable');
    const closing = tabs.close(all[0]!);
    tabs.closing?.decide('save');
    await closing;
    expect(seen(tabs)).toEqual([['a.lens'], 'a.lens']);
  });

  it('step() goes round in both directions', async () => {
    const { tabs } = await open('a.lens', 'b.lens', 'c.lens');
    tabs.step(1);
    expect(tabs.active?.title).toBe('a.lens');
    tabs.step(-1);
    expect(tabs.active?.title).toBe('c.lens');
  });

  it('names an Agent Skill by its folder and shows it as text only', async () => {
    const { all } = await open('.agents/skills/release/SKILL.md');
    all[0]!.show('graph');
    expect([all[0]!.title, all[0]!.view, all[0]!.hasGraph]).toEqual(['release', 'yaml', false]);
  });

  it('comparedWith ends with the conflict', async () => {
    const { engine, all } = await open('a.lens');
    const tab = all[0]!;
    tab.document.edit('mine');
    engine.files.set('a.lens', 'theirs');
    await tab.document.save();
    tab.compare();
    expect([tab.view, tab.comparedWith]).toEqual(['yaml', { text: 'theirs', title: 'On disk' }]);
    await tab.document.overwrite();
    expect(tab.comparedWith).toBeUndefined();
  });

  it('editorGone() leaves an editor that came meanwhile', async () => {
    const tab = (await open('a.lens')).all[0]!;
    const editor = () => ({ run: () => undefined, focus: () => undefined });
    const [first, second] = [editor(), editor()];
    tab.editorShown(first);
    tab.editorShown(second);
    tab.editorGone(first);
    expect(tab.editor).toBe(second);
    tab.editorGone(second);
    expect(tab.editor).toBeUndefined();
  });
});
