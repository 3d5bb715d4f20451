import type { ReviewFile, RunRecord } from '#shared/model/run.ts';
import type { Sink } from '../terminal.ts';
import { exactDiff, quoted, shownText, textDiff } from '../text-diff.ts';

/** What a run proposes for one file, as a unified diff; nothing where it cannot be compared. */
function diffOf(file: ReviewFile, isShown: boolean): string {
  const { path, operation, before, after, isText, becomesExecutable } = file;
  if (operation === 'none' || operation === 'unknown') return '';
  const bytes = (text: string | null): Uint8Array | undefined =>
    text === null ? (isText ? undefined : new Uint8Array([0])) : Buffer.from(text);
  const head = becomesExecutable ? executableHead(path, operation) : '';
  const isSame = isText && before === after;
  const toDiff = isShown ? textDiff : exactDiff;
  const diff = isSame ? '' : toDiff(path, bytes(before), operation === 'delete' ? undefined : bytes(after));
  return `${isShown ? shownText(head) : head}${diff}`;
}

/** As git writes it: no other tool has words for permissions. */
function executableHead(path: string, operation: 'create' | 'modify' | 'delete'): string {
  const modes = operation === 'create' ? 'new file mode 100755' : 'old mode 100644\nnew mode 100755';
  return `diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}\n${modes}\n`;
}

/** All of it for standard output: harmless where that is a terminal, exact where it may become a patch. */
export function diffsOf(review: readonly ReviewFile[], { isTTY }: Sink): string {
  return review.map((file) => diffOf(file, isTTY === true)).join('');
}

/** The record with the diff of every artifact, or why there is none. */
export function withDiffs(record: RunRecord, review: readonly ReviewFile[]): object {
  const reviewed = new Map(
    review.map((file) => [file.path, { diff: diffOf(file, false), problem: file.problem }]),
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
