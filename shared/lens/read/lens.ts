import { isScalar, isSeq } from 'yaml';
import type { Framework, Lens, QualityPolicy, SkillRetry } from '../../model/lens.ts';
import { lensKeys, opaqueLensKeys } from '../../model/lens-file.ts';
import { openYaml } from '../yaml/open.ts';
import type { Fields } from './fields.ts';
import { Reader } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { readHeuristics } from './heuristics.ts';
import { readInputs } from './inputs.ts';
import { readLinks } from './links.ts';
import { readMetadata } from './metadata.ts';
import { readPersonas } from './personas.ts';
import { readRouter } from './router.ts';
import { rootFields } from './root.ts';
import type { Read } from './root.ts';
import { readIncludes, readSkillSources } from './skill-sources.ts';
import { readSkills } from './skill.ts';
import { readValidators } from './validators.ts';
import { readWorkflows } from './workflows.ts';

/** Reads a lens, wrapped in `lens:` or bare. Never throws. */
export function readLens(text: string, file: string, opened = openYaml(text, file)): Read<Lens> {
  const { source, problems } = opened;
  const reader = new Reader(source, problems);
  const root = rootFields(reader, 'a map with "lens:" or "metadata:"');
  if (root === undefined) return { value: emptyLens, diagnostics: problems.diagnostics, source };
  const wrapped = root.get('lens') !== undefined && !root.has('metadata');
  if (wrapped) root.rest(['lens']);
  const lens = wrapped ? root.map('lens') : root;
  const value = lens === undefined ? emptyLens : readLensFields(lens);
  return { value, diagnostics: problems.diagnostics, source };
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

function readLensFields(lens: Fields): Lens {
  const { includes, skillEntries } = readIncludes(lens);
  const extendsLinks = readLinks(lens, 'extends');
  if (extendsLinks.length > 1) lens.reader.wrongType(lens.get('extends')!, 'extends', 'one lens');
  const unknown = lens.rest(lensKeys.lens);
  return {
    path: lens.path,
    metadata: readMetadata(lens),
    compose: readLinks(lens, 'compose'),
    ...readHeuristics(lens),
    personas: readPersonas(lens),
    validators: readValidators(lens),
    workflows: readWorkflows(lens),
    skillSources: readSkillSources(lens),
    skills: readSkills(lens.reader, skillEntries),
    includes,
    inputs: readInputs(lens),
    ...given({
      extends: extendsLinks[0],
      framework: readFramework(lens),
      qualityPolicy: readQualityPolicy(lens),
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

function readQualityPolicy(lens: Fields): QualityPolicy | undefined {
  const fields = lens.map('quality_policy');
  if (fields === undefined) return undefined;
  return given({
    minConfidence: fields.number('min_confidence', { min: 0, max: 1 }),
    requiredValidators: fields
      .placedTexts('required_validators')
      ?.map(({ text, at, path }) => ({ name: text, at, path })),
    personaAgreement: fields.number('persona_agreement', { min: 0, max: 1 }),
    retryLimit: fields.number('retry_limit', { min: 0, max: Infinity, whole: true }),
    signalsOfQuality: fields.texts('signals_of_quality'),
    signalsOfProblems: fields.texts('signals_of_problems'),
    extra: unlessEmpty(fields.rest(lensKeys.qualityPolicy)),
  });
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
