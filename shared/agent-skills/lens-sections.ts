import type { DeterministicValidator, Heuristic, HeuristicValidator, Persona } from '../model/lens.ts';

/** What a lens knows, as far as a SKILL.md can say it. */
export interface LensJudgment {
  readonly heuristics: readonly Heuristic[];
  readonly validators: readonly (DeterministicValidator | HeuristicValidator)[];
  readonly personas: readonly Persona[];
}

/** A file or address that a body points to; the path is from the skill's folder. */
export interface SectionLink {
  readonly title: string;
  readonly target: string;
}

/** The judgment of a lens and the files of a skill as sections of a body; empty where there is nothing to say. */
export function lensSections(judgment: LensJudgment, links: readonly SectionLink[] = []): string {
  return [
    section('Instructions', judgment.heuristics.map(heuristicText), '\n\n'),
    section('Verification', judgment.validators.map(validatorLine), '\n'),
    section('User Contexts', judgment.personas.map(personaText), '\n\n'),
    section('Resources', links.map(linkLine), '\n'),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function section(title: string, parts: readonly string[], between: string): string {
  return parts.length === 0 ? '' : `## ${title}\n\n${parts.join(between)}`;
}

function heuristicText({
  name,
  rule,
  test,
  always,
  never,
  antiPatterns,
  wisdom,
  judgment,
}: Heuristic): string {
  return paragraphs([
    `### ${oneLine(name)}`,
    rule,
    test === undefined ? undefined : `Test: ${test.trim()}`,
    list('Always', always),
    list('Never', never),
    list('Avoid', antiPatterns),
    list('Know', wisdom),
    list('Judge', judgment),
  ]);
}

function validatorLine(validator: DeterministicValidator | HeuristicValidator): string {
  const said =
    validator.description ?? (validator.kind === 'heuristic' ? validator.prompt : checkOf(validator));
  return `- [ ] ${oneLine(validator.name)}${said === undefined ? '' : `: ${oneLine(said)}`}`;
}

function checkOf({ command, contains, notContains, maxWords }: DeterministicValidator): string | undefined {
  if (command !== undefined) return `\`${oneLine(command)}\` succeeds`;
  const rules = [
    contains && `contains ${contains.map(quoted).join(', ')}`,
    notContains && `does not contain ${notContains.map(quoted).join(', ')}`,
    maxWords !== undefined && `has at most ${maxWords} words`,
  ].filter((rule) => typeof rule === 'string');
  return rules.length === 0 ? undefined : rules.join('; ');
}

function personaText({
  name,
  description,
  background,
  goals,
  frictionPoints,
  attackVectors,
}: Persona): string {
  return paragraphs([
    `### ${oneLine(name)}`,
    description,
    background,
    list('Goals', goals),
    list('Friction', frictionPoints),
    list('Attacks', attackVectors),
  ]);
}

function linkLine({ title, target }: SectionLink): string {
  if (/^[^\s()<>\\]+$/.test(target)) return `- [${escapedTitle(title)}](${target})`;
  // In angle brackets a target may hold blanks and brackets; one with angle brackets itself is shown as code.
  if (/^[^\n<>\\]+$/.test(target)) return `- [${escapedTitle(title)}](<${target}>)`;
  return `- ${escapedTitle(title)}: \`${oneLine(target)}\``;
}

function list(title: string, items: readonly string[] | undefined): string | undefined {
  if (items === undefined || items.length === 0) return undefined;
  return `${title}:\n\n${items.map((item) => `- ${oneLine(item)}`).join('\n')}`;
}

function paragraphs(parts: readonly (string | undefined)[]): string {
  return parts
    .map((part) => part?.trim() ?? '')
    .filter((part) => part !== '')
    .join('\n\n');
}

function quoted(text: string): string {
  return `"${oneLine(text)}"`;
}

function escapedTitle(text: string): string {
  return oneLine(text).replace(/[[\]\\]/g, (character) => `\\${character}`);
}

/** A heading or an item ends with its line: a break inside would end it early. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
