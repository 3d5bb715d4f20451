import type { ArtifactRecord, StepRecord } from '#shared/model/run.ts';

/** A file that a run proposes to change, and the step whose proposal counts. */
export interface Proposal extends ArtifactRecord {
  readonly skill: string;
}

/** What a run proposes, one proposal a path: of several steps the last in the plan's order counts. */
export function proposalsOf(steps: readonly StepRecord[]): Proposal[] {
  const byPath = new Map<string, Proposal>();
  for (const step of proposing(steps)) {
    for (const artifact of step.artifacts) byPath.set(artifact.path, { ...artifact, skill: step.skill });
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The paths for which two steps propose different things. */
export function clashesOf(steps: readonly StepRecord[]): { path: string; first: string; last: string }[] {
  const last = new Map(proposalsOf(steps).map((proposal) => [proposal.path, proposal]));
  return proposing(steps).flatMap(({ skill, artifacts }) =>
    artifacts.flatMap(({ path, operation, contentHash }) => {
      const counts = last.get(path)!;
      const isSame = counts.operation === operation && counts.contentHash === contentHash;
      return isSame ? [] : [{ path, first: skill, last: counts.skill }];
    }),
  );
}

/** A result that its judges refused proposes nothing. */
function proposing(steps: readonly StepRecord[]): StepRecord[] {
  return steps.filter(({ state }) => state === 'ran' || state === 'cached');
}
