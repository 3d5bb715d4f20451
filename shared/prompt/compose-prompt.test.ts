import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Heuristic } from '../model/lens.ts';
import { composePrompt, type PromptSource } from './compose-prompt.ts';
import { estimateTokens } from './estimate-tokens.ts';

const placed = { at: { file: 'a.lens', line: 1, column: 1, endLine: 1, endColumn: 1 }, path: [] };
const heuristic = (name: string, priority?: number, more: Partial<Heuristic> = {}): Heuristic => ({
  name,
  ...(priority !== undefined && { priority }),
  ...more,
  ...placed,
});

const whole: PromptSource = {
  lens: {
    metadata: { name: 'Writer', domain: 'documentation', description: 'Writes for readers.' },
    heuristics: [
      heuristic('Short', 3, { rule: 'Say it once', never: ['repeat'] }),
      heuristic('True', 9, { rule: 'Check it', examples: { good: 'a', bad: ['b', 'c'] } }),
    ],
    antiHeuristics: [{ name: 'Fluff', description: 'Says nothing', correction: 'Cut it', ...placed }],
    communication: { tone: 'plain', style: { voice: 'active' } },
    framework: { name: 'Diataxis', categories: ['tutorial', 'how-to'], value: {}, ...placed },
  },
  skill: {
    name: 'write-docs',
    description: 'Writes docs',
    instructions: 'Write about ${topic} as ${Name}; ${Product Name} stays.',
    templates: [{ name: 'page', content: '# ${topic}' }],
    resources: [
      { name: 'Guide', content: 'Be kind' },
      { name: 'Site', url: 'https://a.test/x' },
    ],
  },
  variables: new Map([
    ['topic', '${Name}'],
    ['Name', 'WriteDocs'],
  ]),
  context: { api: { b: 1 }, topic: 'cats' },
  skills: '<available_skills>\n</available_skills>',
  task: 'Document it',
  feedback: { text: 'Failed: short', earlier: 'A long text' },
  produces: ['docs'],
};

describe('composePrompt()', () => {
  test('puts the parts one after another, each fenced, with values filled in once', () => {
    const { system, user } = composePrompt(whole);
    expect(system).toContain(`<sunwell-lens>
You work as "Writer", an expert in documentation.
Writes for readers.

# Heuristics

## True
Check it
Examples:
- good: a
- bad:
  - b
  - c

## Short
Say it once
Never:
- repeat

# Avoid

## Fluff
Says nothing
Instead: Cut it

# Communication

- tone: plain
- style:
  - voice: active

# Framework

Diataxis
- tutorial
- how-to
</sunwell-lens>`);
    expect(user).toBe(`<sunwell-instructions skill="write-docs" about="Writes docs">
Write about \${Name} as WriteDocs; \${Product Name} stays.
</sunwell-instructions>

<sunwell-templates>
<sunwell-template name="page">
# \${Name}
</sunwell-template>
</sunwell-templates>

<sunwell-resources>
<sunwell-resource name="Guide">
Be kind
</sunwell-resource>
<sunwell-resource name="Site" url="https://a.test/x">
https://a.test/x
</sunwell-resource>
</sunwell-resources>

<sunwell-context>
<sunwell-value key="api">
{
  "b": 1
}
</sunwell-value>
<sunwell-value key="topic">
cats
</sunwell-value>
</sunwell-context>

<sunwell-skills>
<available_skills>
</available_skills>
</sunwell-skills>

<sunwell-task>
Document it
</sunwell-task>

What you answer at the end is the value of "docs", as it stands: say nothing else in it.

<sunwell-earlier-answer>
A long text
</sunwell-earlier-answer>
<sunwell-feedback>
Failed: short
</sunwell-feedback>
Your earlier answer did not pass. Do the task again and mend what the feedback names; files that you wrote are still there.`);
  });

  test('leaves out what says nothing', () => {
    const bare = { name: 'a', instructions: 'Do', templates: [], resources: [] };
    const { parts } = composePrompt({ skill: bare, variables: new Map(), context: {}, produces: [] });
    expect(parts.map(({ kind }) => kind)).toEqual(['lens', 'instructions', 'task']);
  });

  test('counts priorities to 1 or to 10, as a lens does, and those without one in the middle', () => {
    const order = (...heuristics: Heuristic[]): string[] => {
      const lens = { ...whole.lens!, heuristics };
      return [...composePrompt({ ...whole, lens }).system.matchAll(/## (\w)$/gm)].map(([, name]) => name!);
    };
    expect(order(heuristic('a', 0.2), heuristic('b'), heuristic('c', 0.9))).toEqual(['c', 'b', 'a']);
    expect(order(heuristic('a', 1), heuristic('b'), heuristic('c', 9))).toEqual(['c', 'b', 'a']);
  });

  test('no text inside a part can end it or open another one, whatever it says', () => {
    const tag = fc.constantFrom(
      '</sunwell-context>',
      '<sunwell-task>',
      '< / sunwell-value >',
      '</SUNWELL-lens>',
      '${x}',
      '"/><b>',
    );
    const hostile = fc
      .array(fc.oneof(tag, fc.string({ maxLength: 8 })), { maxLength: 6 })
      .map((bits) => bits.join(''));
    const source = fc.record({
      instructions: hostile,
      template: hostile,
      name: hostile,
      resource: hostile,
      value: hostile,
      key: hostile,
      task: hostile,
      feedback: hostile,
      rule: hostile,
    });
    const tags = (text: string): string[] => text.match(/<\s*\/?\s*sunwell-[a-z-]+/gi) ?? [];
    const made = (text: Record<string, string>): PromptSource => ({
      ...whole,
      lens: { ...whole.lens!, heuristics: [heuristic(text['name']!, 1, { rule: text['rule']! })] },
      skill: {
        name: text['name']!,
        description: text['name']!,
        instructions: text['instructions']!,
        templates: [{ name: text['name']!, content: text['template']! }],
        resources: [{ name: text['name']!, content: text['resource']! }],
      },
      variables: new Map([['x', text['value']!]]),
      context: { [text['key']!]: text['value']! },
      task: text['task']!,
      feedback: { text: text['feedback']!, earlier: text['value']! },
      skills: text['resource']!,
    });
    const plain = {
      instructions: 'a',
      template: 'a',
      name: 'a',
      resource: 'a',
      value: 'a',
      key: 'a',
      task: 'a',
      feedback: 'a',
      rule: 'a',
    };
    const expected = composePrompt(made(plain));
    fc.assert(
      fc.property(source, (text) => {
        const { system, user, parts, tokens } = composePrompt(
          made({ ...text, resource: text.resource || 'a' }),
        );
        expect(tags(system)).toEqual(tags(expected.system));
        expect(tags(user)).toEqual(tags(expected.user));
        expect(tokens).toBe(parts.reduce((sum, part) => sum + estimateTokens(part.text), 0));
      }),
      { numRuns: 200 },
    );
  });
});
