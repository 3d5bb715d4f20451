import { describe, expect, it } from 'vitest';
import { applyEdits } from '../edit/text-lines.ts';
import { completionsAt } from './completions.ts';
import type { Completion, LanguageContext } from './completion.ts';
import type { LanguageFile } from './file-facts.ts';

const library: LanguageFile = {
  file: 'libs/text.skills.yaml',
  kind: 'library',
  text: 'skills:\n  - {name: count, description: Counts words, instructions: c, produces: [words]}\n',
};
const context: LanguageContext = {
  files: [library],
  libraries: [{ reference: 'sunwell/common', skills: [{ name: 'read-file', description: 'Reads' }] }],
  tools: ['read_file'],
};

const body = `lens:
  metadata: {name: Mine, version: 1.0.0}
  inputs: {draft: {}}
  validators: [{name: Has Lines, contains: x}]
  personas: [{name: Novice}]
  skills:
    - name: gather
      description: Gathers
      produces: [facts]
      instructions: g
    - name: report
      description: Reports
      requires: [facts]
`;

function at(marked: string, kind: 'lens' | 'library' = 'lens') {
  const offset = marked.indexOf('‸');
  const file: LanguageFile = { file: 'mine.lens', kind, text: marked.replace('‸', '') };
  const found = completionsAt(file, offset, { ...context, files: [file, library] });
  const choose = (label: string): string => {
    const item = found!.items.find((one) => one.label === label)!;
    return applyEdits(file.text, [{ start: found!.start, end: found!.end, text: item.insert }]);
  };
  return { labels: found?.items.map((item) => item.label), items: found?.items ?? [], choose };
}
const labelled = (items: readonly Completion[], label: string) => items.find((item) => item.label === label);

describe('completionsAt()', () => {
  it('offers the keys of a skill that it does not have yet, with what they mean', () => {
    const { labels, items } = at(`${body}      de‸`);
    expect(labels).toContain('depends_on');
    expect(labels).not.toContain('description');
    expect(labelled(items, 'trust')).toEqual({
      ...{ label: 'trust', kind: 'property', insert: 'trust: ', rank: expect.any(Number) as number },
      ...{ detail: 'full | sandboxed | none', documentation: 'How much the scripts may do (sandboxed)' },
    });
  });

  it('offers keys, and no whole entry, on the next line of an entry that is begun', () => {
    const { labels, items } = at(`${body}      ‸`);
    expect(items.filter(({ kind }) => kind !== 'property')).toEqual([]);
    expect(labels).toEqual(expect.arrayContaining(['instructions', 'depends_on', 'trust']));
    expect(labels).not.toContain('include');
    expect(at(`${body}    - ‸`).labels).toEqual(expect.arrayContaining(['include', 'name', 'Check links']));
  });

  it('offers no skill that the list at the cursor has, before or behind it', () => {
    const skills = `${body}    - {name: third, description: T}\n    - name: last\n`;
    expect(at(`${skills}      depends_on: [gather, ‸]`).labels).not.toContain('gather');
    expect(at(`${skills}      depends_on: [‸, report]`).labels).not.toContain('report');
    expect(at(`${skills}      depends_on: [gather, ‸, report]`).labels).toContain('third');
    expect(at(`${skills}      depends_on:\n        - gather\n        - ‸`).labels).not.toContain('gather');
    expect(at(`${skills}      depends_on: [‸]`).labels).not.toContain('last');
  });

  it('knows what stands below the line of the cursor', () => {
    const below = `${body}      depends_on: [‸\n    - name: below\n      description: B\n`;
    expect(at(below).labels).toEqual(expect.arrayContaining(['gather', 'below']));
    expect(at(body.replace('- name: gather', '- name: gather‸')).labels).toBeDefined();
  });

  it('begins a list of maps on the next line', () => {
    expect(at('skills:\n  - scr‸').choose('scripts')).toBe('skills:\n  - scripts:\n    - ');
    expect(at('ski‸').choose('skills')).toBe('skills:\n  - ');
  });

  it('offers skills for a dependency, the nearest first, and not the skill itself', () => {
    const { items, choose } = at(`${body}      depends_on: [‸`);
    const byRank = [...items].sort((a, b) => a.rank - b.rank).map(({ label }) => label);
    expect(byRank).toEqual(['gather', './libs/text.skills.yaml:count', 'sunwell/common:read-file']);
    expect(choose('gather').endsWith('depends_on: [gather')).toBe(true);
  });

  it('does not offer a dependency twice', () => {
    const { labels } = at(`${body}      depends_on: [gather, ‸]\n`);
    expect(labels).toEqual(['./libs/text.skills.yaml:count', 'sunwell/common:read-file']);
  });

  it('offers keys that something upstream could deliver', () => {
    expect(
      at(
        `${body}      depends_on: ./libs/text.skills.yaml:count\n`.replace(
          '[facts]\n      depends',
          '[fa‸]\n      depends',
        ),
      ).labels,
    ).toEqual(['draft', 'facts', 'words']);
  });

  it('offers validators and personas, in quotes where they need some', () => {
    const validators = at(`${body}      validate_with:\n        validators:\n          - ‸`);
    expect(validators.labels).toEqual(['Has Lines']);
    expect(at(`${body}      validate_with: {personas: [‸]}`).labels).toEqual(['Novice']);
    expect(
      at('personas: [{name: "a: b"}]\nskills:\n  - {validate_with: {personas: [‸').choose('a: b'),
    ).toMatch(/\["a: b"$/);
    expect(
      at('personas: [{name: "null"}]\nskills:\n  - {validate_with: {personas: [‸').choose('null'),
    ).toMatch(/\["null"$/);
  });

  it('offers values of a known set', () => {
    expect(at(`${body}      trust: ‸`).labels).toEqual(['full', 'sandboxed', 'none']);
    expect(at(`${body}      cache: ‸`).labels).toEqual(['true', 'false']);
    expect(at('validators:\n  - severity: ‸').labels).toEqual(['error', 'warning', 'info']);
    expect(at('skills: [{allowed_tools: [‸').labels).toEqual(['read_file']);
  });

  it('offers lenses, libraries and files to include', () => {
    expect(at('skill_sources: [‸').labels).toEqual(['./libs/text.skills.yaml', 'sunwell/common']);
    expect(at('skills:\n  - include: ‸').labels).toEqual(['./libs/text.skills.yaml']);
  });

  it('offers what a placeholder can stand for', () => {
    const { labels, choose } = at(`${body}      instructions: |\n        Use \${fa‸\n`);
    expect(labels).toContain('facts');
    expect(labels).toContain('WORKSPACE_ROOT');
    expect(choose('facts').endsWith('Use ${facts\n')).toBe(true);
    expect(at(`${body}      instructions: |\n        Use fa‸\n`).labels).toEqual([]);
  });

  it('offers whole entries for a list, with the dash where it is missing', () => {
    const snippet = 'Skill with instructions';
    expect(labelled(at('skills:\n  ‸').items, snippet)?.insert.split('\n').slice(0, 2)).toEqual([
      '- name: ${1:write-summary}',
      '  description: ${2:What it does and when to use it}',
    ]);
    expect(labelled(at('skills:\n  - ‸').items, snippet)?.insert.split('\n').slice(0, 2)).toEqual([
      'name: ${1:write-summary}',
      '  description: ${2:What it does and when to use it}',
    ]);
    expect(at('‸').labels).toContain('Lens');
  });

  it('offers nothing in a comment', () => {
    expect(at('# ski‸').labels).toBeUndefined();
  });

  it('knows names below a line that is broken', () => {
    const broken =
      body.replace('      requires: [facts]\n', '      depends_on: [‸\n') +
      '    - {name: last, description: l, instructions: l}\n';
    expect(at(broken).labels).toContain('last');
  });
});
