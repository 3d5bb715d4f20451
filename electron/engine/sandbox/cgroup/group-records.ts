import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../../store/digest.ts';
import { isMarkAlive } from '../../store/process-mark.ts';
import { removeGroup, type ControlGroupPlace } from './control-groups.ts';

/**
 * Remembers where groups were made. The kernel keeps a group until somebody removes it, and a studio that was killed
 * cannot; the next one may itself be in another group and would never look there.
 */
export class GroupRecords {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes down that groups with names that start so are made there. `owner` starts with a process mark. */
  note(owner: string, { hierarchies }: ControlGroupPlace): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(this.#folder, owner), JSON.stringify(hierarchies.map(({ folder }) => folder)), {
      mode: 0o600,
    });
  }

  /** Removes the groups of an owner that makes no more. */
  clear(owner: string): void {
    const folders = this.#foldersOf(owner);
    const left = folders.flatMap((folder) => groupsIn(folder, owner)).filter((group) => !removeGroup(group));
    if (left.length === 0) rmSync(join(this.#folder, owner), { force: true });
  }

  /** Removes what studios left that were killed. */
  sweep(): void {
    for (const owner of list(this.#folder)) if (!isMarkAlive(owner)) this.clear(owner);
  }

  #foldersOf(owner: string): string[] {
    try {
      const folders: unknown = JSON.parse(readFileSync(join(this.#folder, owner), 'utf8'));
      return Array.isArray(folders) ? folders.filter((folder) => typeof folder === 'string') : [];
    } catch {
      return []; // None noted, or half written by a studio that was killed before it made any.
    }
  }
}

/** The names of an owner's groups start with this; a script may see it, so it says nothing. */
export function groupPrefix(owner: string): string {
  return `sunwell-${digestOf(owner).slice(0, 16)}`;
}

function groupsIn(folder: string, owner: string): string[] {
  const prefix = `${groupPrefix(owner)}-`;
  return list(folder)
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(folder, name));
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Not there: then nothing is in it.
  }
}
