import type { ReviewFile, RunRecord } from '#shared/model/run.ts';
import { textDiff } from '../text-diff.ts';

/** What a run proposes for one file, as a unified diff; nothing where it cannot be compared. */
export function diffOf({ path, operation, before, after, isText }: ReviewFile): string {
  if (operation === 'none' || operation === 'unknown') return '';
  const bytes = (text: string | null): Uint8Array | undefined =>
    text === null ? (isText ? undefined : new Uint8Array([0])) : Buffer.from(text);
  return textDiff(path, bytes(before), operation === 'delete' ? undefined : bytes(after));
}

/** The record with the diff of every artifact, or why there is none. */
export function withDiffs(record: RunRecord, review: readonly ReviewFile[]): object {
  const reviewed = new Map(review.map((file) => [file.path, { diff: diffOf(file), problem: file.problem }]));
  const steps = record.steps.map((step) => ({
    ...step,
    artifacts: step.artifacts.map((artifact) => ({
      ...artifact,
      ...(reviewed.get(artifact.path) ?? { diff: '' }),
    })),
  }));
  return { ...record, steps };
}
