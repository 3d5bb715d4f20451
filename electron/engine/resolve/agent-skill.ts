import type { Skill } from '#shared/model/skill.ts';
import type { SourceFile } from './place.ts';
import type { Session } from './session.ts';

/** A SKILL.md as a skill of the graph; what keeps clients from loading it, and files of it that are missing, are reported. */
export async function readAgentSkill(
  session: Session,
  source: SourceFile,
  { text, folderName }: { readonly text: string; readonly folderName: string },
): Promise<Skill> {
  // Loaded only here: most lenses have none, and it brings schemas that take long to build.
  const { readSunwell, toLensSkill } = await import('#shared/agent-skills/lens-skill.ts');
  const { readSkillText } = await import('#shared/agent-skills/read-skill.ts');
  const reading = readSkillText(text, { directoryName: folderName, profile: 'lenient' });
  const sunwell = readSunwell(reading);
  const serious = reading.problems.filter(({ severity }) => severity === 'error');
  for (const { code, message, ...place } of [...serious, ...sunwell.problems]) {
    const { line, column, endLine, endColumn } = place;
    session.report(code, { file: source.file, line, column, endLine, endColumn }, message);
  }
  const at = { file: source.file, line: 1, column: 1, endLine: 1, endColumn: 1 };
  const texts = new Map<string, string>();
  for (const { path } of sunwell.metadata.templates ?? []) {
    const file = session.fileInside(source, path);
    const read = file ? session.text(file.path) : { problem: 'it leads out of the folder' };
    if ('text' in read) texts.set(path, read.text);
    else session.report('skill.missing-file', at, `Cannot read template "${path}": ${read.problem}`);
  }
  return toLensSkill(reading, { file: source.file, texts });
}
