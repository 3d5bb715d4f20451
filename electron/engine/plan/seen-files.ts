import { narrowFiles } from '#shared/narrow-files.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { permittedBy } from './permitted.ts';

type Files = ReadonlyMap<string, string>;

/** What each skill narrows by, as a key; undefined where it narrows nothing. */
const narrowings = new WeakMap<ResolvedSkill, string | undefined>();
const narrowed = new WeakMap<Files, Map<string, Files>>();

/** The files of a workspace that a skill sees when it runs; skills with the same globs get the same map. */
export function seenFiles(files: Files, node: ResolvedSkill): Files {
  if (!narrowings.has(node)) narrowings.set(node, narrowingOf(node));
  const key = narrowings.get(node);
  if (key === undefined) return files;
  let views = narrowed.get(files);
  if (!views) narrowed.set(files, (views = new Map<string, Files>()));
  let seen = views.get(key);
  if (!seen) {
    const { read } = permittedBy(node.permissions);
    views.set(key, (seen = narrowFiles(files, node.skill.files, read)));
  }
  return seen;
}

function narrowingOf({ skill, permissions }: ResolvedSkill): string | undefined {
  const { read } = permittedBy(permissions);
  return skill.files || read ? JSON.stringify([skill.files ?? null, read ?? null]) : undefined;
}
