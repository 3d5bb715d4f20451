import { narrowFiles } from '#shared/narrow-files.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { permittedBy } from './permitted.ts';

type Files = ReadonlyMap<string, string>;

const narrowed = new WeakMap<Files, Map<string, Files>>();

/** The files of a workspace that a skill sees when it runs; skills with the same globs get the same map. */
export function seenFiles(files: Files, { skill, permissions }: ResolvedSkill): Files {
  const { read } = permittedBy(permissions);
  if (!skill.files && !read) return files;
  const key = JSON.stringify([skill.files ?? null, read ?? null]);
  let views = narrowed.get(files);
  if (!views) narrowed.set(files, (views = new Map<string, Files>()));
  let seen = views.get(key);
  if (!seen) views.set(key, (seen = narrowFiles(files, skill.files, read)));
  return seen;
}
