import { unreachable } from '../errors.ts';

/** What a model is told of a skill before it is activated. */
export interface CatalogSkill {
  readonly name: string;
  readonly description: string;
  /** The path of its SKILL.md. */
  readonly location: string;
}

export const catalogStyles = ['reference', 'inline', 'compact'] as const;
/** The reference validator's bytes, one line a skill, or names only. */
export type CatalogStyle = (typeof catalogStyles)[number];

/** The block that lists skills in a prompt; without skills an empty block. Nothing in it can end an element early. */
export function renderCatalog(skills: readonly CatalogSkill[], style: CatalogStyle = 'reference'): string {
  return [
    '<available_skills>',
    ...skills.flatMap((skill) => element(skill, style)),
    '</available_skills>',
  ].join('\n');
}

function element({ name, description, location }: CatalogSkill, style: CatalogStyle): string[] {
  const [safeName, safeLocation] = [escapeXml(name), escapeXml(location)];
  switch (style) {
    case 'reference':
      return [
        '<skill>',
        ...['<name>', safeName, '</name>'],
        ...['<description>', escapeXml(description), '</description>'],
        ...['<location>', safeLocation, '</location>'],
        '</skill>',
      ];
    case 'inline': {
      const line = escapeXml(description.replace(/\s+/g, ' '));
      return [`<skill name="${safeName}" location="${safeLocation}">${line}</skill>`];
    }
    case 'compact':
      return [`<skill name="${safeName}"/>`];
    default:
      return unreachable(style);
  }
}

/** Text as it may stand in an element or an attribute. */
export function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#x27;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}
