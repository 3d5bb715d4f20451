import { describe, expect, it } from 'vitest';
import { openYaml } from '../yaml/open.ts';
import { blockAt, blockOf } from './blocks.ts';

const text = `personas:
  - name: Novice
    evaluation_prompt: What is unclear?
skills:
  - name: count
    requires: [x]
    instructions: |
      Count
    scripts:
      - name: count.py
        content: |
          print(1)
      - {name: run, language: Bash, content: "ls\\n"}
    templates:
      - name: page
        content: "# \${Name}"
`;
const { source } = openYaml(text, 'x.lens');
const at = (part: string): string | undefined => {
  const block = blockAt(source, text.indexOf(part) + 1);
  return block && `${block.path.join('/')} ${block.language} ${block.title} ${JSON.stringify(block.text)}`;
};

describe('blockAt()', () => {
  it('finds scripts, templates and prose with their languages', () => {
    expect([at('print'), at('content: |'), at('"ls'), at('${Name}'), at('Count\n'), at('unclear')]).toEqual([
      'skills/0/scripts/0/content python count · count.py "print(1)\\n"',
      'skills/0/scripts/0/content python count · count.py "print(1)\\n"',
      'skills/0/scripts/1/content shell count · run "ls\\n"',
      'skills/0/templates/0/content markdown count · page "# ${Name}"',
      'skills/0/instructions markdown count · instructions "Count\\n"',
      'personas/0/evaluation_prompt markdown Novice · evaluation_prompt "What is unclear?"',
    ]);
  });

  it('finds nothing elsewhere', () => {
    expect([at('requires'), at('name: count\n'), at('personas')]).toEqual([undefined, undefined, undefined]);
    expect(blockOf(source, ['skills', 9, 'instructions'])).toBeUndefined();
  });
});
