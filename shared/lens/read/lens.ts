import { isScalar, isSeq } from 'yaml';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Framework, Lens, SkillRetry } from '../../model/lens.ts';
import { lensKeys } from '../../model/file-keys.ts';
import { opaqueLensKeys } from '../../model/lens-terms.ts';
import { openYaml } from '../yaml/open.ts';
import type { Fields } from './fields.ts';
import { Reader } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { readHeuristics } from './heuristics.ts';
import { readInputs } from './inputs.ts';
import { judgingErrors, readJudging } from './judging.ts';
import { readMetadata } from './metadata.ts';
import { readPersonas } from './personas.ts';
import { readRouter } from './router.ts';
import { rootFields } from './root.ts';
import type { Read } from './root.ts';
import { readIncludes, readSkillSources } from './skill-sources.ts';
import { readSkills } from './skill.ts';
import { readWorkflows } from './workflows.ts';

/** Reads a lens, wrapped in `lens:` or bare. Never throws. */
export function readLens(text: string, file: string, opened = openYaml(text, file)): Read<Lens> {
  const { source, problems } = opened;
  const reader = new Reader(source, problems);
  const yamlErrors = errorsOf(problems.diagnostics);
  const root = rootFields(reader, 'a map with "lens:" or "metadata:"');
  const wrapped = root?.get('lens') !== undefined && !root.has('metadata');
  if (wrapped) root.rest(['lens']);
  const lens = wrapped ? root.map('lens') : root;
  const value = lens ? readLensFields(lens, yamlErrors) : unreadLens(errorsOf(problems.diagnostics));
  return { value, diagnostics: problems.diagnostics, source };
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

function unreadLens(gaps: readonly Diagnostic[]): Lens {
  return gaps.length > 0 ? { ...emptyLens, gaps } : emptyLens;
}

const emptyLens: Lens = {
  path: [],
  metadata: {},
  compose: [],
  heuristics: [],
  antiHeuristics: [],
  personas: [],
  validators: { deterministic: [], heuristic: [] },
  workflows: [],
  skillSources: [],
  skills: [],
  includes: [],
  inputs: [],
  other: {},
};

function readLensFields(lens: Fields, yamlErrors: readonly Diagnostic[]): Lens {
  const { includes, skillEntries } = readIncludes(lens);
  const { judging, unread } = readJudging(lens);
  const gaps = [...judgingErrors(lens, yamlErrors), ...unread];
  const unknown = lens.rest(lensKeys.lens);
  return {
    path: lens.path,
    metadata: readMetadata(lens),
    ...judging,
    ...readHeuristics(lens),
    personas: readPersonas(lens),
    workflows: readWorkflows(lens),
    skillSources: readSkillSources(lens),
    skills: readSkills(lens.reader, skillEntries),
    includes,
    inputs: readInputs(lens),
    ...given({
      gaps: unlessEmpty(gaps),
      framework: readFramework(lens),
      router: readRouter(lens),
      skillRetry: readSkillRetry(lens),
    }),
    other: { ...readOpaque(lens), ...unknown },
  };
}

function readOpaque(lens: Fields): Record<string, unknown> {
  const opaque: Record<string, unknown> = {};
  for (const key of opaqueLensKeys) if (lens.has(key)) opaque[key] = lens.plain(key);
  return opaque;
}

function readFramework(lens: Fields): Framework | undefined {
  const key = lens.has('framework') ? 'framework' : 'classification';
  const node = lens.get(key);
  if (node === undefined) return undefined;
  const place = { value: lens.plain(key), at: lens.reader.source.at(node), path: lens.pathOf(key) };
  if (isScalar(node)) return { categories: [], ...given({ name: lens.text(key) }), ...place };
  if (isSeq(node)) return { categories: place.value as unknown[], ...place };
  const map = lens.map(key);
  if (map === undefined) return undefined;
  const categories =
    map.plain('categories') ??
    (map.plain('classification') as { categories?: unknown } | undefined)?.categories;
  return {
    categories: Array.isArray(categories) ? (categories as unknown[]) : [],
    ...given({ name: map.text('name'), description: map.text('description') }),
    ...place,
  };
}

function readSkillRetry(lens: Fields): SkillRetry | undefined {
  const fields = lens.map('skill_retry');
  if (fields === undefined) return undefined;
  return given({
    maxAttempts: fields.number('max_attempts', { min: 1, max: 10, whole: true }),
    backoffMs: readBackoff(fields),
    retryOn: fields.texts('retry_on'),
    abortOn: fields.texts('abort_on'),
    extra: unlessEmpty(fields.rest(lensKeys.skillRetry)),
  });
}

function readBackoff(fields: Fields): number[] | undefined {
  const node = fields.get('backoff_ms');
  if (node === undefined) return undefined;
  const value = fields.plain('backoff_ms');
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  if (list.every((item): item is number => typeof item === 'number' && item >= 0)) return list;
  fields.reader.wrongType(node, 'backoff_ms', 'a list of milliseconds');
  return undefined;
}
