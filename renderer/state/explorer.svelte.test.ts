import { describe, expect, it } from 'vitest';
import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import { Explorer } from './explorer.svelte.ts';
import { entryOf } from './testing/fake-engine.ts';

const base = entryOf('lenses/writer.lens', '');
const lens = { ...entryOf('lenses/api.lens', ''), extends: './writer.lens' } as WorkspaceEntry;
const library = entryOf('skills/team.yaml', '');
const skill = entryOf('.agents/skills/notes/SKILL.md', '');

function explorer(now = () => 0): Explorer {
  return new Explorer({ entries: () => [skill, lens, base, library], used: () => [], now });
}
const titles = ({ rows }: Explorer): string[] => rows.map(({ level, title }) => `${level} ${title}`);
function walk(tree: Explorer, ...keys: string[]): string | undefined {
  for (const key of keys) tree.press(key);
  return tree.focused?.title;
}

describe('Explorer', () => {
  it('lists lenses, libraries and Agent Skills, with what a lens extends below it', () => {
    const tree = explorer();
    expect(titles(tree)).toEqual([
      '1 Lenses',
      '2 api',
      '3 extends writer',
      '2 writer',
      '1 Libraries',
      '2 team',
      '1 Agent Skills',
      '2 SKILL',
    ]);
    const row = tree.rows[2];
    expect(row?.kind === 'extends' && row.target).toBe(base);
  });

  it('finds an extended lens by name too, and says nothing of one that is not here', () => {
    const other = { ...lens, extends: 'writer' } as WorkspaceEntry;
    const lost = { ...lens, extends: 'sunwell/nowhere' } as WorkspaceEntry;
    const targetOf = (entry: WorkspaceEntry): unknown => {
      const row = new Explorer({ entries: () => [entry, base], used: () => [] }).rows[2];
      return row?.kind === 'extends' ? [row.title, row.target] : undefined;
    };
    expect([targetOf(other), targetOf(lost)]).toEqual([
      ['extends writer', base],
      ['extends sunwell/nowhere', undefined],
    ]);
  });

  it('follows a path with folders and odd letters', () => {
    const far = entryOf('base é/deep lens.lens', '');
    const entry = { ...lens, extends: '../base é/./deep lens.lens' } as WorkspaceEntry;
    const row = new Explorer({ entries: () => [entry, far], used: () => [] }).rows[2];
    expect(row?.kind === 'extends' && row.target).toBe(far);
  });

  it('says of an Agent Skill which lenses and libraries have it as their own', () => {
    const of = { ...library, localSkills: ['.agents/skills/notes'] } as WorkspaceEntry;
    const also = { ...lens, localSkills: ['.agents/skills/notes', 'elsewhere'] } as WorkspaceEntry;
    const tree = new Explorer({ entries: () => [skill, also, of], used: () => [] });
    expect(tree.rows.flatMap((row) => (row.kind === 'entry' ? [[row.title, row.importedInto]] : []))).toEqual(
      [
        ['api', []],
        ['team', []],
        ['SKILL', ['api', 'team']],
      ],
    );
  });

  it('filters by name and path', () => {
    const tree = explorer();
    tree.setFilter('TEAM');
    expect(titles(tree)).toEqual(['1 Libraries', '2 team']);
    tree.setFilter('.agents/');
    expect(titles(tree)).toEqual(['1 Agent Skills', '2 SKILL']);
  });

  it('moves with the arrows, Home and End', () => {
    const tree = explorer();
    expect(walk(tree, 'ArrowDown', 'ArrowRight')).toBe('extends writer');
    expect(walk(tree, 'ArrowLeft')).toBe('api');
    expect(walk(tree, 'ArrowLeft')).toBe('Lenses');
    expect(walk(tree, 'End')).toBe('SKILL');
    expect(walk(tree, 'Home', 'ArrowUp')).toBe('Lenses');
  });

  it('folds and unfolds a group with left and right', () => {
    const tree = explorer();
    walk(tree, 'ArrowLeft');
    expect(titles(tree)[1]).toBe('1 Libraries');
    walk(tree, 'ArrowRight');
    expect(titles(tree)[1]).toBe('2 api');
  });

  it('finds what is typed, and starts over after a pause', () => {
    let nowMs = 0;
    const tree = explorer(() => nowMs);
    expect(walk(tree, 't')).toBe('team');
    nowMs = 5_000;
    expect(walk(tree, 'l')).toBe('Lenses');
    expect(walk(tree, 'i')).toBe('Libraries');
    expect(tree.press('Escape')).toBe(false);
  });

  it('lists libraries from outside of the workspace after its own, and finds them too', () => {
    const common = {
      ...{ name: 'sunwell/common', badge: 'built in', skillCount: 2, untrustedCount: 0 },
      seenIn: { file: lens.file, skill: 'read' },
    };
    const tree = new Explorer({ entries: () => [library], used: () => [common] });
    const all = tree.rows.map(({ kind, title }) => [kind, title]);
    tree.setFilter('comm');
    expect([all, titles(tree)]).toEqual([
      [
        ['group', 'Libraries'],
        ['entry', 'team'],
        ['used', 'sunwell/common'],
      ],
      ['1 Libraries', '2 sunwell/common'],
    ]);
  });
});
