/** A file of the skill that its instructions name. */
export interface FileReference {
  readonly path: string;
  /** The line of the body, from 1. */
  readonly line: number;
  readonly column: number;
}

// What may follow a target starts with a blank or ">": parts that overlap would take hours on a hostile megabyte.
const link = /\]\([ \t]?<?([^()<>\s]+)(?:[ \t>][^()]*)?\)/g;
const bareFile = /(?<![\w./:@-])(?:scripts|references|assets)\/[\w./-]*\w/g;
const fence = /^\s*(?:```|~~~)/;

/** The relative paths that a body names: targets of links outside code, and files of the three usual folders anywhere. */
export function fileReferences(body: string): FileReference[] {
  const found = new Map<string, FileReference>();
  let isCode = false;
  body.split(/\r\n|\n|\r/).forEach((text, index) => {
    if (fence.test(text)) {
      isCode = !isCode;
      return;
    }
    const add = (path: string, column: number): void => {
      if (!found.has(path)) found.set(path, { path, line: index + 1, column: column + 1 });
    };
    if (!isCode) {
      for (const match of text.matchAll(link)) {
        const path = relativePath(match[1]!);
        if (path !== undefined) add(path, match.index + match[0].indexOf(match[1]!));
      }
    }
    for (const match of text.matchAll(bareFile)) {
      // `scripts/` and `scripts/run` may be prose; a name with an ending is a file.
      if (/\.\w+$/.test(match[0])) add(match[0], match.index);
    }
  });
  return [...found.values()];
}

function relativePath(target: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|#|\\)/i.test(target)) return undefined;
  const path = target.replace(/[?#].*$/, '').replace(/^\.\//, '');
  if (path === '' || path.endsWith('/')) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A "%" that escapes nothing is part of the name.
  }
}

/** A skill whose instructions speak of another one. */
export interface SuggestedDependency {
  readonly from: string;
  readonly to: string;
  /** The line of the body of `from`, from 1. */
  readonly line: number;
  /** That line, shortened. */
  readonly evidence: string;
}

/** What is known of a skill that may depend on others. */
export interface ReferringSkill {
  readonly name: string;
  readonly body: string;
  readonly dependsOn?: readonly string[];
}

/**
 * Dependencies that plain SKILL.md folders do not declare but speak of: a path to the other folder, "/name" or "$name",
 * the name beside the word "skill", or a name of several words in backticks. A common word alone suggests nothing.
 */
export function suggestDependencies(skills: readonly ReferringSkill[]): SuggestedDependency[] {
  const names = new Set(skills.map(({ name }) => name));
  return skills.flatMap((skill) => {
    const declared = new Set([
      skill.name,
      ...(skill.dependsOn ?? []).map((text) => text.slice(text.lastIndexOf(':') + 1)),
    ]);
    const found: SuggestedDependency[] = [];
    skill.body.split(/\r\n|\n|\r/).forEach((text, index) => {
      for (const name of namesIn(text)) {
        if (!names.has(name) || declared.has(name)) continue;
        declared.add(name);
        found.push({ from: skill.name, to: name, line: index + 1, evidence: text.trim().slice(0, 120) });
      }
    });
    return found;
  });
}

const word = '[\\p{Ll}\\p{Lo}\\p{N}]+(?:-[\\p{Ll}\\p{Lo}\\p{N}]+)*';
const mentions = [
  new RegExp(`(?:\\.\\./|\\bskills/)(${word})(?=/)`, 'gu'),
  new RegExp(`(?<=^|[\\s("'\`])[/$](${word})(?![\\w/.-])`, 'gu'),
  new RegExp(`\\bskills?:?\\s+[\`"'*]*(${word})(?![\\w-])`, 'gu'),
  new RegExp(`(?<![\\p{L}\\p{N}_-])(${word})[\`"'*]*\\s+skill\\b`, 'gu'),
  new RegExp(`\`(${word})\``, 'gu'),
];

function namesIn(text: string): string[] {
  return mentions.flatMap((pattern, index) => {
    const found = Array.from(text.matchAll(pattern), (match) => match[1]!);
    // In backticks alone any word may be a command or a variable.
    return index === mentions.length - 1 ? found.filter((name) => name.includes('-')) : found;
  });
}
