import type { Diagnostic, Location } from '#shared/model/diagnostic.ts';
import type { ResolvedGraphSkill } from '#shared/model/graph-document.ts';
import { groupBy } from './group-by.ts';

/** Errors and warnings that point into one skill. */
export interface SkillProblems {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

const none: SkillProblems = { errors: [], warnings: [] };

/** Sorts diagnostics by the skill whose text they point into; hints are no problems of a skill. */
export function skillProblems(
  skills: readonly ResolvedGraphSkill[],
  diagnostics: readonly Diagnostic[],
): (skill: ResolvedGraphSkill) => SkillProblems {
  const byFile = groupBy(skills, ({ origin }) => origin.file);
  const found = new Map<ResolvedGraphSkill, { errors: Diagnostic[]; warnings: Diagnostic[] }>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === 'info') continue;
    const { location } = diagnostic;
    const skill = byFile.get(location.file)?.find(({ origin }) => isInside(location, origin));
    if (!skill) continue;
    const problems = found.get(skill) ?? { errors: [], warnings: [] };
    problems[diagnostic.severity === 'error' ? 'errors' : 'warnings'].push(diagnostic);
    found.set(skill, problems);
  }
  return (skill) => found.get(skill) ?? none;
}

/** Whether a place starts within another. */
function isInside(place: Location, whole: Location): boolean {
  const isAfterStart = place.line > whole.line || (place.line === whole.line && place.column >= whole.column);
  const isBeforeEnd =
    place.line < whole.endLine || (place.line === whole.endLine && place.column < whole.endColumn);
  return isAfterStart && isBeforeEnd;
}
