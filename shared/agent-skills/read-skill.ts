import { checkFields, normalizeName } from './check-fields.ts';
import type { SkillProperties } from './check-fields.ts';
import { readFields } from './frontmatter.ts';
import type { FrontmatterField } from './frontmatter.ts';
import { SkillProblems, topOfFile } from './problem.ts';
import type { SkillProblem, SkillProfile } from './problem.ts';
import { lineBreakOf, splitFrontmatter } from './split-frontmatter.ts';
import type { LineBreak } from './split-frontmatter.ts';

/** The largest SKILL.md that is read, in bytes. */
export const maxSkillFileBytes = 1024 * 1024;

export interface ReadSkillOptions {
  /** The name of the folder that holds the file, which the skill's name must equal. */
  readonly directoryName: string;
  readonly profile: SkillProfile;
}

/** A SKILL.md as it was read: what it says, what is wrong with it, and what is needed to write it back unchanged. */
export interface SkillReading {
  /** The file as text, with its byte order mark and line breaks. */
  readonly text: string;
  /** Every top-level field in the order of the file, also those nobody knows. */
  readonly fields: readonly FrontmatterField[];
  readonly properties: SkillProperties;
  /** Everything after the closing line, unchanged. */
  readonly body: string;
  /** The line of the file at which the body starts. */
  readonly bodyLine: number;
  readonly lineBreak: LineBreak;
  /** In the reference validator's order. */
  readonly problems: readonly SkillProblem[];
  /** False where the profile found an error; under "lenient" that means the skill cannot be loaded. */
  readonly isUsable: boolean;
}

/** Reads the bytes of a SKILL.md; whatever they are, the answer is a reading with problems. */
export function readSkillFile(bytes: Uint8Array, options: ReadSkillOptions): SkillReading {
  if (bytes.length > maxSkillFileBytes) {
    return unreadable('agent-skill.too-large', 'Cannot read SKILL.md: it is larger than 1 MiB');
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return unreadable('agent-skill.not-utf8', 'Cannot read SKILL.md: it is not UTF-8 text');
  }
  return readSkillText(text, options);
}

/** Reads the text of a SKILL.md; never throws, whatever the text. */
export function readSkillText(text: string, { directoryName, profile }: ReadSkillOptions): SkillReading {
  const problems = new SkillProblems(profile);
  const lineBreak = lineBreakOf(text);
  const split = splitFrontmatter(text);
  if ('problem' in split) {
    if (split.problem === 'unclosed') {
      const message = 'SKILL.md frontmatter not properly closed with ---';
      problems.error('agent-skill.unclosed-frontmatter', topOfFile, message);
    } else {
      const message = 'SKILL.md must start with YAML frontmatter (---)';
      problems.error('agent-skill.no-frontmatter', topOfFile, message);
    }
    const body = split.problem === 'unclosed' ? '' : text;
    return reading({ text, fields: [], properties: {}, body, bodyLine: 1, lineBreak }, problems);
  }
  if (text.startsWith('\uFEFF')) {
    const message = 'SKILL.md must start with YAML frontmatter (---): remove the byte order mark before it';
    problems.violation('agent-skill.byte-order-mark', topOfFile, message);
  }
  const fields = readFields(split.yaml, profile, problems);
  const checked = fields === undefined ? {} : checkFields(fields, directoryName, problems);
  // Lenient clients load a skill without a name under the name of its folder.
  const name = checked.name ?? (profile === 'lenient' ? normalizeName(directoryName) : undefined);
  const properties = name === undefined ? checked : { ...checked, name };
  const body = text.slice(split.bodyStart);
  return reading(
    { text, fields: fields ?? [], properties, body, bodyLine: split.bodyLine, lineBreak },
    problems,
  );
}

function reading(parts: Omit<SkillReading, 'problems' | 'isUsable'>, problems: SkillProblems): SkillReading {
  const isUsable = !problems.list.some(({ severity }) => severity === 'error');
  return { ...parts, problems: problems.list, isUsable };
}

function unreadable(code: 'agent-skill.too-large' | 'agent-skill.not-utf8', message: string): SkillReading {
  const problems = new SkillProblems('strict');
  problems.error(code, topOfFile, message);
  return reading({ text: '', fields: [], properties: {}, body: '', bodyLine: 1, lineBreak: '\n' }, problems);
}
