import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { Reason } from '#shared/model/plan.ts';
import { compareFingerprints, type FingerprintDifference } from '../fingerprint/compare-fingerprints.ts';
import { parseFileList } from '../fingerprint/file-list.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { changedLines } from './changed-lines.ts';
import type { PlannerOptions } from './planner-options.ts';
import { definitionText } from './reason-difference.ts';
import { changeReasons, lastFailedReason, plainReasons } from './reasons.ts';

/** A longer text is not kept beside a result. */
export const longestKeptText = 256 * 1024;

type MissFacts = Pick<PlannerOptions, 'resolution' | 'cache' | 'workspace' | 'now' | 'fileText'>;

interface MissedStep {
  readonly key: Digest;
  readonly fingerprint: Fingerprint;
  readonly files: ReadonlyMap<string, Digest>;
}

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

  /** Whether no kept result can fit, whatever comes in: every result keeps these texts beside it, and one is nowhere. */
  isUnseen(index: number, { files, definition }: Fingerprint): boolean {
    const { cache, resolution } = this.#facts;
    const { scripts } = resolution.skills[index]!;
    const kept = definition.scripts.filter((_, i) => scripts[i]!.content.length <= longestKeptText);
    return [files, ...kept.map(({ content }) => content)].some((digest) => !cache.keeps(digest));
  }

  withoutEntry(index: number, key?: Digest): Reason[] {
    const { cache, workspace, now, resolution } = this.#facts;
    const failure = cache.lastFailure(workspace, resolution.skills[index]!.id);
    if (!failure) return [plainReasons.noEntry];
    return [lastFailedReason(failure, now, key !== undefined && failure.key !== key)];
  }

  /** By what differs already while it is not known yet what comes in. */
  whateverComesIn(index: number, step: MissedStep): Reason[] {
    const { cache, workspace, resolution } = this.#facts;
    const nearest = cache.nearest(workspace, resolution.skills[index]!.id)?.fingerprint;
    const fingerprint = {
      ...step.fingerprint,
      inputs: nearest?.inputs ?? {},
      upstream: nearest?.upstream ?? {},
    };
    return this.of(index, { ...step, fingerprint });
  }

  of(index: number, step: MissedStep): Reason[] {
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
