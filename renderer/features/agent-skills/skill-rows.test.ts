import { describe, expect, it } from 'vitest';
import type { SkillList } from '#shared/model/agent-skills.ts';
import { skillGroups } from './skill-rows.ts';

const found = (name: string, scope: 'project' | 'user' | 'configured', file: string) => ({
  ...{ name, description: `Does ${name}`, scope, file, sha256: '', problems: [] },
});
const list: SkillList = {
  skills: [
    found('pdf', 'project', '.claude/skills/pdf/SKILL.md'),
    found('notes', 'user', '~/.agents/skills/notes/SKILL.md'),
    found('extra', 'configured', '/srv/team/extra/SKILL.md'),
  ],
  shadowed: [
    { name: 'pdf', scope: 'user', file: '~/.claude/skills/pdf/SKILL.md', by: '.claude/skills/pdf/SKILL.md' },
  ],
  skipped: [{ scope: 'project', file: 'skills/bad/SKILL.md', problems: [] }],
  suggestions: [],
};

describe('skillGroups()', () => {
  it('puts every skill into its scope, with the folder it is read from', () => {
    expect(
      skillGroups(list, '').map(({ title, rows }) => [
        title,
        rows.map(({ name, state, place }) => [name, state, place]),
      ]),
    ).toEqual([
      [
        'Workspace',
        [
          ['bad', 'skipped', 'skills'],
          ['pdf', 'used', '.claude'],
        ],
      ],
      [
        'Your home',
        [
          ['notes', 'used', '.agents'],
          ['pdf', 'shadowed', '.claude'],
        ],
      ],
      ['Other folders', [['extra', 'used', 'team']]],
    ]);
  });

  it('filters by name and description, and leaves empty scopes out', () => {
    expect(skillGroups(list, 'DOES NOTES').map(({ scope }) => scope)).toEqual(['user']);
  });
});
