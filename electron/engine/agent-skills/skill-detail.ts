import { basename } from 'node:path';
import { lintSkill } from '#shared/agent-skills/lint.ts';
import { readSkillFile } from '#shared/agent-skills/read-skill.ts';
import type { SkillReading } from '#shared/agent-skills/read-skill.ts';
import type { SkillDetail } from '#shared/model/agent-skills.ts';
import { readSkillFolder } from './read-folder.ts';
import { SkillNotFoundError } from './skill-errors.ts';
import { hashSkillTree } from './skill-tree.ts';

/** Reads one skill folder for a person: by the letter, with advice, and with everything that lies in it. */
export async function skillDetail(folder: string, file: string): Promise<SkillDetail> {
  const directoryName = basename(folder);
  const options = { label: directoryName, links: 'leave-out', leaveOut: ['.git', '__pycache__'] } as const;
  const { tree, leftOut } = await readSkillFolder(folder, options);
  const skillMd = tree.files.find(({ path }) => path === 'SKILL.md');
  if (!skillMd) throw new SkillNotFoundError(`Cannot show "${file}": it was deleted or moved; look again`);
  const reading = readSkillFile(skillMd.bytes, { directoryName, profile: 'strict' });
  return {
    file,
    sha256: hashSkillTree(tree),
    properties: propertiesOf(reading),
    text: reading.text,
    bodyLine: reading.bodyLine,
    files: tree.files.map(({ path, bytes, mode }) => ({
      ...{ path, size: bytes.length, isExecutable: (mode & 0o100) !== 0 },
    })),
    leftOut: [...leftOut],
    validation: [...reading.problems],
    advice: [...lintSkill(reading, tree.files)],
  };
}

function propertiesOf({ fields }: SkillReading): SkillDetail['properties'] {
  return fields.map(({ key, value }) => ({
    key,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}
