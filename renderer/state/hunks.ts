import { applyPatch, structuredPatch } from 'diff';
import type { StructuredPatchHunk } from 'diff';

/** One place where a proposal differs from the file, with a little of what is around it. */
export interface Hunk {
  readonly title: string;
  readonly lines: readonly { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }[];
  readonly patch: StructuredPatchHunk;
}

/** Two texts that have little in common would keep the comparison busy for seconds. */
const patienceMs = 2000;

/** Where two texts differ; undefined where they differ so much that only the whole file can be taken. */
export function hunksOf(before: string, after: string): Hunk[] | undefined {
  const patch = structuredPatch('a', 'b', before, after, undefined, undefined, {
    context: 3,
    timeout: patienceMs,
  });
  return patch?.hunks.map((hunk) => ({
    title: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    lines: hunk.lines.map((line) => ({ kind: kinds[line[0]!] ?? 'same', text: line.slice(1) })),
    patch: hunk,
  }));
}

const kinds: Readonly<Record<string, 'same' | 'removed' | 'added'>> = { '-': 'removed', '+': 'added' };

/** The file with only these hunks of its proposal. */
export function withHunks(before: string, accepted: readonly Hunk[]): string {
  // Hunks are placed by their line numbers in the old text, so leaving some out shifts only the new side.
  let shift = 0;
  const hunks = accepted.map(({ patch }) => {
    const placed = { ...patch, newStart: patch.oldStart + shift };
    shift += patch.newLines - patch.oldLines;
    return placed;
  });
  const text = applyPatch(before, {
    oldFileName: 'a',
    newFileName: 'b',
    oldHeader: undefined,
    newHeader: undefined,
    hunks,
  });
  if (text === false) throw new Error('A hunk does not fit the text it was made from');
  return text;
}
