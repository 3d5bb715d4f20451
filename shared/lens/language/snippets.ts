import { skillSnippets } from '../templates/skill-snippets.ts';
import type { Path } from '../yaml/source.ts';

/** A whole entry to fill in: the lines of a list entry, without the dash. */
export interface Snippet {
  readonly label: string;
  readonly documentation: string;
  readonly lines: readonly string[];
}

const skillWithScript: Snippet = {
  label: 'Skill with a script',
  documentation: 'A skill that runs a script in the sandbox',
  lines: [
    'name: ${1:check-links}',
    'description: ${2:What it does and when to use it}',
    'scripts:',
    '  - name: ${3:check.py}',
    '    content: |',
    '      ${4:print("hello")}',
  ],
};
const skillWithInstructions: Snippet = {
  label: 'Skill with instructions',
  documentation: 'A skill that a model does',
  lines: [
    'name: ${1:write-summary}',
    'description: ${2:What it does and when to use it}',
    'produces: [${3:summary}]',
    'instructions: |',
    '  ${4:Say what to do}',
  ],
};
const skillFromLibrary: Snippet = {
  label: 'Skill of a library',
  documentation: 'Takes its definition from a library',
  lines: ['name: ${1:read-text}', 'source: ${2:sunwell/common:read-text}'],
};
const heuristic: Snippet = {
  label: 'Heuristic',
  documentation: 'A rule the expert follows',
  lines: [
    'name: ${1:Evidence first}',
    'rule: ${2:Every claim needs a source}',
    'test: ${3:Is there a line number?}',
  ],
};
const antiHeuristic: Snippet = {
  label: 'Anti-heuristic',
  documentation: 'A habit the expert avoids',
  lines: [
    'name: ${1:Guessing}',
    'description: ${2:What it looks like}',
    'correction: ${3:What to do instead}',
  ],
};
const persona: Snippet = {
  label: 'Persona',
  documentation: 'A reader who judges the result',
  lines: [
    'name: ${1:Newcomer}',
    'background: ${2:Sees the project for the first time}',
    'goals: [${3:understand it in a minute}]',
    'evaluation_prompt: ${4:What is unclear to you?}',
  ],
};
const deterministic: Snippet = {
  label: 'Validator without a model',
  documentation: 'Checks the text of the result',
  lines: ['name: ${1:no-todo}', 'not_contains: ${2:TODO}', 'severity: ${3|error,warning,info|}'],
};
const command: Snippet = {
  label: 'Validator with a command',
  documentation: 'Runs a command in the sandbox; {output_file} is the result',
  lines: [
    'name: ${1:parses}',
    'command: ${2:python3 -m json.tool {output_file\\}}',
    'success_when: exit-zero',
  ],
};
const judged: Snippet = {
  label: 'Validator asked of a model',
  documentation: 'Asks a judge a question about the result',
  lines: [
    'name: ${1:clear}',
    'check: ${2:Would a newcomer understand it?}',
    'method: ${3|checklist,triangulation,pattern_match|}',
    'confidence_threshold: ${4:0.8}',
  ],
};

const byList: readonly (readonly [RegExp, readonly Snippet[]])[] = [
  [/^skills$/, [skillWithScript, skillWithInstructions, skillFromLibrary, ...skillSnippets]],
  [/^heuristics(?:\/principles)?$/, [heuristic]],
  [/^(?:heuristics\/)?anti_heuristics$/, [antiHeuristic]],
  [/^personas$/, [persona]],
  [/^validators$/, [deterministic, command, judged]],
  [/^validators\/deterministic$/, [deterministic, command]],
  [/^validators\/heuristic$/, [judged]],
];

/** Whole entries for the list at a path. */
export function snippetsFor(path: Path): readonly Snippet[] {
  const names = path.filter((step) => typeof step === 'string');
  const joined = (names[0] === 'lens' ? names.slice(1) : names).join('/');
  return byList.find(([pattern]) => pattern.test(joined))?.[1] ?? [];
}

/** A whole lens for an empty file. */
export const lensSnippet: Snippet = {
  label: 'Lens',
  documentation: 'A lens with one skill',
  lines: [
    'metadata:',
    '  name: ${1:My lens}',
    '  version: 0.1.0',
    'skills:',
    ...skillWithInstructions.lines.map((line, index) =>
      index === 0
        ? `  - ${line.replace('${1', '${2')}`
        : `    ${line.replace(/\$\{(\d)/g, (_, digit: string) => `\${${Number(digit) + 1}`)}`,
    ),
  ],
};
