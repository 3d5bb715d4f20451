import type { FrontmatterField, FrontmatterValue } from './frontmatter.ts';
import { topOfFile } from './problem.ts';
import type { SkillProblems } from './problem.ts';

/** The fields that the specification defines, in the order in which properties are printed. */
export const knownFields = [
  'name',
  'description',
  'license',
  'compatibility',
  'allowed-tools',
  'metadata',
] as const;

export const maxNameLength = 64;
export const maxDescriptionLength = 1024;
export const maxCompatibilityLength = 500;

/** What a SKILL.md says about its skill; a missing property was not given or cannot be used. */
export interface SkillProperties {
  /** In NFKC, without blanks around it. */
  readonly name?: string;
  readonly description?: string;
  readonly license?: string;
  readonly compatibility?: string;
  /** As written; see `tokenizeTools`. */
  readonly allowedTools?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Checks the fields in the reference validator's order and words, and gives what is usable of them. */
export function checkFields(
  fields: readonly FrontmatterField[],
  directoryName: string,
  problems: SkillProblems,
): SkillProperties {
  const field = (key: string) => fields.find((candidate) => candidate.key === key);
  checkUnexpected(fields, problems);
  const name = checkName(field('name'), directoryName, problems);
  const description = checkDescription(field('description'), problems);
  const compatibility = checkCompatibility(field('compatibility'), problems);
  const license = checkLicense(field('license'), problems);
  const allowedTools = checkAllowedTools(field('allowed-tools'), problems);
  const metadata = checkMetadata(field('metadata'), problems);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(allowedTools !== undefined && { allowedTools }),
    ...(metadata !== undefined && { metadata }),
  };
}

function checkUnexpected(fields: readonly FrontmatterField[], problems: SkillProblems): void {
  const unexpected = fields.filter(({ key }) => !(knownFields as readonly string[]).includes(key));
  if (unexpected.length === 0) return;
  const names = unexpected.map(({ key }) => key).sort();
  const known = [...knownFields].sort().map((key) => `'${key}'`);
  const message = `Unexpected fields in frontmatter: ${names.join(', ')}. Only [${known.join(', ')}] are allowed.`;
  problems.violation('agent-skill.unexpected-fields', unexpected[0]!.at, message);
}

function checkName(
  field: FrontmatterField | undefined,
  directoryName: string,
  problems: SkillProblems,
): string | undefined {
  if (field === undefined) {
    problems.violation('agent-skill.missing-name', topOfFile, 'Missing required field in frontmatter: name');
    return undefined;
  }
  const { value, at } = field;
  if (typeof value !== 'string' || value.trim() === '') {
    problems.violation('agent-skill.missing-name', at, "Field 'name' must be a non-empty string");
    return undefined;
  }
  const name = normalizeName(value);
  for (const { code, message } of nameProblems(name)) problems.violation(code, at, message);
  if (directoryName.normalize('NFKC') !== name) {
    const message = `Directory name '${directoryName}' must match skill name '${name}'`;
    problems.violation('agent-skill.directory-mismatch', at, message);
  }
  if (value !== value.trim()) {
    problems.warning('agent-skill.not-portable', at, 'Other clients may refuse a name with blanks around it');
  }
  if (/[^\0-\x7f]/.test(name)) {
    const message = `Other clients may refuse name '${name}': it has letters beyond a to z`;
    problems.warning('agent-skill.not-portable', at, message);
  }
  return name;
}

/** The form in which names are compared and stored. */
export function normalizeName(name: string): string {
  return name.trim().normalize('NFKC');
}

/** What the specification has against a name in its normal form. */
export function nameProblems(
  name: string,
): { readonly code: 'agent-skill.name-too-long' | 'agent-skill.bad-name'; readonly message: string }[] {
  const found: ReturnType<typeof nameProblems> = [];
  const bad = (message: string) => found.push({ code: 'agent-skill.bad-name', message });
  const length = [...name].length;
  if (length > maxNameLength) {
    const message = `Skill name '${name}' exceeds ${maxNameLength} character limit (${length} chars)`;
    found.push({ code: 'agent-skill.name-too-long', message });
  }
  if (name !== name.toLowerCase()) bad(`Skill name '${name}' must be lowercase`);
  if (name.startsWith('-') || name.endsWith('-')) bad('Skill name cannot start or end with a hyphen');
  if (name.includes('--')) bad('Skill name cannot contain consecutive hyphens');
  if (!/^[\p{L}\p{N}-]+$/u.test(name)) {
    bad(`Skill name '${name}' contains invalid characters. Only letters, digits, and hyphens are allowed.`);
  }
  return found;
}

function checkDescription(field: FrontmatterField | undefined, problems: SkillProblems): string | undefined {
  if (field === undefined) {
    const message = 'Missing required field in frontmatter: description';
    problems.error('agent-skill.missing-description', topOfFile, message);
    return undefined;
  }
  const { value, at } = field;
  if (typeof value !== 'string' || value.trim() === '') {
    problems.error('agent-skill.missing-description', at, "Field 'description' must be a non-empty string");
    return undefined;
  }
  const length = [...value].length;
  if (length > maxDescriptionLength) {
    const message = `Description exceeds ${maxDescriptionLength} character limit (${length} chars)`;
    problems.violation('agent-skill.description-too-long', at, message);
  }
  return value.trim();
}

function checkCompatibility(
  field: FrontmatterField | undefined,
  problems: SkillProblems,
): string | undefined {
  const value = checkText(field, problems);
  if (field === undefined || value === undefined) return undefined;
  if (value.trim() === '') {
    const message = "Field 'compatibility' must be a non-empty string";
    problems.violation('agent-skill.bad-compatibility', field.at, message);
    return undefined;
  }
  const length = [...value].length;
  if (length > maxCompatibilityLength) {
    const message = `Compatibility exceeds ${maxCompatibilityLength} character limit (${length} chars)`;
    problems.violation('agent-skill.bad-compatibility', field.at, message);
  }
  return value;
}

function checkLicense(field: FrontmatterField | undefined, problems: SkillProblems): string | undefined {
  return checkText(field, problems);
}

function checkText(field: FrontmatterField | undefined, problems: SkillProblems): string | undefined {
  if (field === undefined || typeof field.value === 'string') return field?.value as string | undefined;
  problems.violation('agent-skill.not-text', field.at, `Field '${field.key}' must be a string`);
  return undefined;
}

function checkAllowedTools(field: FrontmatterField | undefined, problems: SkillProblems): string | undefined {
  if (field === undefined) return undefined;
  const { value } = field;
  if (
    Array.isArray(value) &&
    (value as readonly FrontmatterValue[]).every((item) => typeof item === 'string')
  ) {
    const message =
      "Field 'allowed-tools' must be a string: write the tools on one line, with spaces between";
    problems.violation('agent-skill.not-text', field.at, message);
    return (value as readonly string[]).join(' ');
  }
  return checkText(field, problems);
}

function checkMetadata(
  field: FrontmatterField | undefined,
  problems: SkillProblems,
): Readonly<Record<string, string>> | undefined {
  if (field === undefined || field.value === '') return undefined;
  if (typeof field.value === 'string' || Array.isArray(field.value)) {
    const message = "Field 'metadata' must be a map of keys and texts";
    problems.violation('agent-skill.bad-metadata', field.at, message);
    return undefined;
  }
  const entries = Object.entries(field.value);
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const other = entries.find(([, value]) => typeof value !== 'string')?.[0];
  if (other !== undefined) {
    const message = `Field 'metadata' must hold texts only: the value of '${other}' is a list or map`;
    problems.violation('agent-skill.bad-metadata', field.at, message);
  }
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
