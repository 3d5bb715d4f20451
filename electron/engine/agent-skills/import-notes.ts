import { knownFields } from '#shared/agent-skills/check-fields.ts';
import { readSunwell } from '#shared/agent-skills/lens-skill.ts';
import type { SkillReading } from '#shared/agent-skills/read-skill.ts';
import type { LeftOut, SkillTree } from './skill-tree.ts';

/** Something that comes along and that the lens makes no use of, or that did not come along. */
export interface ImportNote {
  readonly what: string;
  readonly why: string;
}

/** Says what of a skill the lens makes no use of, so that nobody thinks it does. */
export function importNotes(parts: {
  reading: SkillReading;
  tree: SkillTree;
  name: string;
  leftOut: readonly LeftOut[];
}): ImportNote[] {
  const { reading, tree, name, leftOut } = parts;
  const { metadata } = readSunwell(reading);
  const notes: ImportNote[] = leftOut.map(({ path, why }) => ({ what: path, why: `left out: ${why}` }));
  if (reading.properties.name !== name) {
    notes.push({
      what: 'name',
      why: `the lens calls it "${name}"; SKILL.md keeps "${reading.properties.name}"`,
    });
  }
  for (const { key } of reading.fields) {
    if (!(knownFields as readonly string[]).includes(key))
      notes.push({ what: key, why: 'kept in SKILL.md; a lens has no such field' });
  }
  if (reading.properties.license !== undefined)
    notes.push({ what: 'license', why: 'kept in SKILL.md; a lens has no such field' });
  for (const key of Object.keys(reading.properties.metadata ?? {})) {
    if (key !== 'sunwell')
      notes.push({ what: `metadata.${key}`, why: 'kept in SKILL.md; a lens makes no use of it' });
  }
  const run = new Set((metadata.scripts ?? []).map(({ path }) => path));
  for (const { path } of tree.files) {
    if (path.startsWith('scripts/') && !run.has(path))
      notes.push({
        what: path,
        why: 'copied; a run starts only scripts that the lens or metadata.sunwell names',
      });
  }
  for (const { message } of reading.problems) notes.push({ what: 'SKILL.md', why: message });
  return notes;
}
