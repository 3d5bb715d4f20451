import { basename } from 'node:path';
import { escapeXml } from '#shared/agent-skills/catalog.ts';
import type { OfferedSkill, SkillSection } from '#shared/agent-skills/disclosure.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import type { Resolution } from '../resolve/resolve.ts';
import { ToolRules } from '../tools/tool-rules.ts';

/** Where the files of an opened skill are read, beside the workspace. */
export const openedFolder = '.skills';

/** Whether a model works on the skill. */
export function hasInstructions({ skill }: ResolvedSkill): boolean {
  return (skill.instructions ?? '').trim() !== '';
}

/**
 * The other skills that a skill may open while it works: those of the graph with instructions, where its tools say so. Those
 * of its own file are listed at once; those of a library are summarised until the library is opened.
 */
export function offeredSections({ skills }: Resolution, node: ResolvedSkill): readonly SkillSection[] {
  const { offered } = new ToolRules(node.skill.allowedTools);
  const mayOpen = offered.includes('activate_skill') || offered.includes('open_sections');
  if (!mayOpen) return [];
  const others = skills.filter((other) => other !== node && hasInstructions(other));
  return [...new Set(others.map(({ source }) => source))].map((source) => {
    const found = others.filter((other) => other.source === source);
    const isOwn = source === node.source;
    const title = isOwn ? 'Skills' : source.place.label || source.file;
    return {
      id: isOwn ? 'skills' : title,
      title,
      summary: found.map(summaryOf).join('\n'),
      text: isOwn ? 'They are listed above.' : found.map(summaryOf).join('\n'),
      visibility: isOwn ? 'FULL' : 'SUMMARY',
      skills: found.map(offerOf),
    };
  });
}

/** The files of a skill that a model may read once it has opened it. */
export function openedFiles({ name, resources }: ResolvedSkill): ReadonlyMap<string, string> {
  return new Map(
    resources.flatMap(({ file, content }) =>
      file === undefined || content === undefined
        ? []
        : [[`${openedFolder}/${name}/${basename(file)}`, content] as const],
    ),
  );
}

function summaryOf({ name, skill }: ResolvedSkill): string {
  // A description that closes the list of skills would make two of one.
  return escapeXml(`[Skill: ${name}] ${(skill.description ?? '').replace(/\s+/g, ' ')}`.trim());
}

function offerOf(node: ResolvedSkill): OfferedSkill {
  const { name, skill, resources } = node;
  const directory = `${openedFolder}/${name}`;
  return {
    name,
    description: skill.description ?? '',
    location: `${directory}/SKILL.md`,
    body: skill.instructions ?? '',
    directory,
    resources: resources.flatMap(({ file, content }) =>
      file === undefined || content === undefined ? [] : [basename(file)],
    ),
  };
}
