import { readdirSync, realpathSync, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { Pace } from '../store/pace.ts';

export interface WalkLimits {
  readonly depth: number;
  readonly folders: number;
}

/** How far agents look, so that a home full of other things stays quick. */
export const walkLimits: WalkLimits = { depth: 6, folders: 2_000 };

/** A folder with a file of exactly the name SKILL.md; `inside` is its path below the folder that was searched. */
export interface SkillFolder {
  readonly folder: string;
  readonly inside: string;
}

interface Step extends SkillFolder {
  readonly real: string;
  readonly depth: number;
  readonly isLinked: boolean;
}

/** Finds skill folders in one folder after another, each folder of the disk once, however many links lead to it. */
export class SkillFolderWalk {
  readonly #limits: WalkLimits;
  readonly #pace: Pace;
  readonly #seen = new Set<string>();
  #left: number;
  #cut: string | undefined;

  constructor(limits: WalkLimits = walkLimits, pace = new Pace()) {
    this.#limits = limits;
    this.#pace = pace;
    this.#left = limits.folders;
  }

  /** Why not everything was looked at, where that is so. */
  get cut(): string | undefined {
    return this.#cut;
  }

  /** The skill folders below a folder, and itself where it is one; nothing where there is no such folder. */
  async find(folder: string): Promise<readonly SkillFolder[]> {
    const real = realFolder(folder);
    if (real === undefined) return [];
    const found: SkillFolder[] = [];
    const queue: Step[] = [{ folder, inside: '', real, depth: 0, isLinked: false }];
    for (let next = queue.shift(); next; next = queue.shift()) {
      if (this.#seen.has(next.real)) continue;
      this.#seen.add(next.real);
      if (this.#left === 0) {
        this.#cut = `Only the first ${this.#limits.folders} folders were looked at`;
        break;
      }
      this.#left--;
      if (this.#pace.isDue) await this.#pace.rest();
      const entries = entriesOf(next.folder);
      if (entries.some((entry) => entry.name === 'SKILL.md')) {
        found.push({ folder: next.folder, inside: next.inside });
      }
      queue.push(...this.#below(next, entries));
    }
    return found;
  }

  #below(from: Step, entries: readonly Dirent[]): Step[] {
    const steps: Step[] = [];
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const folder = join(from.folder, entry.name);
      // Installers link skill folders to one common copy; a link inside such a folder could lead anywhere.
      const isLink = entry.isSymbolicLink() && !from.isLinked;
      const real = isLink
        ? realFolder(folder)
        : entry.isDirectory()
          ? join(from.real, entry.name)
          : undefined;
      if (real === undefined) continue;
      if (from.depth >= this.#limits.depth) {
        this.#cut ??= `Folders more than ${this.#limits.depth} deep were left out`;
        continue;
      }
      const inside = from.inside === '' ? entry.name : `${from.inside}/${entry.name}`;
      steps.push({ folder, inside, real, depth: from.depth + 1, isLinked: from.isLinked || isLink });
    }
    return steps;
  }
}

/** A folder that vanished or may not be read hides only itself. */
function entriesOf(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile() || entry.name === 'SKILL.md').sort(byName);
  } catch {
    return [];
  }
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}

function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined; // It leads nowhere.
  }
}
