import { StudioError } from '../errors.ts';
import { maxCompatibilityLength, maxDescriptionLength, maxNameLength } from './check-fields.ts';
import type { SkillProperties } from './check-fields.ts';
import type { LineBreak } from './split-frontmatter.ts';
import { yamlText } from './yaml-text.ts';

/** What a SKILL.md is written from. */
export interface NewSkill extends SkillProperties {
  readonly name: string;
  readonly description: string;
  /** Follows the closing line as it is. */
  readonly body: string;
  readonly lineBreak?: LineBreak;
}

/** Says whether every client takes this name, whatever the file system. */
export function isPortableName(name: string): boolean {
  return name.length <= maxNameLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/** The text of a SKILL.md that is valid by the letter; refuses what cannot be said in one. */
export function writeSkill(skill: NewSkill): string {
  refuseInvalid(skill);
  const lines = ['---', `name: ${yamlText(skill.name)}`, `description: ${yamlText(skill.description)}`];
  if (skill.license !== undefined) lines.push(`license: ${yamlText(skill.license)}`);
  if (skill.compatibility !== undefined) lines.push(`compatibility: ${yamlText(skill.compatibility)}`);
  if (skill.allowedTools !== undefined) lines.push(`allowed-tools: ${yamlText(skill.allowedTools)}`);
  const metadata = Object.entries(skill.metadata ?? {});
  if (metadata.length > 0) lines.push('metadata:');
  for (const [key, value] of metadata) lines.push(`  ${yamlText(key)}: ${yamlText(value)}`);
  lines.push('---', '');
  return lines.join(skill.lineBreak ?? '\n') + skill.body;
}

function refuseInvalid({ name, description, compatibility }: NewSkill): void {
  const refuse = (problem: string): never => {
    throw new StudioError('agent-skill.invalid', `Cannot write skill "${name}": ${problem}`, { name });
  };
  if (!isPortableName(name)) {
    refuse('the name must have up to 64 letters a to z, digits and single hyphens');
  }
  if (description.trim() === '') refuse('it has no description');
  if ([...description].length > maxDescriptionLength) {
    refuse(`the description has more than ${maxDescriptionLength} characters`);
  }
  if (compatibility === undefined) return;
  const length = [...compatibility].length;
  if (compatibility.trim() === '' || length > maxCompatibilityLength) {
    refuse(`"compatibility" must have 1 to ${maxCompatibilityLength} characters`);
  }
}
