import type { AntiHeuristic, Framework, Heuristic, Metadata } from '../model/lens.ts';

/** What of a lens a model reads: its version, its author and where its parts come from are not among it. */
export interface PromptLens {
  readonly metadata: Pick<Metadata, 'name' | 'domain' | 'description'>;
  readonly heuristics: readonly Heuristic[];
  readonly antiHeuristics: readonly AntiHeuristic[];
  readonly communication?: Readonly<Record<string, unknown>> | undefined;
  readonly framework?: Framework | undefined;
}

/** What a lens tells a model: who it is, its heuristics with the weightiest first, what to avoid, how to talk, its framework. */
export function lensText({
  metadata,
  heuristics,
  antiHeuristics,
  communication,
  framework,
}: PromptLens): string {
  const { name, domain, description } = metadata;
  const who = [
    name === undefined
      ? ''
      : `You work as "${name}"${domain === undefined ? '' : `, an expert in ${domain}`}.`,
    description?.trim() ?? '',
  ];
  return [
    section('', who, '\n'),
    section('Heuristics', byPriority(heuristics).map(heuristicText), '\n\n'),
    section('Avoid', antiHeuristics.map(antiHeuristicText), '\n\n'),
    section('Communication', communication ? [valueText(communication)] : [], '\n'),
    section('Framework', framework ? [frameworkText(framework)] : [], '\n'),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function section(title: string, parts: readonly string[], between: string): string {
  const told = parts.filter((part) => part.trim() !== '');
  if (told.length === 0) return '';
  return `${title === '' ? '' : `# ${title}\n\n`}${told.join(between)}`;
}

const usualPriority = 0.5;

/** Lenses count from 1 to 10 or from 0 to 1: what has a priority above 1 counts to 10. */
function byPriority(heuristics: readonly Heuristic[]): Heuristic[] {
  const most = heuristics.some(({ priority = 0 }) => priority > 1) ? 10 : 1;
  const weight = ({ priority }: Heuristic): number =>
    priority === undefined ? usualPriority : priority / most;
  return heuristics.toSorted((a, b) => weight(b) - weight(a));
}

function heuristicText(heuristic: Heuristic): string {
  const { name, rule, test, always, never, antiPatterns, wisdom, judgment, examples } = heuristic;
  return [
    `## ${name}`,
    rule?.trim() ?? '',
    test === undefined ? '' : `Test: ${test.trim()}`,
    list('Always', always),
    list('Never', never),
    list('Avoid', antiPatterns),
    list('Know', wisdom),
    list('Judge', judgment),
    examples === undefined ? '' : `Examples:\n${valueText(examples)}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function antiHeuristicText({ name, description, triggers, correction }: AntiHeuristic): string {
  return [
    `## ${name}`,
    description?.trim() ?? '',
    list('Seen in', triggers),
    correction === undefined ? '' : `Instead: ${correction.trim()}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function frameworkText({ name, description, categories, value }: Framework): string {
  const known = [name, description?.trim()].filter((part) => part !== undefined);
  const told = [...known, ...(categories.length > 0 ? [valueText(categories)] : [])];
  return told.length > 0 ? told.join('\n') : valueText(value);
}

function list(title: string, items: readonly string[] | undefined): string {
  if (!items || items.length === 0) return '';
  return `${title}:\n${items.map((item) => `- ${item.trim().replace(/\n/g, '\n  ')}`).join('\n')}`;
}

/** A value of YAML as people would write it down. */
function valueText(value: unknown, indent = ''): string {
  if (typeof value === 'string') return value.trim().replace(/\n/g, `\n${indent}`);
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Array.isArray(value)
    ? value.map((item: unknown) => ['-', item] as const)
    : Object.entries(value).map(([key, item]) => [`- ${key}:`, item as unknown] as const);
  return entries
    .map(([head, item]) => {
      const isNested = typeof item === 'object' && item !== null && head !== '-';
      const inside = valueText(item, `${indent}  `);
      return isNested ? `${indent}${head}\n${inside}` : `${indent}${head} ${inside.trimStart()}`;
    })
    .join('\n');
}
