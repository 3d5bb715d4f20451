import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { Reason } from '#shared/model/plan.ts';
import { compareFingerprints, type FingerprintDifference } from '../fingerprint/compare-fingerprints.ts';
import { parseFileList } from '../fingerprint/file-list.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { changedLines } from './changed-lines.ts';
import type { PlannerOptions } from './planner-options.ts';
import { definitionText } from './reason-difference.ts';
import { changeReasons, lastFailedReason, plainReasons } from './reasons.ts';

type MissFacts = Pick<PlannerOptions, 'resolution' | 'cache' | 'workspace' | 'now' | 'fileText'>;

/** Says why no kept result fits a step: by what failed before, and by what differs from the nearest earlier result. */
export class MissReasons {
  readonly #facts: MissFacts;

  constructor(facts: MissFacts) {
    this.#facts = facts;
  }

  /** Whether no result of the skill was ever kept, so that there is none to find either. */
  isNew(index: number): boolean {
    const { cache, workspace, resolution } = this.#facts;
    return cache.nearest(workspace, resolution.skills[index]!.id) === undefined;
  }

  withoutEntry(index: number, key?: Digest): Reason[] {
    const { cache, workspace, now, resolution } = this.#facts;
    const failure = cache.lastFailure(workspace, resolution.skills[index]!.id);
    if (!failure) return [plainReasons.noEntry];
    return [lastFailedReason(failure, now, key !== undefined && failure.key !== key)];
  }

  of(
    index: number,
    step: { key: Digest; fingerprint: Fingerprint; files: ReadonlyMap<string, Digest> },
  ): Reason[] {
    const { cache, workspace, now, resolution } = this.#facts;
    const node = resolution.skills[index]!;
    const failure = cache.lastFailure(workspace, node.id);
    if (failure?.key === step.key) return [lastFailedReason(failure, now, false)];
    const nearest = cache.nearest(workspace, node.id);
    if (!nearest) return this.withoutEntry(index, step.key);
    if (nearest.key === step.key || !nearest.fingerprint) return [plainReasons.evicted];
    const text = cache.text(nearest.fingerprint.files);
    const differences = compareFingerprints(nearest.fingerprint, step.fingerprint, {
      filesBefore: text === undefined ? undefined : parseFileList(text),
      filesAfter: step.files,
    });
    const reasons = changeReasons(differences, (difference) => this.#linesOf(node, difference));
    return reasons.length > 0 ? reasons : [plainReasons.noEntry];
  }

  #linesOf(
    node: ResolvedSkill,
    { reason, subject, before, after }: FingerprintDifference,
  ): number | undefined {
    if (before === undefined || after === undefined) return undefined;
    const { cache, fileText } = this.#facts;
    const isFile = reason === 'file-changed';
    const defined = isFile ? undefined : definitionText(node, { id: reason, subject });
    if (!isFile && defined === undefined) return undefined;
    const then = cache.text(before);
    if (then === undefined) return undefined;
    const now = isFile ? fileText?.(subject) : defined;
    return now === undefined ? undefined : changedLines(then, now);
  }
}
