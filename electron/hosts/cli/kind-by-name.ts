import { basename } from 'node:path';

/** What `sunwell validate` can check. */
export type FileKind = 'lens' | 'library' | 'agent-skill' | 'fixtures' | 'config' | 'lock';

/** What a file is by its name alone; undefined where only its content can say. */
export function kindByName(path: string): FileKind | undefined {
  const name = basename(path);
  if (/\.lens(\.yaml)?$/.test(name)) return 'lens';
  if (/\.skills\.ya?ml$/.test(name)) return 'library';
  if (name === 'SKILL.md') return 'agent-skill';
  if (name === 'sunwell.lock') return 'lock';
  if (/^(.*\.)?fixtures\.ya?ml$/.test(name)) return 'fixtures';
  return undefined;
}
