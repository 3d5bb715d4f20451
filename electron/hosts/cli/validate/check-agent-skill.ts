import { basename, dirname } from 'node:path';
import type { SourceFile } from '#engine/resolve/place.ts';
import { readSunwell } from '#shared/agent-skills/lens-skill.ts';
import { readSkillText } from '#shared/agent-skills/read-skill.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';

/** The problems of a SKILL.md by the letter of the Agent Skills specification, and of what it tells the graph. */
export function checkAgentSkill(text: string, { path, file }: SourceFile): readonly Diagnostic[] {
  const directoryName = basename(dirname(path));
  const reading = readSkillText(text, { directoryName, profile: 'strict' });
  return [...reading.problems, ...readSunwell(reading).problems].map(
    ({ code, severity, message, ...place }) => ({ code, severity, message, location: { file, ...place } }),
  );
}
