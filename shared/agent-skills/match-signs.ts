import { compileGlob } from '../glob.ts';

/** What a skill is found by. */
export interface MatchableSkill {
  /** How the skill is called in the answer. */
  readonly skill: string;
  readonly name: string;
  readonly description?: string;
  readonly triggers?: readonly string[];
  /** What a lens lets people type for it, such as `::a`. */
  readonly shortcuts?: readonly string[];
  /** Globs of the files it works on. */
  readonly files?: readonly string[];
}

/** Something in a task that means a skill whatever the other words are. */
export interface Sign {
  readonly kind: 'name' | 'shortcut' | 'file';
  readonly reason: string;
}

/** The signs of a skill in a task: its name, its shortcuts, and files that it works on. */
export function signsOf(task: string, skill: MatchableSkill): Sign[] {
  const { name, skill: label, shortcuts = [], files = [] } = skill;
  const signs: Sign[] = [];
  if (isNamed(task, name) || (label !== name && isNamed(task, label))) {
    signs.push({ kind: 'name', reason: 'named in the task' });
  }
  for (const shortcut of shortcuts) {
    if (stands(task, shortcut)) signs.push({ kind: 'shortcut', reason: `shortcut "${shortcut}"` });
  }
  const globs = files.filter((glob) => !meansAll(glob));
  for (const path of globs.length === 0 ? [] : pathsIn(task)) {
    const glob = globs.find((one) => fits(path, one));
    if (glob !== undefined) signs.push({ kind: 'file', reason: `file "${path}" fits "${glob}"` });
  }
  return signs;
}

/** A name that is a plain word, such as "write", is in many tasks that do not mean the skill: it must stand alone or be marked. */
function isNamed(task: string, name: string): boolean {
  if (!/^\p{L}+$/u.test(name)) return stands(task, name);
  const marked = new RegExp(`(["'\`])${name}\\1|(?<!\\S)[@/$]${name}(?![\\p{L}\\p{N}_/.-])`, 'iu');
  return task.trim().toLowerCase() === name.toLowerCase() || marked.test(task);
}

/** Whether a text stands in a task by itself, not as a part of a longer name or of a file's name. */
function stands(task: string, text: string): boolean {
  const literal = text.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  if (literal === '') return false;
  return new RegExp(`(?<![\\p{L}\\p{N}_:/-])${literal}(?![\\p{L}\\p{N}_/-]|[.:][\\p{L}\\p{N}])`, 'iu').test(
    task,
  );
}

/** What looks like a file in a task: with a folder, or with an ending. */
function pathsIn(task: string): string[] {
  const words = task.split(/[\s"'`()<>[\],;]+/).map((word) =>
    word
      .replaceAll('\\', '/')
      .replace(/^\.\//, '')
      .replace(/[.:!?]+$/, ''),
  );
  return [...new Set(words.filter((word) => word.includes('/') || /\.\w+$/.test(word)))];
}

function meansAll(glob: string): boolean {
  return /^[*/.]*$/.test(glob);
}

/** People leave the folder of a file out: then its name is enough. */
function fits(path: string, glob: string): boolean {
  const parts = path.split('/');
  if (compileGlob(glob)(parts)) return true;
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  return parts.length === 1 && !meansAll(name) && compileGlob(name)(parts);
}
