import { readSkillText } from './read-skill.ts';
import { unixLines } from './split-frontmatter.ts';
import { yamlText } from './yaml-text.ts';

/** The text with another name in its frontmatter and nothing else changed; undefined where the frontmatter cannot be read. */
export function renameInFrontmatter(text: string, name: string): string | undefined {
  const read = (candidate: string) => readSkillText(candidate, { directoryName: name, profile: 'lenient' });
  const { fields, lineBreak } = read(text);
  if (fields.length === 0) return undefined;
  const field = fields.find(({ key }) => key === 'name');
  let renamed: string;
  if (field === undefined) {
    const start = offsetOf(text, 2, 1);
    renamed = `${text.slice(0, start)}name: ${yamlText(name)}${lineBreak}${text.slice(start)}`;
  } else {
    const start = offsetOf(text, field.at.line, field.at.column);
    const end = offsetOf(text, field.at.endLine, field.at.endColumn);
    const old = text.slice(start, end);
    // Of `name:` without a value only the key has a place; a block scalar takes its last line break with it.
    const isMissing = field.value === '' && /^["']?name["']?$/.test(old);
    const tail = isMissing ? '' : (/[\r\n]*$/.exec(old)?.[0] ?? '');
    renamed = isMissing
      ? text.slice(0, end) + text.slice(end).replace(/^[ \t]*:/, (colon) => `${colon} ${yamlText(name)}`)
      : text.slice(0, start) + yamlText(name) + tail + text.slice(end);
  }
  const after = read(renamed);
  return after.properties.name === name && after.fields.length >= fields.length ? renamed : undefined;
}

function offsetOf(text: string, line: number, column: number): number {
  const flat = unixLines(text);
  let start = flat.startsWith('\uFEFF') && line === 1 ? 1 : 0;
  for (let current = 1; current < line; current++) start = flat.indexOf('\n', start) + 1;
  return start + column - 1;
}
