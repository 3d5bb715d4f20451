import { describe, expect, it } from 'vitest';
import { drawSkills } from './skill-drawing.ts';

const skill = (name: string, ...dependsOn: string[]) => ({ name, description: undefined, dependsOn });

describe('drawSkills()', () => {
  it('puts each skill into its wave with its neighbours', () => {
    const drawing = drawSkills([skill('b', 'a', 'nowhere'), skill('a'), skill('c', 'a')]);
    expect(drawing.waves).toEqual([
      { title: 'Wave 1', count: 1 },
      { title: 'Wave 2', count: 2 },
    ]);
    expect(drawing.byId.get('b')).toMatchObject({ column: 1, dependsOn: ['a'], missing: ['nowhere'] });
    expect(drawing.byId.get('a')).toMatchObject({ column: 0, row: 0.5, neededBy: ['b', 'c'] });
  });

  it('draws skills of a cycle in a column of their own', () => {
    const { waves, skills } = drawSkills([skill('a', 'b'), skill('b', 'a'), skill('c')]);
    expect([waves.map(({ title }) => title), skills.map(({ column }) => column)]).toEqual([
      ['Wave 1', 'In a cycle'],
      [1, 1, 0],
    ]);
  });

  it('draws both of two skills with one name', () => {
    const { skills } = drawSkills([skill('a'), skill('a'), skill('b', 'a')]);
    expect(skills.map(({ id, neededBy }) => [id, neededBy])).toEqual([
      ['a', ['b']],
      ['a (2)', []],
      ['b', []],
    ]);
  });

  it('draws nothing of nothing', () => {
    expect(drawSkills([])).toMatchObject({ skills: [], waves: [], rowCount: 0 });
  });
});
