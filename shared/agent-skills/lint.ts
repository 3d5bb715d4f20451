import { hiddenCharacters } from './hidden-characters.ts';
import { SkillProblems, topOfFile } from './problem.ts';
import type { Place, SkillProblem } from './problem.ts';
import type { SkillReading } from './read-skill.ts';
import { fileReferences } from './references.ts';

/** One file of a skill folder, by its path inside it. */
export interface LintedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The permission bits. */
  readonly mode: number;
}

const maxBodyLines = 500;
const maxBodyTokens = 5000;
/** Roughly what a token of prose takes. */
const charactersPerToken = 4;
const minDescriptionLength = 20;

/** What the specification allows and experience advises against; without files only what SKILL.md itself shows. */
export function lintSkill(reading: SkillReading, files?: readonly LintedFile[]): readonly SkillProblem[] {
  const problems = new SkillProblems('lenient');
  lintDescription(reading, problems);
  lintBody(reading, problems);
  for (const { line, column, character } of hiddenCharacters(reading.text)) {
    const message = `The line holds a character that nobody sees (${character})`;
    problems.warning('agent-skill.hidden-characters', span(line, column, 1), message);
  }
  if (files) {
    lintReferences(reading, new Set(files.map(({ path }) => path)), problems);
    for (const file of files) if (file.path !== 'SKILL.md') lintFile(file, problems);
  }
  return problems.list;
}

function lintDescription(
  { properties: { description }, fields }: SkillReading,
  problems: SkillProblems,
): void {
  const field = fields.find(({ key }) => key === 'description');
  if (description === undefined || field === undefined) return;
  if ([...description].length < minDescriptionLength) {
    const message =
      'The description is too short to choose the skill by: say what it does and when to use it';
    problems.info('agent-skill.vague-description', field.at, message);
  } else if (
    isLatin(description) &&
    !/\b(?:when|whenever|if|use|used|for|before|after|during)\b/i.test(description)
  ) {
    const message = 'The description does not say when to use the skill: add "Use when …"';
    problems.info('agent-skill.vague-description', field.at, message);
  }
  if (/[<>]/.test(description)) {
    const message = 'The description holds "<" or ">", which some clients put into prompts as they are';
    problems.warning('agent-skill.angle-brackets', field.at, message);
  }
  if (field.comment !== undefined) {
    const message = `The description ends before "#${field.comment.slice(0, 60)}": quote it if that belongs to it`;
    problems.info('agent-skill.cut-by-comment', field.at, message);
  }
}

/** The words that are looked for are English; other scripts are not judged by them. */
function isLatin(text: string): boolean {
  return !/[^\P{L}\p{Script=Latin}]/u.test(text);
}

function lintBody({ body, bodyLine }: SkillReading, problems: SkillProblems): void {
  const lines = body.split(/\r\n|\n|\r/).length;
  const tokens = Math.ceil([...body].length / charactersPerToken);
  const place = span(bodyLine, 1, 0);
  if (lines > maxBodyLines) {
    const message = `The instructions have ${lines} lines: more than ${maxBodyLines} are too much to read at once`;
    problems.info('agent-skill.long-body', place, message);
  } else if (tokens > maxBodyTokens) {
    const message = `The instructions have about ${tokens} tokens: more than ${maxBodyTokens} are too much to read at once`;
    problems.info('agent-skill.long-body', place, message);
  }
}

function lintReferences(
  { body, bodyLine }: SkillReading,
  paths: ReadonlySet<string>,
  problems: SkillProblems,
): void {
  const folders = new Set([...paths].flatMap(parentsOf));
  for (const { path, line, column } of fileReferences(body)) {
    if (paths.has(path) || folders.has(path)) continue;
    const place = span(bodyLine + line - 1, column, path.length);
    const leaves = path.split('/').includes('..');
    const message = leaves
      ? `The instructions name "${path}", which is not in the skill’s own folder`
      : `The instructions name "${path}", which does not exist`;
    problems.warning('agent-skill.broken-reference', place, message);
  }
}

function parentsOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

function lintFile({ path, bytes, mode }: LintedFile, problems: SkillProblems): void {
  const language = languageOf(path);
  const isMarkdown = /\.(?:md|txt)$/i.test(path);
  if (language === undefined && !isMarkdown) return;
  const text = new TextDecoder('utf-8').decode(bytes);
  const [hiddenOne] = hiddenCharacters(text, 1);
  if (hiddenOne) {
    const message = `"${path}" holds a character that nobody sees (${hiddenOne.character}) in line ${hiddenOne.line}`;
    problems.warning('agent-skill.hidden-characters', topOfFile, message);
  }
  if (language === undefined) return;
  if (path.startsWith('scripts/') && !path.endsWith('/__init__.py')) {
    const lacks = [...(text.startsWith('#!') ? [] : ['"#!" line']), ...(mode & 0o111 ? [] : ['execute bit'])];
    if (lacks.length > 0) {
      problems.info(
        'agent-skill.script-start',
        topOfFile,
        `Script "${path}" has no ${lacks.join(' and no ')}`,
      );
    }
  }
  const asks = interactive[language].exec(text)?.[0].trim();
  if (asks !== undefined) {
    const message = `Script "${path}" asks for input with "${asks}", and nobody answers an agent’s scripts`;
    problems.warning('agent-skill.interactive-script', topOfFile, message);
  }
}

const interactive = {
  python: /(?<![\w.])input\(|\bgetpass\(|\bclick\.(?:prompt|confirm)\(/,
  node: /\breadline\.createInterface\(|(?<![\w.])prompt\(|\.question\(/,
  bash: /^[^#\n]*(?<![\w-])read\s+-[a-z]*p\b|^\s*select\s+\w+\s+in\b/m,
} as const;

function languageOf(path: string): keyof typeof interactive | undefined {
  const ending = /\.([a-z]+)$/.exec(path)?.[1];
  if (ending === 'py') return 'python';
  if (ending === 'js' || ending === 'mjs' || ending === 'cjs' || ending === 'ts') return 'node';
  return ending === 'sh' || ending === 'bash' ? 'bash' : undefined;
}

function span(line: number, column: number, length: number): Place {
  return { line, column, endLine: line, endColumn: column + length };
}
