import { describe, expect, it } from 'vitest';
import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import { LanguageFiles } from './language-files.ts';

const entry = (file: string, revision: string, kind: 'lens' | 'library' = 'lens'): WorkspaceEntry =>
  ({ kind, file, revision, name: file, skillCount: 0 }) as WorkspaceEntry;

describe('LanguageFiles', () => {
  it('reads each revision of a file once, prefers what is typed and leaves out what cannot be read', async () => {
    let entries = [entry('a.lens', '1'), entry('b.skills.yaml', '1', 'library'), entry('gone.lens', '1')];
    const reads: string[] = [];
    const typed = { file: 'b.skills.yaml', phase: { phase: 'ready' }, text: 'typed' };
    const files = new LanguageFiles({
      entries: () => entries,
      document: (file) => (file === typed.file ? (typed as never) : undefined),
      read: (file) => {
        reads.push(file);
        if (file === 'gone.lens') return Promise.reject(new Error('gone'));
        return Promise.resolve({ file, text: `text ${reads.length}`, revision: '1' as never });
      },
      list: () => Promise.resolve([]),
    });
    const expected = [
      { file: 'a.lens', kind: 'lens', text: 'text 1' },
      { file: 'b.skills.yaml', kind: 'library', text: 'typed' },
    ];
    expect(await files.all()).toEqual(expected);
    entries = entries.slice(0, 2);
    expect(await files.all()).toEqual(expected);
    entries = [entry('a.lens', '2')];
    expect(await files.all()).toEqual([{ file: 'a.lens', kind: 'lens', text: 'text 3' }]);
    expect(reads).toEqual(['a.lens', 'gone.lens', 'a.lens']);
  });

  it('all() knows the text that is asked about also while its file is gone', async () => {
    const files = new LanguageFiles({
      entries: () => [],
      document: () => ({ kind: 'lens', phase: { phase: 'ready' }, text: 'kept' }) as never,
      read: () => Promise.reject(new Error('gone')),
      list: () => Promise.resolve([]),
    });
    expect(await files.all('a.lens' as never)).toEqual([{ file: 'a.lens', kind: 'lens', text: 'kept' }]);
  });

  it('withFixtures() adds the fixtures that can belong to a lens or library, as they are now, and all() those asked about', async () => {
    const listed = ['tests/fixtures.yaml', 'tests/other.fixtures.yaml', 'x/tests/b.fixtures.yaml', 'x/a.py'];
    let reads = 0;
    const files = new LanguageFiles({
      entries: () => [entry('a.lens', '1'), entry('x/b.skills.yaml', '1', 'library')],
      document: () => undefined,
      read: (file) => Promise.resolve({ file, text: `${file} ${++reads}`, revision: '1' as never }),
      list: () => Promise.resolve(listed as never),
    });
    const asked = async (file: string): Promise<string[]> =>
      (await files.all(file as never)).map(({ kind, file: known }) => `${kind} ${known}`);
    const entries = ['lens a.lens', 'library x/b.skills.yaml'];
    expect([
      await asked('a.lens'),
      await asked('tests/other.fixtures.yaml'),
      await asked('x/tests/b.fixtures.yaml'),
    ]).toEqual([entries, entries, [...entries, 'fixtures x/tests/b.fixtures.yaml']]);
    reads = 2;
    const texts = async (): Promise<string[]> =>
      (await files.withFixtures()).map(({ kind, text }) => `${kind} ${text}`);
    const known = ['lens a.lens 1', 'library x/b.skills.yaml 2'];
    expect(await texts()).toEqual([
      ...known,
      'fixtures tests/fixtures.yaml 3',
      'fixtures x/tests/b.fixtures.yaml 4',
    ]);
    expect(await texts()).toEqual([
      ...known,
      'fixtures tests/fixtures.yaml 5',
      'fixtures x/tests/b.fixtures.yaml 6',
    ]);
  });
});
