import { contentHashOf } from './definition-record.ts';
import type { ChangedText } from './footprint.ts';
import type { Resolution } from './resolve.ts';

interface Held {
  readonly file?: string;
  readonly content?: string;
}

/** The resolution as it would come out with other texts in the files that it only holds. */
export function withTexts(resolution: Resolution, changed: readonly ChangedText[]): Resolution {
  const texts = new Map(changed.map(({ file, text }) => [file, text]));
  const isOther = ({ file = '', content }: Held): boolean => texts.has(file) && texts.get(file) !== content;
  const put = <T extends Held>(held: T): T =>
    isOther(held) ? { ...held, content: texts.get(held.file!) } : held;
  const skills = resolution.skills.map((node) =>
    node.scripts.some(isOther) || node.resources.some(isOther)
      ? { ...node, scripts: node.scripts.map(put), resources: node.resources.map(put) }
      : node,
  );
  // A file that was only touched: whoever remembers things by the resolution need not work them out again.
  if (skills.every((node, i) => node === resolution.skills[i])) return resolution;
  return { ...resolution, skills, contentHash: contentHashOf(skills) };
}
