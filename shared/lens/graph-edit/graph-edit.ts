import { diffLines } from 'diff';
import type { Location, TextEdit } from '../../model/diagnostic.ts';
import type { EditResult } from '../edit/place.ts';
import { minimize } from '../edit/text-lines.ts';
import { openSkillFile } from './skill-file.ts';
import type { SkillFile } from './skill-file.ts';

/** Why nothing was written, in a sentence, and where the reader can do something about it. */
export interface RefusedEdit {
  readonly ok: false;
  readonly message: string;
  readonly place?: Location;
}

/** What one action of the graph writes: text edits of one or more files, which are one step of undo. */
export type GraphEdit =
  { readonly ok: true; readonly label: string; readonly edits: readonly TextEdit[] } | RefusedEdit;

export function refuseEdit(message: string, place?: Location): RefusedEdit {
  return { ok: false, message, ...(place && { place }) };
}

/** A text under several edits, each made in what the one before left. */
export class WorkingText {
  readonly file: string;
  readonly #before: string;
  #current: SkillFile;

  constructor(file: string, text: string) {
    this.file = file;
    this.#before = text;
    this.#current = openSkillFile(file, text);
  }

  get current(): SkillFile {
    return this.#current;
  }

  /** Makes one edit; answers why it could not. */
  make(result: EditResult): RefusedEdit | undefined {
    if (!result.ok) return refuseEdit(result.message);
    this.replace(result.source.text);
    return undefined;
  }

  replace(text: string): void {
    this.#current = openSkillFile(this.file, text);
  }

  /** All edits so far as few small ones of the text as it was at first. */
  get edits(): TextEdit[] {
    return editsBetween(this.file, this.#before, this.#current.source.text);
  }
}

/** The smallest edits by lines that turn one text into the other. */
export function editsBetween(file: string, before: string, after: string): TextEdit[] {
  const edits: TextEdit[] = [];
  let offset = 0;
  let open: TextEdit | undefined;
  for (const { added, removed, value } of diffLines(before, after)) {
    if (!added && !removed) {
      offset += value.length;
      open = undefined;
      continue;
    }
    if (!open) {
      open = { file, start: offset, end: offset, text: '' };
      edits.push(open);
    }
    if (added) open.text += value;
    else {
      offset += value.length;
      open.end = offset;
    }
  }
  return minimize(before, edits);
}
