import type { ResolvedGraph, ResolvedGraphSkill } from '../model/graph-document.ts';
import type { LensDocument } from '../model/lens-document.ts';
import { countText } from '../quantities.ts';

/** One part of what a lens does, in plain sentences. */
export interface SummaryPart {
  readonly title: string;
  readonly sentences: readonly string[];
}

type Item = LensDocument['heuristics'][number];

const mostNamed = 5;
const mostWaves = 8;

/** What a lens does, for somebody who will not read it: only what its resolved content says. Empty parts are left out. */
export function summarizeLens(graph: ResolvedGraph, lens: LensDocument | null): SummaryPart[] {
  const parts: SummaryPart[] = [
    { title: 'What it is', sentences: identity(graph, lens) },
    { title: 'How it thinks', sentences: lens ? thinking(lens) : [] },
    { title: 'What it does', sentences: doing(graph) },
    { title: 'What it needs', sentences: needs(graph, lens) },
    { title: 'What it delivers', sentences: delivers(graph) },
    { title: 'Who judges', sentences: lens ? judges(lens) : [] },
  ];
  return parts.filter(({ sentences }) => sentences.length > 0);
}

function identity({ lensName }: ResolvedGraph, lens: LensDocument | null): string[] {
  if (!lens) return [`"${lensName}" is a library: lenses take skills from it.`];
  const { metadata } = lens;
  const domain = textOf(metadata['domain']);
  const version = metadata.version === undefined ? '' : `, version ${metadata.version}`;
  const name = metadata.name ?? lensName;
  const description = textOf(metadata['description']);
  return [
    `"${name}"${version} is a lens${domain === undefined ? '' : ` for ${domain}`}.`,
    ...(description === undefined ? [] : [sentence(description)]),
    ...(lens.extends.length > 0 ? [`It builds on ${listed(lens.extends.map(fileName))}.`] : []),
  ];
}

function thinking({ heuristics, antiHeuristics, personas }: LensDocument): string[] {
  const top = [...heuristics].sort((a, b) => priorityOf(b) - priorityOf(a)).slice(0, 3);
  const rules = top.map((item) => {
    const rule = textOf(item['rule']);
    return rule === undefined ? `"${item.name}"` : `"${item.name}" (${withoutStop(rule)})`;
  });
  return [
    ...(heuristics.length > 0
      ? [
          heuristics.length > top.length
            ? `It follows ${countText(heuristics.length, 'heuristic')}, above all ${listed(rules)}.`
            : `It follows ${countText(heuristics.length, 'heuristic')}: ${listed(rules)}.`,
        ]
      : []),
    ...(antiHeuristics.length > 0 ? [`It avoids ${named(antiHeuristics)}.`] : []),
    ...(personas.length > 0 ? [`It thinks of ${named(personas)} as its readers.`] : []),
  ];
}

function doing({ skills, waves, unplaced }: ResolvedGraph): string[] {
  const count = Object.keys(skills).length;
  if (count === 0) return ['It has no skills yet.'];
  const describe = (key: string, isAlone: boolean): string => {
    const description = skills[key]?.description;
    return isAlone && description !== undefined ? `${key} (${withoutStop(description)})` : key;
  };
  const shown = waves.slice(0, mostWaves).map(({ skills: keys }, i) => {
    const named = keys.slice(0, mostNamed).map((key) => describe(key, keys.length <= 2));
    const rest = keys.length - named.length;
    const names = listed(rest > 0 ? [...named, `${rest} more`] : named);
    return `${i === 0 ? 'First' : i === waves.length - 1 ? 'Last' : 'Then'}: ${names}.`;
  });
  return [
    `Its ${countText(count, 'skill')} ${count === 1 ? 'runs' : 'run'} in ${countText(waves.length, 'wave')}.`,
    ...shown,
    ...(waves.length > mostWaves ? [`And ${countText(waves.length - mostWaves, 'more wave')}.`] : []),
    ...(unplaced.length > 0 ? [`In a circle, so that they cannot run: ${listed(unplaced)}.`] : []),
  ];
}

function needs({ skills }: ResolvedGraph, lens: LensDocument | null): string[] {
  const all = Object.entries(skills);
  const inputs = (lens?.inputs ?? []).map((input) =>
    input['hasDefault'] === true ? `${input.name} (has a default)` : input.name,
  );
  const asked = all.filter(([, skill]) => needsModel(skill)).map(([key]) => key);
  const given = new Set([
    ...(lens?.inputs ?? []).map(({ name }) => name),
    ...all.flatMap(([, skill]) => skill.produces),
  ]);
  const missing = [...new Set(all.flatMap(([, skill]) => skill.requires))].filter((key) => !given.has(key));
  const languages = [...new Set(all.flatMap(([, { scripts }]) => scripts.map(({ language }) => language)))];
  const trusted = all.filter(([, { trust }]) => trust === 'full').map(([key]) => key);
  return [
    ...(inputs.length > 0 ? [`Before a run it asks for ${listed(inputs)}.`] : []),
    ...(missing.length > 0
      ? [`It reads ${listed(missing.map((key) => `"${key}"`))}, which no skill and no input delivers.`]
      : []),
    ...(asked.length > 0
      ? [
          `${asked.length === 1 ? 'One skill needs' : `${asked.length} skills need`} a model: ${listed(asked.slice(0, mostNamed))}${asked.length > mostNamed ? ' and others' : ''}.`,
        ]
      : all.length > 0
        ? ['It needs no model: everything is done by scripts.']
        : []),
    ...(languages.length > 0 ? [`Its scripts need ${listed(languages)}, in the sandbox.`] : []),
    ...(trusted.length > 0 ? [`Full trust is asked for by ${listed(trusted)}.`] : []),
  ];
}

function delivers({ skills }: ResolvedGraph): string[] {
  const all = Object.values(skills);
  const read = new Set(all.flatMap(({ requires }) => requires));
  const results = [...new Set(all.flatMap(({ produces }) => produces))].filter((key) => !read.has(key));
  if (all.length === 0) return [];
  return [
    ...(results.length > 0 ? [`In the end there is ${listed(results)}.`] : []),
    'Files are only proposed: nothing is written before you have looked at it.',
  ];
}

function judges({ validators, qualityPolicy }: LensDocument): string[] {
  const { deterministic, heuristic } = validators;
  const confidence = qualityPolicy['minConfidence'];
  if (deterministic.length + heuristic.length === 0) return ['Nothing checks its results.'];
  return [
    ...(deterministic.length > 0 ? [`Checked without a model: ${named(deterministic)}.`] : []),
    ...(heuristic.length > 0 ? [`A model judges by ${named(heuristic)}.`] : []),
    ...(typeof confidence === 'number' ? [`A result needs a confidence of ${confidence}.`] : []),
  ];
}

function needsModel({ hasInstructions, scripts }: ResolvedGraphSkill): boolean {
  return hasInstructions && scripts.length === 0;
}

function named(items: readonly Item[]): string {
  const names = items.slice(0, mostNamed).map(({ name }) => `"${name}"`);
  const rest = items.length - names.length;
  return listed(rest > 0 ? [...names, `${rest} more`] : names);
}

/** Both scales in use, 1 to 10 and 0 to 1, on one. */
function priorityOf(item: Item): number {
  const value = item['priority'];
  if (typeof value !== 'number') return 0;
  return value <= 1 ? value * 10 : value;
}

function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().replace(/\s+/g, ' ') : undefined;
}

function withoutStop(text: string): string {
  return text.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function fileName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
