import { diffLines } from 'diff';

/** Texts with less in common than this are not worth the wait: a plan says that they changed, and not by how much. */
const maxEdits = 2000;

/** How many lines differ, a replaced line counted once; undefined where the texts have too little in common. */
export function changedLines(before: string, after: string): number | undefined {
  const parts = diffLines(before, after, { maxEditLength: maxEdits });
  if (!parts) return undefined;
  let lines = 0;
  let removed = 0;
  for (const { added, removed: isRemoved, count } of parts) {
    if (isRemoved) removed = count;
    else {
      lines += added ? Math.max(removed, count) : removed;
      removed = 0;
    }
  }
  return lines + removed;
}
