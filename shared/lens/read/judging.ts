import type { Diagnostic, Location } from '../../model/diagnostic.ts';
import { lensKeys } from '../../model/file-keys.ts';
import type { Lens, QualityPolicy } from '../../model/lens.ts';
import { holdsLocation } from '../holds-location.ts';
import type { Fields } from './fields.ts';
import { given, unlessEmpty } from './given.ts';
import { readLinks } from './links.ts';
import { readValidators } from './validators.ts';

type Judging = Pick<Lens, 'extends' | 'compose' | 'validators' | 'qualityPolicy'>;

const judgingKeys: ReadonlySet<string> = new Set(['extends', 'compose', 'validators', 'quality_policy']);

/** What left something out; a validator that checks nothing or by a bad pattern is still asked, and says so itself. */
const leavesOut: ReadonlySet<string> = new Set([
  'value.wrong-type',
  'validator.missing-name',
  'lens.bad-reference',
]);

/** Reads what decides who judges, here or in a lens it builds on, and tells what of that could not be read. */
export function readJudging(lens: Fields): { judging: Judging; unread: Diagnostic[] } {
  const { diagnostics } = lens.reader.problems;
  const before = diagnostics.length;
  const extendsLinks = readLinks(lens, 'extends');
  if (extendsLinks.length > 1) lens.reader.wrongType(lens.get('extends')!, 'extends', 'one lens');
  const judging: Judging = {
    compose: readLinks(lens, 'compose'),
    validators: readValidators(lens),
    ...given({ extends: extendsLinks[0], qualityPolicy: readQualityPolicy(lens) }),
  };
  return { judging, unread: diagnostics.slice(before).filter(({ code }) => leavesOut.has(code)) };
}

/** Of the errors of a text as YAML those that may have cost it judges: all where it is broken, for anything may be lost then. */
export function judgingErrors(lens: Fields, errors: readonly Diagnostic[]): readonly Diagnostic[] {
  const { source } = lens.reader;
  if (source.isBroken || errors.length === 0) return errors;
  const others = [...lens.keys()]
    .filter((key) => !judgingKeys.has(key))
    .flatMap((key) => lens.get(key) ?? []);
  const places = others.map((node): Location => source.at(node));
  return errors.filter(({ location }) => !places.some((place) => holdsLocation(place, location)));
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
