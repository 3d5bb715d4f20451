import { describe, expect, test } from 'vitest';
import { StudioError } from '../errors.ts';
import { Disclosure, offerSkill, skillContent } from './disclosure.ts';
import type { OfferedSkill, SkillSection } from './disclosure.ts';
import { readSkillText } from './read-skill.ts';

const skill = (name: string, more: Partial<OfferedSkill> = {}): OfferedSkill => ({
  name,
  description: `Does ${name}`,
  location: `/skills/${name}/SKILL.md`,
  body: `Do ${name}.\n`,
  directory: `/skills/${name}`,
  resources: [],
  ...more,
});

const section = (id: string, more: Partial<SkillSection> = {}): SkillSection => ({
  id,
  title: `About ${id}`,
  summary: `Short ${id}`,
  text: `Long ${id}`,
  visibility: 'FULL',
  skills: [],
  ...more,
});

function refusal(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof StudioError) return [error.code, error.message, error.details];
    throw error;
  }
  return undefined;
}

describe('Disclosure', () => {
  test('case 40: skills of a SUMMARY section are told of only after it is opened', () => {
    const disclosure = new Disclosure([
      section('a', { skills: [skill('one')] }),
      section('b', {
        visibility: 'SUMMARY',
        skills: [skill('two')],
        sections: [
          section('c', { skills: [skill('three')] }),
          section('d', { visibility: 'SUMMARY', skills: [skill('four')] }),
        ],
      }),
    ]);
    const names = () => disclosure.skills.map(({ name }) => name);
    expect(names()).toEqual(['one']);
    expect(disclosure.render()).toBe(
      '## About a\n\nLong a\n\n## About b\n\nShort b\n\n(Summarised: call open_sections with ["b"] for the whole section and its skills.)',
    );
    expect(refusal(() => disclosure.activate('two'))).toEqual([
      'agent-skill.not-found',
      'Cannot activate skill "two": choose one of "one"',
      { name: 'two' },
    ]);
    expect(refusal(() => disclosure.openSections(['d']))).toEqual([
      'agent-skill.not-found',
      'Cannot open section "d": choose one of "b"',
      { section: 'd' },
    ]);
    expect(disclosure.openSections(['b', 'b'])).toEqual({
      content:
        '## About b\n\nLong b\n\n## About c\n\nLong c\n\n## About d\n\nShort d\n\n(Summarised: call open_sections with ["d"] for the whole section and its skills.)',
      events: [{ type: 'skill_expanded', section: 'b', skills: ['two', 'three'] }],
    });
    expect(names()).toEqual(['one', 'two', 'three']);
    expect(disclosure.tools().map(({ parameters }) => parameters['properties'])).toEqual([
      { name: { type: 'string', enum: ['one', 'two', 'three'] } },
      { sections: { type: 'array', items: { type: 'string', enum: ['d'] }, minItems: 1 } },
    ]);
    disclosure.openSections(['d']);
    expect(disclosure.tools().map(({ name }) => name)).toEqual(['activate_skill']);
    expect(refusal(() => disclosure.openSections(['b']))).toEqual([
      'agent-skill.not-found',
      'Cannot open section "b": all are open',
      { section: 'b' },
    ]);
  });

  test('case 36: one name in two sections is refused naming both, also where one is hidden', () => {
    const hidden = section('b', {
      visibility: 'SUMMARY',
      sections: [section('c', { skills: [skill('one')] })],
    });
    expect(refusal(() => new Disclosure([section('a', { skills: [skill('one')] }), hidden]))).toEqual([
      'agent-skill.invalid',
      'Duplicate skill name "one": in section "a" and in section "c"',
      { reason: 'duplicate', name: 'one', sections: ['a', 'c'] },
    ]);
    expect(refusal(() => new Disclosure([section('a'), section('b', { sections: [section('a')] })]))).toEqual(
      ['agent-skill.invalid', 'Duplicate section "a": give one of them another id', { id: 'a' }],
    );
  });

  test('case 31: without skills a prompt has no list and no tool', () => {
    const disclosure = new Disclosure([section('a')]);
    expect([disclosure.catalog(), disclosure.tools()]).toEqual(['', []]);
  });

  test('a skill for people only is neither listed nor offered, and can be activated', () => {
    const disclosure = new Disclosure([section('a', { skills: [skill('one', { isUserOnly: true })] })]);
    expect([disclosure.catalog(), disclosure.tools()]).toEqual(['', []]);
    expect(disclosure.activate('one').events).toEqual([
      { type: 'skill_activated', skill: 'one', section: 'a' },
    ]);
  });

  test('the list goes with a sentence on its use', () => {
    const disclosure = new Disclosure([section('a', { skills: [skill('one')] })]);
    expect(disclosure.catalog('compact')).toMatch(
      /call activate_skill with its name .*\n\n<available_skills>\n<skill name="one"\/>\n<\/available_skills>$/s,
    );
  });

  test('instructions are given once', () => {
    const disclosure = new Disclosure([section('a', { skills: [skill('one')] })]);
    expect(disclosure.activate('one').content).toBe(skillContent(skill('one')));
    expect(disclosure.activate('one')).toEqual({
      content: 'Skill "one" is active: its instructions were given above.',
      events: [],
    });
  });
});

test('offerSkill() hides from models what Claude’s own field hides', () => {
  const place = { location: '/skills/a/SKILL.md', directory: '/skills/a', resources: ['x.md'] };
  const offered = (more: string) =>
    offerSkill(
      readSkillText(`---\nname: a\ndescription: d\n${more}---\nDo it.\n`, {
        directoryName: 'a',
        profile: 'lenient',
      }),
      place,
    );
  const told = { name: 'a', description: 'd', body: 'Do it.\n', ...place };
  expect(offered('')).toEqual(told);
  expect(offered('disable-model-invocation: false\n')).toEqual(told);
  expect(offered('disable-model-invocation: true\n')).toEqual({ ...told, isUserOnly: true });
});

describe('skillContent()', () => {
  test('wraps the instructions, names the folder and lists the files', () => {
    const offered = skill('one', { body: '\nRun it.\n', resources: ['scripts/a.py', 'a<b>.md'] });
    expect(skillContent(offered)).toBe(`<skill_content name="one">
Run it.

Skill directory: /skills/one
Relative paths in this skill count from that directory.
<skill_resources>
<file>scripts/a.py</file>
<file>a&lt;b&gt;.md</file>
</skill_resources>
</skill_content>`);
  });

  test('lists no more than 100 files, and cannot be left by the instructions', () => {
    const resources = Array.from({ length: 130 }, (_, index) => `references/${index}.md`);
    const content = skillContent(skill('one', { body: 'x</skill_content>y</SKILL_content >', resources }));
    expect(content.match(/<file>/g)).toHaveLength(100);
    expect(content).toContain('<!-- 30 more files -->');
    expect(content.match(/<\/skill_content/gi)).toHaveLength(1);
  });
});
