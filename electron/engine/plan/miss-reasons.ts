import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { Reason } from '#shared/model/plan.ts';
import { contentOfSeen } from '#shared/seen-file.ts';
import type { PastEntry } from '../cache/cached-result.ts';
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

  /** Why no kept result fits. */
  of(index: number, step: MissedStep): Reason[] {
    const { cache, workspace, now, resolution } = this.#facts;
    const failure = cache.lastFailure(workspace, resolution.skills[index]!.id);
    if (failure?.key === step.key) return [lastFailedReason(failure, now, false)];
    const nearest = this.#nearest(index);
    return nearest ? this.#compared(index, step, nearest) : this.#withoutEntry(index, step.key);
  }

  /** Why none can fit whatever comes in; undefined while one may. What comes in is not in `step`. */
  whateverComesIn(index: number, step: () => MissedStep): Reason[] | undefined {
    const nearest = this.#nearest(index);
    // What never ran has left no result to find.
    if (!nearest) return this.#withoutEntry(index);
    const missed = step();
    if (!this.#isUnseen(index, missed.fingerprint)) return undefined;
    const { inputs = {}, upstream = {} } = nearest.fingerprint ?? {};
    return this.#compared(
      index,
      { ...missed, fingerprint: { ...missed.fingerprint, inputs, upstream } },
      nearest,
    );
  }

  #nearest(index: number): PastEntry | undefined {
    const { cache, workspace, resolution } = this.#facts;
    return cache.nearest(workspace, resolution.skills[index]!.id);
  }

  /** Every result keeps these texts beside it: where one is kept nowhere, there is no result with it. */
  #isUnseen(index: number, { files, definition }: Fingerprint): boolean {
    const { cache, resolution } = this.#facts;
    const { scripts } = resolution.skills[index]!;
    const kept = definition.scripts.filter((_, i) => scripts[i]!.content.length <= longestKeptText);
    return [files, ...kept.map(({ content }) => content)].some((digest) => !cache.keeps(digest));
  }

  #withoutEntry(index: number, key?: Digest): Reason[] {
    const { cache, workspace, now, resolution } = this.#facts;
    const failure = cache.lastFailure(workspace, resolution.skills[index]!.id);
    if (!failure) return [plainReasons.noEntry];
    return [lastFailedReason(failure, now, key !== undefined && failure.key !== key)];
  }

  #compared(index: number, { key, fingerprint, files }: MissedStep, nearest: PastEntry): Reason[] {
    const { cache, resolution } = this.#facts;
    if (nearest.key === key || !nearest.fingerprint) return [plainReasons.evicted];
    const before = nearest.fingerprint.files;
    const text = before === fingerprint.files ? undefined : cache.text(before, nearest.key);
    const differences = compareFingerprints(nearest.fingerprint, fingerprint, {
      filesBefore: text === undefined ? undefined : parseFileList(text),
      filesAfter: files,
    });
    const node = resolution.skills[index]!;
    const reasons = changeReasons(differences, (difference) => this.#linesOf(node, nearest.key, difference));
    return reasons.length > 0 ? reasons : [plainReasons.noEntry];
  }

  #linesOf(
    node: ResolvedSkill,
    nearest: Digest,
    { reason, subject, before, after }: FingerprintDifference,
  ): number | undefined {
    if (before === undefined || after === undefined) return undefined;
    const { cache, fileText } = this.#facts;
    const isFile = reason === 'file-changed';
    const defined = isFile ? undefined : definitionText(node, { id: reason, subject });
    if (!isFile && defined === undefined) return undefined;
    const then = cache.text(contentOfSeen(before), nearest);
    if (then === undefined) return undefined;
    const now = isFile ? fileText?.(subject) : defined;
    return now === undefined ? undefined : changedLines(then, now);
  }
}
