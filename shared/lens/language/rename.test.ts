import { describe, expect, it } from 'vitest';
import { applyEdits } from '../edit/text-lines.ts';
import type { LanguageFile } from './file-facts.ts';
import { renameAt, renameSkill } from './rename.ts';
import type { RenameResult } from './rename.ts';

const lens: LanguageFile = {
  file: 'review.lens',
  kind: 'lens',
  text: `lens:
  metadata: {name: Review, version: 1.0.0}
  extends: base   # the house lens
  skill_sources: [./libs/text.skills.yaml]
  inputs:
    draft: {description: What to review}
  validators:
    - {name: "Has Evidence", contains: line}
  personas:
    - name: Novice
      description: Reads it for the first time
  quality_policy:
    required_validators: [has evidence]
  router:
    shortcuts: {"::s": Summarise}
  workflows:
    - name: all
      steps:
        - skill: summarise
        - parallel: [summarise, count-words]
        - {name: gate, action: check, quality_gates: [Has Evidence]}
  skills:
    - include: "./libs/more.skills.yaml::polish, tidy_up"
    - name: summarise
      description: Says what it is about
      requires: [draft]
      produces: summary
      instructions: Read \${draft}, not \${other}
      validate_with: {validators: [Has Evidence], personas: ['Novice']}
    - name: report
      description: Writes it up
      depends_on:
        - source: summarise
        - ./libs/text.skills.yaml:count-words   # how long
      requires: [summary, "words"]
      instructions: Write
`,
};
const base: LanguageFile = {
  file: 'base.lens',
  kind: 'lens',
  text: `metadata: {name: Base, version: 1.0.0}
skills:
  - name: outline
    description: Uses what the child defines
    depends_on: [summarise]
    instructions: Outline
`,
};
const text: LanguageFile = {
  file: 'libs/text.skills.yaml',
  kind: 'library',
  text: `skills:
  - name: count-words
    description: Counts
    produces: [words]
    scripts:
      - name: count.py
        content: |
          print(json.dumps({"words": 1}))
`,
};
const more: LanguageFile = {
  file: 'libs/more.skills.yaml',
  kind: 'library',
  text: `skills:
  - {name: polish, description: Polishes, instructions: Polish, depends_on: tidy-up}
  - {name: tidy-up, description: Tidies, instructions: Tidy}
`,
};
const files = [lens, base, text, more];

/** The lines that a rename changes, by file. */
function changedLines(result: RenameResult): Record<string, string[]> | string {
  if (!result.ok) return result.message;
  const changed: Record<string, string[]> = {};
  for (const file of files) {
    const edits = result.edits.filter((edit) => edit.file === file.file);
    const before = file.text.split('\n');
    const after = applyEdits(file.text, edits).split('\n');
    const lines = after.filter((line, index) => line !== before[index]).map((line) => line.trim());
    if (lines.length > 0) changed[file.file] = lines;
  }
  return changed;
}

const offsetOf = (file: LanguageFile, part: string): { file: string; offset: number } => ({
  file: file.file,
  offset: file.text.indexOf(part) + 1,
});

describe('renameSkill()', () => {
  it('changes every reference in every file, however it is spelled', () => {
    const result = renameSkill({ file: 'review.lens', name: 'summarise' }, { files, newName: 'sum-up' });
    expect(changedLines(result)).toEqual({
      'review.lens': [
        'shortcuts: {"::s": sum-up}',
        '- skill: sum-up',
        '- parallel: [sum-up, count-words]',
        '- name: sum-up',
        '- source: sum-up',
      ],
      'base.lens': ['depends_on: [sum-up]'],
    });
  });

  it('follows a library into the lenses that search it or name it', () => {
    const result = renameSkill({ file: text.file, name: 'count-words' }, { files, newName: 'count' });
    expect(changedLines(result)).toEqual({
      'review.lens': ['- parallel: [summarise, count]', '- ./libs/text.skills.yaml:count   # how long'],
      'libs/text.skills.yaml': ['- name: count'],
    });
  });

  it('changes names in the list of an include', () => {
    const result = renameSkill({ file: more.file, name: 'tidy-up' }, { files, newName: 'tidy' });
    expect(changedLines(result)).toEqual({
      'review.lens': ['- include: "./libs/more.skills.yaml::polish, tidy"'],
      'libs/more.skills.yaml': [
        '- {name: polish, description: Polishes, instructions: Polish, depends_on: tidy}',
        '- {name: tidy, description: Tidies, instructions: Tidy}',
      ],
    });
  });

  it('quotes a name that would not read as text', () => {
    const result = renameSkill({ file: base.file, name: 'outline' }, { files, newName: 'true' });
    expect(changedLines(result)).toEqual({ 'base.lens': ['- name: "true"'] });
  });

  it('makes a source that names only a library of others say which skill it means', () => {
    const own = { ...base, text: 'skills:\n  - {name: read-file, source: sunwell/common}\n' };
    const result = renameSkill({ file: own.file, name: 'read-file' }, { files: [own], newName: 'read' });
    expect(result.ok && applyEdits(own.text, result.edits)).toBe(
      'skills:\n  - {name: read, source: sunwell/common:read-file}\n',
    );
  });

  it.each([
    [
      'Not Good',
      'Cannot rename "summarise": a skill name has lower-case letters, digits and single hyphens, such as "not-good"',
    ],
    ['report', 'Cannot rename "summarise": "review.lens" already has a skill "report"'],
    [
      'tidy_up',
      'Cannot rename "summarise": a skill name has lower-case letters, digits and single hyphens, such as "tidy-up"',
    ],
    ['polish', 'Cannot rename "summarise": "review.lens" already has a skill "polish"'],
  ])('refuses %j', (newName, message) => {
    expect(renameSkill({ file: lens.file, name: 'summarise' }, { files, newName })).toEqual({
      ok: false,
      message,
    });
  });

  it('refuses while a text that may mention the skill is broken', () => {
    const broken = { ...base, text: base.text + '  - [summarise\n' };
    const result = renameSkill(
      { file: lens.file, name: 'summarise' },
      { files: [lens, broken, text, more], newName: 'sum-up' },
    );
    expect(result).toEqual({
      ok: false,
      message: 'Cannot rename "summarise": "base.lens" has syntax errors, correct them first',
    });
  });
});

describe('renameAt()', () => {
  it('renames a context key with inputs and placeholders', () => {
    const result = renameAt(offsetOf(lens, 'draft: {'), { files, newName: 'manuscript' });
    expect(changedLines(result)).toEqual({
      'review.lens': [
        'manuscript: {description: What to review}',
        'requires: [manuscript]',
        'instructions: Read ${manuscript}, not ${other}',
      ],
    });
  });

  it('renames a context key across a library and says which script to look at', () => {
    const result = renameAt(offsetOf(lens, 'words"]'), { files, newName: 'word_count' });
    expect(changedLines(result)).toEqual({
      'review.lens': ['requires: [summary, "word_count"]'],
      'libs/text.skills.yaml': ['produces: [word_count]'],
    });
    expect(result.ok && result.notes).toEqual([
      'Script "count.py" of "count-words" still says "words": look at it',
    ]);
  });

  it('renames a validator with its quotes', () => {
    const result = renameAt(offsetOf(lens, 'Has Evidence"'), { files, newName: 'says "where"' });
    expect(changedLines(result)).toEqual({
      'review.lens': [
        '- {name: "says \\"where\\"", contains: line}',
        `required_validators: [says "where"]`,
        `- {name: gate, action: check, quality_gates: [says "where"]}`,
        `validate_with: {validators: [says "where"], personas: ['Novice']}`,
      ],
    });
  });

  it('renames a persona', () => {
    const result = renameAt(offsetOf(lens, "Novice'"), { files, newName: 'Newcomer' });
    expect(changedLines(result)).toEqual({
      'review.lens': [
        '- name: Newcomer',
        "validate_with: {validators: [Has Evidence], personas: ['Newcomer']}",
      ],
    });
  });

  it('renames a lens where others call it by name', () => {
    const result = renameAt(offsetOf(base, 'Base'), { files, newName: 'House: rules' });
    expect(changedLines(result)).toEqual({
      'review.lens': ['extends: "House: rules"   # the house lens'],
      'base.lens': ['metadata: {name: "House: rules", version: 1.0.0}'],
    });
  });

  it('refuses a key that a skill of somebody else uses', () => {
    const skills = {
      read: {
        ...{ id: 'sunwell/common:read-file', name: 'read-file', dependsOn: [], produces: [] },
        ...{ requires: ['draft'], type: 'inline' as const, source: 'builtin' as const },
        ...{ origin: { file: 'x', line: 1, column: 1, endLine: 1, endColumn: 1 }, scripts: [] },
        ...{ trust: 'sandboxed' as const, hasInstructions: true, files: null },
      },
    };
    const graph = { lensName: '', skills, waves: [], unplaced: [], contentHash: '', diagnostics: [] };
    const result = renameAt(offsetOf(lens, 'draft: {'), { files, newName: 'x', graphs: [graph] });
    expect(result).toEqual({
      ok: false,
      message: 'Cannot rename "draft": skill "sunwell/common:read-file" uses it and cannot be changed here',
    });
  });

  it('refuses where nothing is named', () => {
    expect(renameAt(offsetOf(lens, 'description'), { files, newName: 'x' })).toEqual({
      ok: false,
      message: 'There is no name to change here',
    });
  });
});
