import { describe, expect, it } from 'vitest';
import type { FileId } from '#shared/model/workspace.ts';
import { Palette } from './palette.svelte.ts';
import type { PaletteItem } from './palette.svelte.ts';
import { entryOf } from './testing/fake-engine.ts';

function rig(recent: readonly string[] = [], more: { lens: string; skill: string }[] = []) {
  const chosen: PaletteItem[] = [];
  const palette = new Palette({
    entries: () => [
      entryOf('lenses/api-docs.lens', ''),
      entryOf('lenses/code-review.lens', ''),
      ...more.map(({ lens }) => entryOf(`lenses/${lens}.lens`, '')),
    ],
    skills: () => [
      { file: 'lenses/api-docs.lens' as FileId, name: 'extract-api' },
      ...more.map(({ skill: name }) => ({ file: 'a.lens' as FileId, name })),
    ],
    commands: () => ({ enabled: () => ['file.save', 'view.theme-dark'], title: (id) => `Do ${id}` }),
    files: () => ['lenses/api-docs.lens', 'scripts/extract.py'] as FileId[],
    recent: () => recent,
    opened: () => undefined,
    choose: (item) => chosen.push(item),
  });
  const found = (query: string): string[] => {
    palette.search(query);
    return palette.items.map(({ id }) => id);
  };
  return { palette, chosen, found };
}

describe('Palette', () => {
  it('offers files and skills first, and commands once something is typed', () => {
    const { palette, found } = rig();
    palette.open('everything');
    expect(found('')).toEqual([
      'entry:lenses/api-docs.lens',
      'entry:lenses/code-review.lens',
      'skill:lenses/api-docs.lens:extract-api',
    ]);
    expect(found('save')).toEqual(['command:file.save']);
  });

  it('puts a match in the name before one in the path', () => {
    const { palette, found } = rig();
    palette.open('everything');
    expect(found('api')).toEqual(['entry:lenses/api-docs.lens', 'skill:lenses/api-docs.lens:extract-api']);
    expect(found('crv')).toEqual(['entry:lenses/code-review.lens']);
    expect(found('zzz')).toEqual([]);
  });

  it('lists first the kind that has the best match, and lenses first among equals', () => {
    const { palette, found } = rig(
      ['entry:lenses/unicode-of-its-y.lens'],
      [
        { lens: 'unicode-of-its-y', skill: 'noisy' },
        { lens: 'harbor', skill: 'harbor' },
      ],
    );
    palette.open('everything');
    expect([found('noisy'), found('harbor')]).toEqual([
      ['skill:a.lens:noisy', 'entry:lenses/unicode-of-its-y.lens'],
      ['entry:lenses/harbor.lens', 'skill:a.lens:harbor'],
    ]);
  });

  it('finds every other file once something is typed, each file once', () => {
    const { palette, found } = rig();
    palette.open('everything');
    expect(found('extract')).toEqual(['skill:lenses/api-docs.lens:extract-api', 'file:scripts/extract.py']);
    expect(found('api-docs.lens')).toEqual([
      'entry:lenses/api-docs.lens',
      'skill:lenses/api-docs.lens:extract-api',
    ]);
  });

  it('puts first what was used last, whatever it is, and prefers it among equal matches', () => {
    const { palette, found } = rig(['command:view.theme-dark', 'file:scripts/extract.py', 'file:gone.py']);
    palette.open('everything');
    expect(found('')).toEqual([
      'command:view.theme-dark',
      'file:scripts/extract.py',
      'entry:lenses/api-docs.lens',
      'entry:lenses/code-review.lens',
      'skill:lenses/api-docs.lens:extract-api',
    ]);
    expect(palette.items.filter(({ isRecent }) => isRecent)).toHaveLength(2);
    palette.open('commands');
    expect(found('do')).toEqual(['command:view.theme-dark', 'command:file.save']);
  });

  it('lists every command in its own mode', () => {
    const { palette, found } = rig();
    palette.open('commands');
    expect(found('')).toEqual(['command:file.save', 'command:view.theme-dark']);
  });

  it('steps round and chooses what is selected', () => {
    const { palette, chosen } = rig();
    palette.open('commands');
    palette.step(-1);
    palette.choose();
    expect([chosen.map(({ id }) => id), palette.mode]).toEqual([['command:view.theme-dark'], undefined]);
  });

  it('selects the best match again when the query changes', () => {
    const { palette } = rig();
    palette.open('everything');
    palette.step(2);
    palette.search('code');
    expect(palette.selected?.id).toBe('entry:lenses/code-review.lens');
  });
});
