import { describe, expect, it } from 'vitest';
import { EditedText } from './edited-text.svelte.ts';
import type { TextChanged } from './edited-text.svelte.ts';
import { EditHistory, replacementsOf } from './edit-history.svelte.ts';
import type { FileId } from '#shared/model/workspace.ts';

class PlainText extends EditedText {
  constructor(text: string, file = 'a.lens') {
    super(file as FileId, () => undefined);
    this.begin(text);
  }

  disk(text: string): void {
    this.takeFromDisk(text);
  }
}

/** Types letter by letter, as a keyboard does. */
function type(document: EditedText, at: number, letters: string): void {
  [...letters].forEach((letter, index) => {
    document.type([{ start: at + index, end: at + index, text: letter }]);
  });
}

function undoAll(document: EditedText): string[] {
  const texts = [];
  for (; document.canUndo; texts.push(document.text)) document.undo();
  return texts;
}

describe('EditedText', () => {
  it('undoes typing word by word and redoes it', () => {
    const document = new PlainText('');
    type(document, 0, 'one two\n  three');
    expect(undoAll(document)).toEqual(['one two', 'one', '']);
    while (document.canRedo) document.redo();
    expect(document.text).toBe('one two\n  three');
  });

  it('joins deletions in either direction, and keeps them apart from typing and from other places', () => {
    const document = new PlainText('abcdefgh');
    for (const start of [3, 2, 1]) document.type([{ start, end: start + 1, text: '' }]);
    type(document, 1, 'xy');
    for (let i = 0; i < 2; i++) document.type([{ start: 4, end: 5, text: '' }]);
    expect([document.text, undoAll(document)]).toEqual(['axyeh', ['axyefgh', 'aefgh', 'abcdefgh']]);
  });

  it('makes edits with several places one step and names it', () => {
    const document = new PlainText('one two one');
    document.apply({
      label: 'Rename "one"',
      edits: [
        { start: 8, end: 11, text: 'three' },
        { start: 0, end: 3, text: 'three' },
      ],
    });
    expect([document.text, document.undoLabel]).toEqual(['three two three', 'Rename "one"']);
    expect(document.undo()).toEqual({ ok: true, label: 'Rename "one"', files: ['a.lens'], closed: [] });
    expect([document.text, document.canUndo, document.redoLabel]).toEqual([
      'one two one',
      false,
      'Rename "one"',
    ]);
  });

  it('remembers nothing where edits change nothing, and forgets what was undone at the next edit', () => {
    const document = new PlainText('abc');
    document.apply({ label: 'Nothing', edits: [{ start: 0, end: 1, text: 'a' }] });
    expect(document.canUndo).toBe(false);
    type(document, 3, 'd');
    document.undo();
    type(document, 0, 'z');
    expect([document.text, document.canRedo, document.redo()]).toEqual([
      'zabc',
      false,
      { ok: false, message: 'Nothing to redo in "a.lens"' },
    ]);
  });

  it('takes a change on disk as a step, so that what was typed can be had again', () => {
    const document = new PlainText('one');
    type(document, 3, '!');
    document.disk('theirs');
    expect([document.undoLabel, undoAll(document)]).toEqual(['Change on disk', ['one!', 'one']]);
  });

  it('refuses edits that overlap or lie outside, and changes nothing', () => {
    const document = new PlainText('abc');
    const overlapping = [
      { start: 0, end: 2, text: '' },
      { start: 1, end: 3, text: '' },
    ];
    expect(() => document.apply({ label: 'x', edits: overlapping })).toThrow('overlaps');
    expect(() => document.apply({ label: 'x', edits: [{ start: 2, end: 9, text: '' }] })).toThrow('outside');
    expect([document.text, document.canUndo]).toEqual(['abc', false]);
  });

  it('tells followers the replacements of every change, also of an undo', () => {
    const document = new PlainText('abc');
    const told: TextChanged[] = [];
    const stop = document.follow((change) => told.push(change));
    document.apply({ label: 'x', edits: [{ start: 1, end: 2, text: 'BB' }] });
    document.undo();
    stop();
    document.redo();
    expect(told).toEqual([
      { before: 'abc', rounds: [[{ start: 1, removed: 'b', inserted: 'BB' }]], by: 'edit' },
      { before: 'aBBc', rounds: [[{ start: 1, removed: 'BB', inserted: 'b' }]], by: 'undo' },
    ]);
  });
});

describe('EditedText.applyAll()', () => {
  function both(): { a: PlainText; b: PlainText } {
    const a = new PlainText('name: x', 'a.lens');
    const b = new PlainText('use: x', 'b.lens');
    EditedText.applyAll(
      'Rename "x"',
      new Map([
        [a, [{ start: 6, end: 7, text: 'y' }]],
        [b, [{ start: 5, end: 6, text: 'y' }]],
      ]),
    );
    return { a, b };
  }

  it('is one step over all files, undone and redone from any of them', () => {
    const { a, b } = both();
    expect([a.text, b.text]).toEqual(['name: y', 'use: y']);
    expect(b.undo()).toEqual({ ok: true, label: 'Rename "x"', files: ['a.lens', 'b.lens'], closed: [] });
    expect([a.text, b.text]).toEqual(['name: x', 'use: x']);
    a.redo();
    expect([a.text, b.text]).toEqual(['name: y', 'use: y']);
  });

  it('is not undone while one of the files has a later change', () => {
    const { a, b } = both();
    type(a, 7, '!');
    expect(b.undo()).toEqual({
      ok: false,
      message: 'Cannot undo Rename "x": "a.lens" was changed after it',
    });
    expect([a.text, b.text]).toEqual(['name: y!', 'use: y']);
    a.undo();
    b.undo();
    expect([a.text, b.text]).toEqual(['name: x', 'use: x']);
  });

  it('says which of its files are closed and undoes the others', () => {
    const { a, b } = both();
    b.close();
    expect([a.undo(), a.text]).toEqual([
      { ok: true, label: 'Rename "x"', files: ['a.lens'], closed: ['b.lens'] },
      'name: x',
    ]);
  });
});

describe('EditHistory', () => {
  it('forgets the oldest steps where it would grow beyond its limit', () => {
    const history = new EditHistory<never>(500);
    const gone = [1, 2, 3, 4].flatMap((n) =>
      history.push({
        label: `${n}`,
        rounds: [replacementsOf('', [{ start: 0, end: 0, text: 'x'.repeat(100) }])],
      }),
    );
    expect([gone.map(({ label }) => label), history.lastDone?.label]).toEqual([['1'], '4']);
  });
});
