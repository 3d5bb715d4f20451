import { describe, expect, it } from 'vitest';
import { setField } from '#shared/lens/edit/field-edits.ts';
import { OpenDocument } from './document.svelte.ts';
import { FormState } from './form-state.svelte.ts';
import { placeProblems } from './form-problems.ts';
import { FakeEngine, entryOf } from './testing/fake-engine.ts';

const file = 'lenses/a.lens';
const lens = `metadata:
  name: Careful # shown
skills:
  - name: one
    description: First
  - name: two
`;

async function open(text = lens): Promise<{ document: OpenDocument; form: FormState }> {
  const engine = new FakeEngine({ [file]: text });
  const document = new OpenDocument({
    target: entryOf(file, text),
    changed: () => undefined,
    source: () => ({ client: engine.client, workspace: engine.workspaceId }),
  });
  await document.load();
  return { document, form: new FormState(document, undefined) };
}

const set =
  (item: (string | number)[], key: string, value: string | undefined) => (source: FormState['source']) =>
    setField(source, { item, key }, value);

describe('FormState', () => {
  it('edit() changes the text, keeps what is beside it, and is one step of the document’s history', async () => {
    const { document, form } = await open();
    expect(form.edit({ label: 'Change name', make: set(['metadata'], 'name', 'Bold') })).toBeUndefined();
    expect([document.text, document.undoLabel]).toEqual([lens.replace('Careful', 'Bold'), 'Change name']);
    document.undo();
    expect([document.text, form.source.text]).toEqual([lens, lens]);
  });

  it('writes what is typed as if typed at once: a space at the end for a moment leaves no quotes', async () => {
    const { document, form } = await open();
    for (const text of ['T', 'Two', 'Two ', 'Two w', 'Two words']) {
      form.edit({ label: 'Change name', typing: 'name', make: set(['metadata'], 'name', text) });
    }
    expect(document.text).toBe(lens.replace('Careful', 'Two words'));
    while (document.canUndo) document.undo();
    expect(document.text).toBe(lens);
  });

  it('finish() writes once what a field would write when left, and waits for what is being written', async () => {
    const { form } = await open();
    const written: string[] = [];
    let release!: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    expect(form.finish()).toBeUndefined();
    form.finishLater(() => void written.push('at once'));
    expect([form.finish(), form.finish(), written]).toEqual([undefined, undefined, ['at once']]);
    form.finishLater(() => gate.then(() => void written.push('renamed')));
    const first = form.finish();
    const second = form.finish();
    release();
    await second;
    expect([first === second, written, form.finish()]).toEqual([true, ['at once', 'renamed'], undefined]);
  });

  it('brings back a key in its place where its text was deleted and typed again', async () => {
    const { document, form } = await open();
    const type = (text: string | undefined) =>
      form.edit({ label: 'x', typing: 'd', make: set(['skills', 0], 'description', text) });
    type(undefined);
    expect(document.text).not.toContain('description');
    type('Again');
    expect(document.text).toBe(lens.replace('First', 'Again'));
  });

  it('goes on from the text as it is where somebody else has changed it meanwhile', async () => {
    const { document, form } = await open();
    const type = (text: string) =>
      form.edit({ label: 'x', typing: 'name', make: set(['metadata'], 'name', text) });
    type('A');
    document.apply({
      label: 'Graph',
      edits: [{ start: document.text.length, end: document.text.length, text: '# end\n' }],
    });
    type('AB');
    expect(document.text).toBe(`${lens.replace('Careful', 'AB')}# end\n`);
  });

  it('goes on around what cannot be read, and leaves that alone', async () => {
    const { document, form } = await open();
    expect(form.readable.unreadable).toEqual([]);
    document.edit(lens.replace('description: First', 'description: "First'));
    expect(form.readable.unreadable.map(({ at }) => at.line)).toEqual([5]);
    expect(form.edit({ label: 'x', make: set(['skills', 1], 'description', 'Second') })).toBeUndefined();
    expect(document.text).toBe(
      `${lens.replace('description: First', 'description: "First')}    description: Second\n`,
    );
    document.edit(document.text.replace('"First', 'First'));
    expect(form.readable.unreadable).toEqual([]);
  });

  it('says why an edit was not made, and changes nothing', async () => {
    const { document, form } = await open('a: &x {b: 1}\nc: *x\n');
    expect(form.edit({ label: 'x', make: set(['c'], 'b', 'y') })).toBe(
      'Cannot edit behind alias "*x": edit the anchored value',
    );
    expect([document.text, document.canUndo]).toEqual(['a: &x {b: 1}\nc: *x\n', false]);
  });

  it('remembers which item of which section is in view', async () => {
    const { form } = await open();
    form.show('skills', 1);
    form.show('personas');
    expect([form.section, form.itemOf('skills'), form.itemOf('personas')]).toEqual(['personas', 1, 0]);
  });
});

describe('placeProblems()', () => {
  it('finds the entry of each problem by its place', async () => {
    const { form } = await open();
    const diagnostic = (line: number, column: number, of = file) => ({
      ...{ code: 'x', severity: 'error' as const, message: `${line}` },
      location: { file: of, line, column, endLine: line, endColumn: column },
    });
    const placed = placeProblems(form.source, [
      diagnostic(2, 3),
      diagnostic(5, 20),
      diagnostic(6, 11),
      diagnostic(1, 1, 'other.lens'),
    ]);
    expect(placed.map(({ path }) => path)).toEqual([
      ['metadata', 'name'],
      ['skills', 0, 'description'],
      ['skills', 1, 'name'],
    ]);
  });
});
