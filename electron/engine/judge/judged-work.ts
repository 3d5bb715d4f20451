import { valueDigest } from '../store/digest.ts';

/** What a model is asked to judge: the text of a result, and the texts of the files it proposes. */
export interface JudgedWork {
  readonly content: string;
  readonly files: readonly JudgedFile[];
}

export interface JudgedFile {
  readonly path: string;
  readonly text: string;
}

/** More than this is no text that a model judges as a whole. */
export const longestWork = 400_000;

export function lengthOf({ content, files }: JudgedWork): number {
  return files.reduce((sum, { text }) => sum + text.length, content.length);
}

export function isEmpty(work: JudgedWork): boolean {
  return work.content.trim() === '' && work.files.every(({ text }) => text.trim() === '');
}

/**
 * The work between marks that it cannot close itself: they carry its own digest, so that no text can hold the mark around
 * it. The same work has the same marks, for recordings to know it again.
 */
export function fencedWork(work: JudgedWork): { readonly mark: string; readonly text: string } {
  const mark = valueDigest({ content: work.content, files: work.files }).slice(0, 24);
  const part = (name: string, text: string): string =>
    `<work-${mark} part=${JSON.stringify(name)}>\n${text}\n</work-${mark}>`;
  const parts = [
    ...(work.content.trim() === '' && work.files.length > 0 ? [] : [part('result', work.content)]),
    ...work.files.map(({ path, text }) => part(`file ${path}`, text)),
  ];
  return { mark, text: parts.join('\n\n') };
}
