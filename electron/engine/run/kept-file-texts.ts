import type { Reason } from '#shared/model/plan.ts';

/** Of a step that sees more files than this only those are kept that changed before: they are likely to change again. */
const mostFiles = 64;
const largestFile = 64 * 1024;
/** All files of one step together. */
const largestSum = 512 * 1024;

/** Reads a file that a step saw; undefined where it has more bytes than that, or is gone. */
export type ReadSeen = (path: string, maxBytes: number) => Uint8Array | undefined;

/** The texts of files that a step saw, small ones and few, so that a later plan can show which of their lines changed. */
export function keptFileTexts(
  files: ReadonlyMap<string, string>,
  reasons: readonly Reason[],
  read: ReadSeen,
): string[] {
  const changed = reasons.flatMap(({ id, subject }) => (id === 'file-changed' ? [subject] : []));
  const paths = files.size > mostFiles ? changed.filter((path) => files.has(path)) : files.keys();
  const texts: string[] = [];
  let left = largestSum;
  for (const path of paths) {
    const bytes = read(path, Math.min(largestFile, left));
    const text = bytes && textOf(bytes);
    if (text === undefined) continue;
    left -= bytes!.length;
    texts.push(text);
  }
  return texts;
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    // A mark at the start is kept: without it the text would have another digest than the file.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // No text: there are no lines to show.
  }
}
