import type { Skill } from '../../model/skill.ts';
import type { Path } from '../yaml/source.ts';
import type { FileFacts } from './file-facts.ts';

/** The skill that a path leads into. */
export function skillAt({ skills }: FileFacts, path: Path): Skill | undefined {
  return skills.find((skill) => skill.path.every((step, depth) => path[depth] === step));
}
