import { isSeq } from 'yaml';
import type { DeterministicValidator, HeuristicValidator, Lens } from '../../model/lens.ts';
import { lensKeys } from '../../model/file-keys.ts';
import {
  asksJudge,
  deterministicChecks,
  heuristicChecks,
  successConditions,
  validatorMethods,
  validatorSeverities,
} from '../../model/lens-terms.ts';
import { lookupName } from '../names.ts';
import { quote } from '../problems.ts';
import type { Fields } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { readMaps, readName, reportDuplicates } from './named.ts';

/** Reads `validators` as a map of two lists, or as one list whose entries say by their keys what they are. */
export function readValidators(lens: Fields): Lens['validators'] {
  const deterministic: DeterministicValidator[] = [];
  const heuristic: HeuristicValidator[] = [];
  const { reader } = lens;
  if (isSeq(lens.get('validators'))) {
    readMaps(reader, lens.entries('validators'), 'validators', (fields) => {
      if (asksJudge((key) => fields.has(key))) push(heuristic, readHeuristicValidator(fields));
      else push(deterministic, readDeterministicValidator(fields));
      return undefined;
    });
  } else {
    const map = lens.map('validators');
    map?.rest(['deterministic', 'heuristic']);
    deterministic.push(
      ...readMaps(reader, map?.entries('deterministic') ?? [], 'deterministic', readDeterministicValidator),
    );
    heuristic.push(...readMaps(reader, map?.entries('heuristic') ?? [], 'heuristic', readHeuristicValidator));
  }
  const all = [...deterministic, ...heuristic];
  reportDuplicates(reader, all, { code: 'lens.duplicate-name', what: 'Validator', lookup: lookupName });
  return { deterministic, heuristic };
}

function push<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item);
}

function has(fields: Fields, keys: readonly string[]): boolean {
  return keys.some((key) => fields.has(key));
}

function reportNoCheck(fields: Fields, name: string | undefined, wanted: readonly string[]): void {
  if (name === undefined || has(fields, wanted)) return;
  const list = wanted.map((key) => `"${key}"`).join(', ');
  fields.reader.report(
    'validator.no-check',
    fields.get('name')!,
    `Validator ${quote(name)} checks nothing: add one of ${list}`,
  );
}

function checkPattern(fields: Fields, key: string): void {
  for (const { text, at } of fields.placedTexts(key) ?? []) {
    try {
      new RegExp(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const message = `${quote(key)} is not a regular expression: ${error.message}`;
      fields.reader.problems.add('validator.bad-pattern', at, message);
    }
  }
}

function readDeterministicValidator(fields: Fields): DeterministicValidator | undefined {
  const name = readName(fields, 'validator.missing-name', 'Validator');
  reportNoCheck(fields, name, deterministicChecks);
  checkPattern(fields, 'success_pattern');
  checkPattern(fields, 'matches');
  const validator = given({
    kind: 'deterministic' as const,
    name: name ?? '',
    description: fields.text('description'),
    command: fields.text('command'),
    script: fields.text('script'),
    successPattern: fields.text('success_pattern'),
    successWhen: fields.choice('success_when', successConditions),
    severity: fields.choice('severity', validatorSeverities),
    timeoutSeconds: fields.number('timeout', { min: 1, max: 300 }),
    contains: fields.texts('contains'),
    notContains: fields.texts('not_contains'),
    matches: fields.texts('matches'),
    maxWords: fields.number('max_words', { min: 0, max: Infinity, whole: true }),
    jsonSchema: fields.plain('json_schema'),
    override: fields.flag('override'),
    extra: unlessEmpty(fields.rest(lensKeys.deterministicValidator)),
    at: fields.at,
    path: fields.path,
  });
  return name === undefined ? undefined : validator;
}

function readHeuristicValidator(fields: Fields): HeuristicValidator | undefined {
  const name = readName(fields, 'validator.missing-name', 'Validator');
  reportNoCheck(fields, name, heuristicChecks);
  const validator = given({
    kind: 'heuristic' as const,
    name: name ?? '',
    description: fields.text('description'),
    prompt: fields.text('prompt') ?? fields.text('check'),
    method: fields.choice('method', validatorMethods),
    severity: fields.choice('severity', validatorSeverities),
    confidenceThreshold: fields.number('confidence_threshold', { min: 0, max: 1 }),
    override: fields.flag('override'),
    extra: unlessEmpty(fields.rest(lensKeys.heuristicValidator)),
    at: fields.at,
    path: fields.path,
  });
  return name === undefined ? undefined : validator;
}
