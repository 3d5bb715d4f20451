import { createHash } from 'node:crypto';
import { digestOf } from '../store/digest.ts';
import { SkillMountError, SkillValidationError } from './skill-errors.ts';

/** What one skill may hold; more is refused before anything is written. */
export const skillLimits = { bytes: 10 * 1024 * 1024, skillMdBytes: 1024 * 1024, files: 2_000, depth: 16 };

/** One file of a skill: its path below the skill's folder, with "/", its bytes, and its permission bits. */
export interface SkillTreeFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** A whole skill folder in memory, never larger than the limits; files are sorted by path. */
export interface SkillTree {
  readonly files: readonly SkillTreeFile[];
  readonly emptyFolders: readonly string[];
}

/** A file that did not come along, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/** The bits of a mode that a copy keeps: never those that lend the owner's rights. */
export const keptMode = 0o777;

/**
 * Hashes a skill folder to the SHA-256 of this text, in UTF-8:
 *
 *     sunwell-skill-v1\n
 *     x <sha256 of the content, hex> <path>\n     an executable file (owner's bit)
 *     - <sha256 of the content, hex> <path>\n     any other file
 *
 * one line for each file, sorted by path. Times, empty folders and other permissions do not count.
 */
export function hashSkillTree({ files }: SkillTree): string {
  const hash = createHash('sha256').update('sunwell-skill-v1\n');
  for (const { path, bytes, mode } of files) {
    hash.update(`${mode & 0o100 ? 'x' : '-'} ${digestOf(bytes)} ${path}\n`);
  }
  return hash.digest('hex');
}

export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

/** Gathers the files of a skill and refuses, at the first byte too many, what no skill may hold. */
export class TreeBuilder {
  readonly #label: string;
  readonly #files: SkillTreeFile[] = [];
  readonly #folders = new Set<string>();
  /** Every file and folder as systems see it to which case and Unicode form do not matter. */
  readonly #seen = new Map<string, { readonly path: string; readonly isFolder: boolean }>();
  #bytes = 0;

  constructor(label: string) {
    this.#label = label;
  }

  /** How many more bytes may come. */
  get bytesLeft(): number {
    return skillLimits.bytes - this.#bytes;
  }

  addFile(file: SkillTreeFile): void {
    this.#claim(file.path, false);
    if (this.#files.length >= skillLimits.files) {
      throw this.tooLarge(`exceeds the limit of ${skillLimits.files} files`);
    }
    this.#bytes += file.bytes.length;
    if (this.#bytes > skillLimits.bytes) throw this.tooLarge();
    if (file.path === 'SKILL.md' && file.bytes.length > skillLimits.skillMdBytes) {
      throw this.tooLarge('has a SKILL.md that is larger than 1 MiB');
    }
    this.#files.push({ ...file, mode: file.mode & keptMode });
  }

  addFolder(path: string): void {
    this.#claim(path, true);
    this.#folders.add(path);
  }

  build(): SkillTree {
    const files = this.#files.toSorted(byPath);
    const used = new Set(
      [...this.#files.map(({ path }) => path), ...this.#folders].flatMap((path) => parentsOf(path)),
    );
    return { files, emptyFolders: [...this.#folders].filter((folder) => !used.has(folder)).sort() };
  }

  tooLarge(what = 'exceeds total size limit of 10 MiB'): SkillMountError {
    return new SkillMountError('too_large', `Skill "${this.#label}" ${what}`, { skill: this.#label });
  }

  unsafe(path: string, problem: string): SkillValidationError {
    const shown = JSON.stringify(path);
    return new SkillValidationError('unsafe', `Cannot use "${this.#label}": ${shown}: ${problem}`, {
      skill: this.#label,
      path,
    });
  }

  #claim(path: string, isFolder: boolean): void {
    const problem = pathProblem(path);
    if (problem !== undefined) throw this.unsafe(path, problem);
    for (const parent of parentsOf(path)) this.#claimName(parent, true);
    this.#claimName(path, isFolder);
  }

  #claimName(path: string, isFolder: boolean): void {
    const folded = path.normalize('NFC').toLowerCase();
    const twin = this.#seen.get(folded);
    if (twin === undefined) {
      this.#seen.set(folded, { path, isFolder });
      return;
    }
    if (twin.path !== path) throw this.unsafe(path, `it is the same as "${twin.path}" on other systems`);
    if (!twin.isFolder || !isFolder) throw this.unsafe(path, 'it is there twice');
  }
}

const control = /[\u0000-\u001f\u007f]/;

/** Says why a path may not be in a skill, or undefined where it may. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'the name is empty';
  if (control.test(path)) return 'the name has control characters';
  if (path.includes('\\')) return 'the name has a backslash';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'the path is absolute';
  const parts = path.split('/');
  if (parts.includes('..')) return 'the path leaves the skill';
  if (parts.includes('') || parts.includes('.')) return 'the path is not plain';
  if (parts.length > skillLimits.depth) return `the path is more than ${skillLimits.depth} folders deep`;
  return undefined;
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}
