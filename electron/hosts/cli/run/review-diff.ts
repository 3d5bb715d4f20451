import type { ReviewFile, RunRecord } from '#shared/model/run.ts';
import type { Sink } from '../terminal.ts';
import { exactDiff, textDiff } from '../text-diff.ts';

/** What a run proposes for one file, as a unified diff; nothing where it cannot be compared. */
function diffOf({ path, operation, before, after, isText }: ReviewFile, toDiff: typeof exactDiff): string {
  if (operation === 'none' || operation === 'unknown') return '';
  const bytes = (text: string | null): Uint8Array | undefined =>
    text === null ? (isText ? undefined : new Uint8Array([0])) : Buffer.from(text);
  return toDiff(path, bytes(before), operation === 'delete' ? undefined : bytes(after));
}

/** All of it for standard output: harmless where that is a terminal, exact where it may become a patch. */
export function diffsOf(review: readonly ReviewFile[], { isTTY }: Sink): string {
  return review.map((file) => diffOf(file, isTTY ? textDiff : exactDiff)).join('');
}

/** The record with the diff of every artifact, or why there is none. */
export function withDiffs(record: RunRecord, review: readonly ReviewFile[]): object {
  const reviewed = new Map(
    review.map((file) => [file.path, { diff: diffOf(file, exactDiff), problem: file.problem }]),
  );
  const steps = record.steps.map((step) => ({
    ...step,
    artifacts: step.artifacts.map((artifact) => ({
      ...artifact,
      ...(reviewed.get(artifact.path) ?? { diff: '' }),
    })),
  }));
  return { ...record, steps };
}
