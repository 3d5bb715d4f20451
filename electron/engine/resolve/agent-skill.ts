import { isMap, isScalar, parseDocument } from 'yaml';
import type { Location } from '#shared/model/diagnostic.ts';
import type { Skill } from '#shared/model/skill.ts';

const frontmatter = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** A SKILL.md as a skill of the graph: its frontmatter names it, its body instructs. */
export function readAgentSkill(text: string, file: string, folderName: string): Skill {
  const match = frontmatter.exec(text);
  const head = parseDocument(match?.[1] ?? '', { prettyErrors: false }).contents;
  const field = (key: string): string | undefined => {
    const node = isMap(head) ? head.get(key, true) : undefined;
    return isScalar(node) && typeof node.value === 'string' ? node.value : undefined;
  };
  const description = field('description');
  const compatibility = field('compatibility');
  const tools = field('allowed-tools');
  const at: Location = { file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    name: field('name') ?? folderName,
    type: 'inline',
    at,
    path: [],
    instructions: text.slice(match?.[0].length ?? 0).trim(),
    ...(description === undefined ? {} : { description }),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(tools === undefined ? {} : { allowedTools: tools.split(/[\s,]+/).filter((tool) => tool !== '') }),
  };
}
