import { expect, it } from 'vitest';
import { sourceOf } from './skill-source.ts';
import { placeAt, resolvedGraph } from './testing/resolved-graph.ts';
import type { SkillSketch } from './testing/resolved-graph.ts';

const cases: [string, Partial<SkillSketch>, string | undefined][] = [
  ['its own', {}, undefined],
  ['its own in place of another', { overrides: placeAt(1, 'x/base.lens') }, 'overrides base.lens'],
  ['inherited', { origin: placeAt(1, 'x/base.lens') }, 'from base.lens'],
  ['of a library', { origin: placeAt(1, 'x/team.skills.yaml') }, 'team.skills.yaml'],
  ['built in', { source: 'builtin', origin: placeAt(1, 'sunwell/common/c.yaml') }, 'built-in'],
  ['of a fount', { source: 'fount', origin: placeAt(1, 'fount://@a/b@1.0.0/s.yaml') }, '@a/b@1.0.0'],
  ['an Agent Skill', { source: 'agent-skill', origin: placeAt(1, '.claude/SKILL.md') }, 'Agent Skill'],
];

it.each(cases)('sourceOf() says of a skill that is %s where it comes from', (_, sketch, text) => {
  const skill = resolvedGraph([{ name: 'a', ...sketch, dependsOn: [] }]).skills['a']!;
  expect(sourceOf(skill, 'a.lens')?.text).toBe(text);
});
