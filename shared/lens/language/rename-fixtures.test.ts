import { describe, expect, it } from 'vitest';
import { applyEdits } from '../edit/text-lines.ts';
import { completionsAt } from './completions.ts';
import type { LanguageFile } from './file-facts.ts';
import { definitionAt, referencesAt } from './navigation.ts';
import { renameAt, renameSkill } from './rename.ts';

const skill = (name: string): string => `  - {name: ${name}, description: d, instructions: i}\n`;
const lens = (file: string, text: string): LanguageFile => ({ file, kind: 'lens', text });
const library = (file: string, text: string): LanguageFile => ({ file, kind: 'library', text });
const fixtures = (file: string, ...skills: string[]): LanguageFile => ({
  file,
  kind: 'fixtures',
  text: skills.map((name, i) => `- name: f${i} # try ${name}\n  skill: ${name}\n`).join(''),
});

/** The skills that fixtures name after a rename, by file, with what the user is told. */
function renamed(
  files: readonly LanguageFile[],
  { file, name, newName = 'new' }: { file: string; name: string; newName?: string },
): unknown {
  const result = renameSkill({ file, name }, { files, newName });
  if (!result.ok) return result.message;
  const tests = files.filter(({ kind }) => kind === 'fixtures');
  const named = tests.map((one): [string, string[]] => {
    const own = result.edits.filter((edit) => edit.file === one.file);
    const lines = applyEdits(one.text, own).split('\n');
    return [one.file, lines.flatMap((line) => (line.startsWith('  skill: ') ? [line.slice(9)] : []))];
  });
  return { named: Object.fromEntries(named), notes: result.notes };
}

describe('renameSkill() and fixtures', () => {
  it('changes the name in the fixtures of the lens and keeps comments and quotes', () => {
    const own: LanguageFile = {
      file: 'x/tests/a.fixtures.yaml',
      kind: 'fixtures',
      text: `# all of them\nfixtures:\n  - {skill: 'one', name: one}   # one\n  - name: b\n    skill: "one" # quoted\n`,
    };
    const result = renameSkill(
      { file: 'x/a.lens', name: 'one' },
      { files: [lens('x/a.lens', `skills:\n${skill('one')}`), own], newName: 'first' },
    );
    const edits = result.ok ? result.edits.filter(({ file }) => file === own.file) : [];
    expect(applyEdits(own.text, edits)).toBe(
      `# all of them\nfixtures:\n  - {skill: 'first', name: one}   # one\n  - name: b\n    skill: "first" # quoted\n`,
    );
  });

  it('leaves the fixtures of another lens alone that has a skill of the same name', () => {
    const files = [
      lens('a.lens', `skills:\n${skill('one')}`),
      lens('b.lens', `skills:\n${skill('one')}`),
      fixtures('tests/a.fixtures.yaml', 'one'),
      fixtures('tests/fixtures.yaml', 'one'),
    ];
    expect(renamed(files, { file: 'a.lens', name: 'one' })).toEqual({
      named: { 'tests/a.fixtures.yaml': ['new'], 'tests/fixtures.yaml': ['one'] },
      notes: [],
    });
  });

  it('reaches fixtures of every lens that inherits, includes, searches or refers to the skill', () => {
    const files = [
      library('libs/l.skills.yaml', `skills:\n${skill('one')}`),
      lens('base.lens', `metadata: {name: Base}\nskills:\n  - include: libs/l.skills.yaml\n`),
      lens('child.lens', `extends: Base\nskills:\n${skill('two')}`),
      lens('s/search.lens', `skill_sources: [../libs]\nskills:\n  - {name: z, depends_on: [one]}\n`),
      lens('r/refer.lens', `skills:\n  - {name: z, depends_on: ["../libs/l.skills.yaml:one"]}\n`),
      fixtures('tests/fixtures.yaml', 'one', 'two'),
      fixtures('s/tests/fixtures.yaml', 'one', 'z'),
      fixtures('r/tests/refer.fixtures.yaml', 'libs/l.skills.yaml:one', 'one'),
    ];
    expect(renamed(files, { file: 'libs/l.skills.yaml', name: 'one' })).toEqual({
      named: {
        'tests/fixtures.yaml': ['new', 'two'],
        's/tests/fixtures.yaml': ['new', 'z'],
        'r/tests/refer.fixtures.yaml': ['libs/l.skills.yaml:new', 'new'],
      },
      notes: [],
    });
  });

  it('tells of fixtures that two lenses share, where it cannot suit both', () => {
    const files = [
      lens('a.lens', `skills:\n${skill('one')}`),
      lens('b.lens', `skills:\n${skill('one')}`),
      lens('c.lens', `skills:\n${skill('one')}`),
      fixtures('tests/fixtures.yaml', 'one', 'one'),
    ];
    expect(renamed(files, { file: 'a.lens', name: 'one' })).toEqual({
      named: { 'tests/fixtures.yaml': ['one', 'one'] },
      notes: ['Fixtures in "tests/fixtures.yaml" that say "one" no longer mean the same: look at them'],
    });
  });

  it('tells of fixtures that would mean another skill by the new name', () => {
    const files = [
      library('l.skills.yaml', `skills:\n${skill('one')}`),
      lens('x/a.lens', `skills:\n  - {name: new, depends_on: ["../l.skills.yaml:one"]}\n`),
      fixtures('x/tests/fixtures.yaml', 'one'),
    ];
    expect(renamed(files, { file: 'l.skills.yaml', name: 'one' })).toEqual({
      named: { 'x/tests/fixtures.yaml': ['new'] },
      notes: ['Fixtures in "x/tests/fixtures.yaml" that say "new" no longer mean the same: look at them'],
    });
  });

  it('refuses while fixtures that say the name have syntax errors, but only for a skill', () => {
    const own = lens('a.lens', `skills:\n  - {name: one, produces: [one]}\n`);
    const broken: LanguageFile = { file: 'tests/fixtures.yaml', kind: 'fixtures', text: '- skill: [one\n' };
    const files = [own, broken];
    expect(renamed(files, { file: 'a.lens', name: 'one' })).toBe(
      'Cannot rename "one": "tests/fixtures.yaml" has syntax errors, correct them first',
    );
    const offset = own.text.lastIndexOf('one') + 1;
    expect(renameAt({ file: 'a.lens', offset }, { files, newName: 'key' })).toMatchObject({ ok: true });
  });
});

describe('renameAt() from fixtures', () => {
  const tests = fixtures('tests/fixtures.yaml', 'two', 'one');
  const at = { file: tests.file, offset: tests.text.lastIndexOf('one') + 1 };

  it('renames the skill that they mean, in its lens and in all fixtures', () => {
    const files = [lens('a.lens', `skills:\n${skill('one')}${skill('two')}`), tests];
    const result = renameAt(at, { files, newName: 'first' });
    const texts = files.map(({ file, text }) => {
      return applyEdits(text, result.ok ? result.edits.filter((edit) => edit.file === file) : []);
    });
    expect(texts).toEqual([
      files[0]!.text.replace('one', 'first'),
      tests.text.replace('skill: one', 'skill: first'),
    ]);
  });

  it('refuses where they mean another skill in each lens, and where nothing defines it', () => {
    const several = [lens('a.lens', `skills:\n${skill('one')}`), lens('b.lens', `skills:\n${skill('one')}`)];
    expect([
      renameAt(at, { files: [...several, tests], newName: 'first' }),
      renameAt(at, { files: [lens('a.lens', `skills:\n${skill('two')}`), tests], newName: 'first' }),
    ]).toEqual([
      {
        ok: false,
        message:
          'Cannot rename "one": several lenses with these fixtures have a skill of this name, rename it in one of them',
      },
      { ok: false, message: 'Cannot rename "one": no lens or library of this workspace defines it' },
    ]);
  });
});

describe('definitionAt()', () => {
  it('leads from fixtures to the skill, to each where they mean several', () => {
    const tests = fixtures('tests/fixtures.yaml', 'one');
    const places = (...lenses: LanguageFile[]): string[] => {
      const found = definitionAt(tests, tests.text.lastIndexOf('one') + 1, { files: [...lenses, tests] });
      return found.map(({ file, line }) => `${file}:${line}`);
    };
    const [a, b] = [lens('a.lens', `skills:\n${skill('one')}`), lens('b.lens', `skills:\n${skill('one')}`)];
    expect([places(a), places(a, b)]).toEqual([['a.lens:2'], ['a.lens:2', 'b.lens:2']]);
  });
});

describe('completionsAt()', () => {
  it('offers in fixtures the skills of the lens that they test, and of no other', () => {
    const tests: LanguageFile = {
      file: 'tests/a.fixtures.yaml',
      kind: 'fixtures',
      text: '- name: f\n  skill: ',
    };
    const files = [
      lens('a.lens', `extends: ./base.lens\nskills:\n${skill('one')}`),
      lens('base.lens', `skills:\n${skill('two')}`),
      lens('b.lens', `skills:\n${skill('three')}`),
      tests,
    ];
    const found = completionsAt(tests, tests.text.length, { files });
    expect(found?.items.map(({ label }) => label)).toEqual(['one', 'two']);
  });
});

describe('referencesAt()', () => {
  it('lists fixtures that name the skill', () => {
    const own = lens('a.lens', `skills:\n${skill('one')}`);
    const files = [own, fixtures('tests/fixtures.yaml', 'two', 'one')];
    const found = referencesAt(own, own.text.indexOf('one') + 1, { files });
    expect(found.map(({ file, line }) => `${file}:${line}`)).toEqual(['a.lens:2', 'tests/fixtures.yaml:4']);
  });
});
