import type { QuickFix } from '../model/diagnostic.ts';
import type { Dependency, Skill } from '../model/skill.ts';
import {
  addToTexts,
  addDependency,
  addInput,
  removeContextKey,
  removeDependency,
} from './edit/lens-edits.ts';
import type { EditResult } from './edit/place.ts';
import { removeAt } from './edit/remove.ts';
import { setValue } from './edit/set.ts';
import { quote } from './problems.ts';
import type { Path, YamlSource } from './yaml/source.ts';

/** The edit as a quick fix, or none where the place cannot be edited safely. */
export function fixFrom(title: string, result: EditResult): QuickFix[] {
  return result.ok ? [{ title, edits: result.edits }] : [];
}

/** For a missing or ambiguous dependency: one fix per candidate that writes it instead. */
export function replaceDependencyFixes(
  source: YamlSource,
  dependency: Dependency,
  candidates: readonly string[],
): QuickFix[] {
  return candidates.flatMap((candidate) =>
    fixFrom(`Change to ${quote(candidate)}`, setValue(source, dependency.path, candidate)),
  );
}

/** For a missing dependency or a cycle: takes the dependency out. */
export function removeDependencyFix(source: YamlSource, skill: Skill, dependency: Dependency): QuickFix[] {
  return fixFrom(
    `Remove the dependency on ${quote(dependency.text)}`,
    removeDependency(source, skill.path, dependency.text),
  );
}

/** For an unsatisfied key: depends on a skill that produces it. */
export function addDependencyFix(source: YamlSource, skill: Skill, reference: string): QuickFix[] {
  return fixFrom(`Depend on ${quote(reference)}`, addDependency(source, skill.path, reference));
}

/** For an unsatisfied key: declares it as a run input of the lens. */
export function declareInputFix(lensSource: YamlSource, key: string): QuickFix[] {
  return fixFrom(`Declare ${quote(key)} as a run input`, addInput(lensSource, key, { description: '' }));
}

/** For a key nobody produces or reads: takes it out of the skill. */
export function removeContextKeyFix(
  source: YamlSource,
  skill: Skill,
  field: 'requires' | 'produces',
  key: string,
): QuickFix[] {
  return fixFrom(`Remove ${quote(key)} from "${field}"`, removeContextKey(source, skill.path, field, key));
}

/** For a skill that could deliver a missing key: adds it to what the skill produces. */
export function addProducesFix(source: YamlSource, skill: Skill, key: string): QuickFix[] {
  return fixFrom(
    `Let ${quote(skill.name)} produce ${quote(key)}`,
    addToTexts(source, skill.path, 'produces', key),
  );
}

/** For any text that names something else than it should, such as a shortcut: one fix per candidate. */
export function replaceTextFixes(source: YamlSource, path: Path, candidates: readonly string[]): QuickFix[] {
  return candidates.flatMap((candidate) =>
    fixFrom(`Change to ${quote(candidate)}`, setValue(source, path, candidate)),
  );
}

/** For an entry that should not be there: takes it out. */
export function removeEntryFix(source: YamlSource, path: Path, title: string): QuickFix[] {
  return fixFrom(title, removeAt(source, path));
}
