import { readSkillFolder } from '#engine/agent-skills/read-folder.ts';
import type { Judged } from '#engine/judge/judge.ts';
import { decodeText } from '#engine/resolve/held-texts.ts';
import { StudioError } from '#shared/errors.ts';
import { readSunwell } from '#shared/agent-skills/lens-skill.ts';
import { lintSkill } from '#shared/agent-skills/lint.ts';
import { overallWords } from '#shared/judgment/verdict-words.ts';
import type { LintedFile } from '#shared/agent-skills/lint.ts';
import { SkillProblems, topOfFile } from '#shared/agent-skills/problem.ts';
import { maxSkillFileBytes } from '#shared/agent-skills/read-skill.ts';
import type { SkillProblem, SkillProfile } from '#shared/agent-skills/problem.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { openSkill, readOpened } from '../open-skill.ts';
import type { SkillFolderNamed } from '../open-skill.ts';
import { verdictLines } from '../run/verdict-lines.ts';
import { inert } from '../terminal.ts';
import { openJudge } from '../validate/judge-words.ts';
import type { JudgeWords } from '../validate/judge-words.ts';
import type { LensJudge } from '../validate/lens-judge.ts';
import { toJudgedDocument } from '../validate/to-json.ts';

export interface ValidateSkillOptions extends JudgeWords {
  readonly strict?: true;
  readonly lenient?: true;
  readonly lint?: true;
}

/** Checks one Agent Skill in the reference validator's words; what is more than that goes below its list. */
export async function validateSkill(
  invocation: Invocation,
  word: string,
  options: ValidateSkillOptions,
): Promise<ExitCode> {
  const { terminal, output } = invocation;
  using judge = await openJudge(invocation, options);
  const profile: SkillProfile = options.lenient ? 'lenient' : 'strict';
  const skill = await openSkill(word, terminal.workingDirectory);
  const { name, errors, notes } =
    'reason' in skill
      ? { name: null, errors: [noSkill(skill.message)], notes: [] }
      : await check(skill, profile, options.lint === true);
  const judged = judge && !('reason' in skill) ? await judgeSkill(judge, skill) : undefined;
  const against = judged?.overall.outcome === 'failed' ? judged.overall.why : [];
  const isValid = errors.length + against.length === 0;
  const exitCode = isValid ? ExitCode.ok : ExitCode.failed;
  if (output.isJson) {
    const told = { path: skill.shown, name, profile, isValid, problems: [...errors, ...notes] };
    output.document({ ...told, ...(judged && toJudgedDocument(judged)) });
    return exitCode;
  }
  if (isValid) output.line(`Valid skill: ${inert(skill.shown)}`);
  else {
    output.note(`Validation failed for ${inert(skill.shown)}:`);
    for (const message of [...errors.map((error) => error.message), ...against]) {
      output.note(`  - ${inert(message)}`);
    }
  }
  if (notes.length > 0) output.note(`Also noticed in ${inert(skill.shown)}:`);
  for (const { line, severity, message } of notes)
    output.note(`  - line ${line}: ${severity}: ${inert(message)}`);
  if (judged) {
    output.note(inert(`Judged by "${options.withLens}": ${overallWords[judged.overall.outcome]}`));
    const [, ...verdicts] = verdictLines({ skill: skill.shown, ...judged });
    for (const line of verdicts) output.note(inert(line));
  }
  return exitCode;
}

/** What is too large or no text is an error already, and nothing to be judged. */
async function judgeSkill(
  judge: LensJudge,
  { bytes, shown, fileName }: SkillFolderNamed,
): Promise<Judged | undefined> {
  if (bytes.length > maxSkillFileBytes) return undefined;
  let text: string;
  try {
    text = decodeText(bytes);
  } catch {
    return undefined;
  }
  return judge.judge(text, `${shown}/${fileName}`);
}

function noSkill(message: string) {
  return { code: 'agent-skill.not-found', severity: 'error', message, ...topOfFile } as const;
}

interface Checked {
  readonly name: string | null;
  readonly errors: readonly SkillProblem[];
  readonly notes: readonly SkillProblem[];
}

async function check(skill: SkillFolderNamed, profile: SkillProfile, withAdvice: boolean): Promise<Checked> {
  const reading = readOpened(skill, profile);
  const more = new SkillProblems(profile);
  if (skill.fileName !== 'SKILL.md') {
    const message = `The file is named "${skill.fileName}": agents find only "SKILL.md"`;
    more.warning('agent-skill.file-name', topOfFile, message);
  }
  const files = await filesOf(skill, more);
  const found = [
    ...reading.problems,
    ...readSunwell(reading).problems,
    ...more.list,
    ...lintSkill(reading, files),
  ];
  return {
    name: reading.properties.name ?? null,
    errors: found.filter(({ severity }) => severity === 'error'),
    notes: found.filter(({ severity }) => severity === 'warning' || (withAdvice && severity === 'info')),
  };
}

/** The files of the skill; where they cannot all be read, nothing is said about them but that. */
async function filesOf(
  { folder, shown }: SkillFolderNamed,
  problems: SkillProblems,
): Promise<readonly LintedFile[] | undefined> {
  const leaveOut = ['.git', '__pycache__', 'node_modules'];
  try {
    return (await readSkillFolder(folder, { label: shown, links: 'leave-out', leaveOut })).tree.files;
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    problems.warning('agent-skill.not-portable', topOfFile, error.message);
    return undefined;
  }
}
