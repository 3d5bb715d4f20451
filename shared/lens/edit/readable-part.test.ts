import { describe, expect, it } from 'vitest';
import { readablePart } from './readable-part.ts';
import { setValue } from './set.ts';
import { applyEdits } from './text-lines.ts';

const whole = `# A lens
metadata:
  name: Careful
  version: 1.0.0
skills:
  - name: one
    description: First
    instructions: |
      Do it.
  - name: two
    description: "Second"
  - name: three
    description: Third
personas:
  - name: "Reader"
`;

function read(text: string, lastWhole?: string): unknown {
  const { source, unreadable } = readablePart(text, 'a.lens', lastWhole);
  return {
    isBroken: source.isBroken,
    value: source.plain(source.root),
    lines: unreadable.map(({ at, end }) => [at.line, text.slice(0, end).split('\n').length - 1]),
  };
}

const readWhole = read(whole) as { value: { skills: { name: string; description?: string }[] } };
const without = (index: number, key?: string): unknown => ({
  ...readWhole.value,
  skills: readWhole.value.skills.flatMap((skill, i) => {
    if (i !== index) return [skill];
    const { description, ...rest } = skill;
    void description;
    return key === undefined ? [] : [rest];
  }),
});

describe('readablePart()', () => {
  it('hides a quote together with the one below that an editor closed it with', () => {
    const typed = 'title: "unclosed\n"\n';
    const broken = whole.replace('skills:', `${typed}skills:`);
    expect(read(broken, whole)).toEqual({ isBroken: false, value: readWhole.value, lines: [[5, 6]] });
  });

  it('hides nothing of a whole text', () => {
    expect(read(whole)).toMatchObject({ isBroken: false, lines: [] });
  });

  it('hides only the entry that cannot be read', () => {
    const text = whole.replace('description: First', 'description: [First');
    expect(read(text, whole)).toEqual({ isBroken: false, value: without(0, 'description'), lines: [[7, 7]] });
  });

  it('finds an open quote by what was changed, though it is noticed far below', () => {
    const text = whole.replace('description: First', 'description: "First');
    expect(read(text, whole)).toEqual({ isBroken: false, value: without(0, 'description'), lines: [[7, 7]] });
  });

  it('hides a list item with all its lines, so that none of them goes to the item before', () => {
    const text = whole.replace('- name: two', '- name: {two');
    expect(read(text, whole)).toEqual({ isBroken: false, value: without(1), lines: [[10, 11]] });
  });

  it('hides two parts where two are broken', () => {
    const text = whole.replace('name: Careful', 'name: {Careful').replace('Third', '[Third');
    const { value, lines } = read(text) as { value: { metadata: unknown }; lines: unknown[] };
    expect([value.metadata, lines.length]).toEqual([{ version: '1.0.0' }, 2]);
  });

  it('reads a text with a byte order mark whose first line is the broken one', () => {
    expect(read('\uFEFF  a: [1\nb: 2\n')).toMatchObject({ isBroken: false, value: { b: 2 } });
  });

  it('gives places by which the text itself can be edited, around what is hidden', () => {
    const text = whole.replace('description: First', 'description: "First');
    const { source } = readablePart(text, 'a.lens', whole);
    const edit = setValue(source, ['skills', 2, 'description'], 'Last');
    expect(edit.ok && applyEdits(text, edit.edits)).toBe(text.replace('Third', 'Last'));
  });

  it('says that nothing can be read where no part helps, and is broken then', () => {
    const broken = Array.from({ length: 8 }, (_, i) => `k${i}: {x\n`).join('');
    const { source, unreadable } = readablePart(broken, 'a.lens');
    expect([source.isBroken, unreadable.length]).toEqual([true, 1]);
  });
});
