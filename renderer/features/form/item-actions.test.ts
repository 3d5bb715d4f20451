import { describe, expect, it } from 'vitest';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import { openLens } from '#renderer/state/testing/open-lens.ts';
import { addNew, duplicate, move, overrideHere, readInherited, remove } from './item-actions.ts';
import type { ItemsInView } from './item-actions.ts';
import { ownItems } from './items.ts';
import { renameHere, renameItem } from './rename.ts';
import { lensSections } from './sections.ts';

const lens = `metadata: {name: A, version: 1.0.0}
skills:
  # the first
  - name: one
    description: First # of two
  - name: two
    depends_on: [one]
inputs:
  text: {type: text}
`;
const base = 'personas:\n  - name: "Reader" # reads\n    goals: [learn]\n';

const open = (text = lens, others: Record<string, string> = {}): ReturnType<typeof openLens> =>
  openLens({ 'a.lens': text, 'b.lens': base, ...others });

function view({ form }: Tab, id: string): ItemsInView {
  const { content } = lensSections.find((section) => section.id === id)!;
  if (content.kind !== 'items') throw new Error(`"${id}" has no items`);
  return { form, section: id, content, own: ownItems(form.source, form.root, content) };
}

describe('the actions on items', () => {
  it('addNew() adds an item with a free name and shows it, in a list, a map or a section that is not there', async () => {
    const { tab } = await open();
    expect([addNew(view(tab, 'skills')), addNew(view(tab, 'inputs')), addNew(view(tab, 'personas'))]).toEqual(
      [undefined, undefined, undefined],
    );
    expect(tab.form.itemOf('skills')).toBe(2);
    expect(tab.document.text).toContain('  - name: new-skill\n');
    expect(tab.document.text).toContain('  new-input:\n    description: What it is for\n');
    expect(tab.document.text).toContain('personas:\n  - name: new-persona\n');
    addNew(view(tab, 'skills'));
    expect(view(tab, 'skills').own.map(({ name }) => name)).toEqual([
      'one',
      'two',
      'new-skill',
      'new-skill-2',
    ]);
  });

  it('move() trades places, goes with the item, and stops at the ends', async () => {
    const { tab } = await open();
    move(view(tab, 'skills'), 0, -1);
    expect(tab.document.text).toBe(lens);
    move(view(tab, 'skills'), 0, 1);
    expect([view(tab, 'skills').own.map(({ name }) => name), tab.form.itemOf('skills')]).toEqual([
      ['two', 'one'],
      1,
    ]);
    expect(tab.document.text).toContain('# the first');
    tab.document.undo();
    expect(tab.document.text).toBe(lens);
  });

  it('duplicate() copies below, and remove() takes the list with its last item', async () => {
    const { tab } = await open();
    duplicate(view(tab, 'inputs'), 0);
    expect(view(tab, 'inputs').own.map(({ name }) => name)).toEqual(['text', 'text-copy']);
    remove(view(tab, 'inputs'), 1);
    remove(view(tab, 'inputs'), 0);
    expect(tab.document.text).not.toContain('inputs');
    duplicate(view(tab, 'skills'), 0);
    expect(tab.document.text).toContain('  - name: one-copy\n    description: First # of two\n');
  });

  it('overrideHere() writes an inherited item into this lens, as one that is meant to replace it', async () => {
    const { studio, tab } = await open();
    const origin = { file: 'b.lens', line: 2, column: 5, endLine: 3, endColumn: 19 };
    const read = await readInherited(studio, { name: 'Reader', origin });
    expect(read).toEqual({
      yaml: 'name: "Reader" # reads\ngoals: [learn]',
      value: { name: 'Reader', goals: ['learn'] },
    });
    if (!('value' in read)) return;
    expect(overrideHere(view(tab, 'personas'), 'Reader', read.value)).toBeUndefined();
    expect(tab.document.text).toContain(
      'personas:\n  - name: Reader\n    goals:\n      - learn\n    override: true\n',
    );
  });

  it('readInherited() says why it cannot read it', async () => {
    const { studio } = await open();
    const origin = { file: 'gone.lens', line: 1, column: 1, endLine: 1, endColumn: 2 };
    expect(await readInherited(studio, { name: 'x', origin })).toHaveProperty('failure');
  });
});

describe('renaming', () => {
  it('renameItem() changes every mention as one step', async () => {
    const { studio, tab } = await open();
    const [item] = view(tab, 'skills').own;
    expect(await renameItem(studio, tab, { item: item!, newName: 'first' })).toBeUndefined();
    expect(tab.document.text).toBe(lens.replace('name: one', 'name: first').replace('[one]', '[first]'));
    tab.document.undo();
    expect(tab.document.text).toBe(lens);
  });

  it('renameItem() changes the fixtures of the lens with it', async () => {
    const file = 'tests/a.fixtures.yaml';
    const fixtures = 'fixtures:\n  # of one\n  - {name: f, skill: one}\n';
    const { studio, tab } = await open(lens, { [file]: fixtures });
    const [item] = view(tab, 'skills').own;
    expect(await renameItem(studio, tab, { item: item!, newName: 'first' })).toBeUndefined();
    expect(studio.tabs.find(file)?.document.text).toBe(fixtures.replace('skill: one', 'skill: first'));
    expect(studio.notices.spoken).toBe('Rename one to first in 2 files');
    studio.edits.undo();
    expect([tab.document.text, studio.tabs.find(file)?.document.text]).toEqual([lens, fixtures]);
  });

  it('renameItem() says why a name is not possible', async () => {
    const { studio, tab } = await open();
    const [item] = view(tab, 'skills').own;
    expect(await renameItem(studio, tab, { item: item!, newName: 'two' })).toMatch(/^Cannot rename "one"/);
    expect(tab.document.text).toBe(lens);
  });

  it('renameHere() renames a key', async () => {
    const { tab } = await open();
    expect(renameHere(tab, view(tab, 'inputs').own[0]!, 'body')).toBeUndefined();
    expect(tab.document.text).toContain('  body: {type: text}');
  });
});
