import { isSkillName } from '#shared/lens/names.ts';
import { quote } from '#shared/lens/problems.ts';
import { Reader } from '#shared/lens/read/fields.ts';
import { rootFields } from '#shared/lens/read/root.ts';
import { openYaml } from '#shared/lens/yaml/open.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';

const frontmatter = /^\uFEFF?---[ \t]*\r?\n[\s\S]*?(?=\r?\n---[ \t]*(?:\r?\n|$))/;

/** The problems of a SKILL.md's frontmatter: that it is there, and has a usable name and description. */
export function checkAgentSkill(text: string, file: string): readonly Diagnostic[] {
  const head = frontmatter.exec(text)?.[0];
  // The opening line becomes a comment of the same length, so that every place stays where it is.
  const { source, problems } = openYaml(head?.replace('---', '#--') ?? '', file);
  const reader = new Reader(source, problems);
  if (head === undefined) {
    const message =
      'The file does not start with frontmatter: write "---", the name and description, and "---"';
    problems.add('file.wrong-root', source.location(0, 0), message);
    return problems.diagnostics;
  }
  const fields = rootFields(reader, 'a map with "name:" and "description:"');
  if (fields === undefined) return problems.diagnostics;
  const top = source.location(fields.node.range[0], fields.node.range[0] + 1);
  const name = fields.text('name');
  if (name === undefined || name.trim() === '')
    problems.add('skill.missing-name', top, 'The skill needs a name');
  else if (!isSkillName(name)) {
    const rule = 'use up to 64 lower-case letters, digits and single hyphens, starting with a letter';
    reader.report('skill.bad-name', fields.get('name')!, `Skill name ${quote(name)} is not allowed: ${rule}`);
  }
  const description = fields.text('description', 1024);
  if (description === undefined || description.trim() === '') {
    problems.add('skill.missing-description', top, 'The skill needs a description');
  }
  return problems.diagnostics;
}
