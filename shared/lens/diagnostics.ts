import { agentSkillRows } from '../agent-skills/diagnostic-rows.ts';
import type { Diagnostic, Location, QuickFix, Severity } from '../model/diagnostic.ts';

/** One kind of problem: how bad it is, what it means, and what to do about it. */
export interface DiagnosticRow {
  readonly severity: Severity;
  readonly explanation: string;
  readonly wayOut: string;
}

/**
 * Every problem the studio can find in a lens, library, fixtures, config or lock file.
 * `docs/diagnostics.md` is generated from this table; callers branch on the code, never on the message.
 */
export const diagnosticTable = {
  'yaml.syntax': {
    severity: 'error',
    explanation: 'The text is not valid YAML at this place.',
    wayOut:
      'Correct the text; quoting a value that holds ": ", "#" or a leading special character often helps.',
  },
  'yaml.bad-indent': {
    severity: 'error',
    explanation: 'The line is not indented like the other entries of its block.',
    wayOut: 'Give every entry of one block the same number of leading spaces.',
  },
  'yaml.tab-indent': {
    severity: 'error',
    explanation: 'A tab is used for indentation, which YAML does not allow.',
    wayOut: 'Replace the tab by spaces.',
  },
  'yaml.duplicate-key': {
    severity: 'error',
    explanation: 'The same key occurs twice in one map, so one of the two values would be lost.',
    wayOut: 'Remove or rename one of the two; until then the first one counts.',
  },
  'yaml.forbidden-key': {
    severity: 'error',
    explanation:
      'The keys "__proto__", "constructor" and "prototype" are refused because they can corrupt programs.',
    wayOut: 'Choose another name for the key.',
  },
  'yaml.key-not-text': {
    severity: 'warning',
    explanation: 'A list or map is used as a key; the studio keeps it in the text but cannot use it.',
    wayOut: 'Use plain text as the key.',
  },
  'yaml.merge-key': {
    severity: 'warning',
    explanation: 'Merge keys ("<<") are not part of YAML 1.2, so the maps are not merged.',
    wayOut: 'Write the merged entries out.',
  },
  'yaml.too-large': {
    severity: 'error',
    explanation: 'The file is larger than 1 MiB and is not read.',
    wayOut: 'Split it into several files, for example one library per subject.',
  },
  'yaml.too-deep': {
    severity: 'error',
    explanation: 'Lists and maps are nested more than 64 levels deep and the file is not read.',
    wayOut: 'Flatten the structure.',
  },
  'yaml.too-many-pieces': {
    severity: 'error',
    explanation:
      'The file has so many keys and values that reading it would take too long, and it is not read.',
    wayOut: 'Split it into several files, for example one library per subject.',
  },
  'yaml.too-many-aliases': {
    severity: 'error',
    explanation: 'More than 10 aliases are used, and the further ones are not followed.',
    wayOut: 'Write the repeated values out.',
  },
  'yaml.unknown-anchor': {
    severity: 'error',
    explanation: 'An alias names an anchor that was not defined above it.',
    wayOut: 'Define the anchor before its first use, or write the value out.',
  },
  'yaml.recursive-alias': {
    severity: 'error',
    explanation: 'An alias refers to the value that contains it, which would never end.',
    wayOut: 'Write the inner value out.',
  },
  'yaml.several-documents': {
    severity: 'error',
    explanation: 'The file holds several YAML documents; only the first is read.',
    wayOut: 'Keep one document per file: remove the "---" line or move the rest into another file.',
  },
  'yaml.unknown-tag': {
    severity: 'warning',
    explanation: 'The value carries a tag that is not part of YAML 1.2 core, and the tag is ignored.',
    wayOut: 'Remove the tag.',
  },
  'yaml.too-many-problems': {
    severity: 'info',
    explanation: 'The file has so many problems that only the first ones are listed.',
    wayOut: 'Correct the listed ones and check again.',
  },
  'file.empty': {
    severity: 'error',
    explanation: 'The file holds no value.',
    wayOut: 'Start from a template, or delete the file.',
  },
  'file.wrong-root': {
    severity: 'error',
    explanation: 'The top of the file is not of the kind this file needs.',
    wayOut: 'Start the file as its format asks, for example with "lens:" or "skills:".',
  },
  'key.unknown': {
    severity: 'info',
    explanation: 'The key is not one the studio knows; it is kept as it is.',
    wayOut: 'Correct the spelling, or leave it if another tool reads it.',
  },
  'key.duplicate-form': {
    severity: 'warning',
    explanation: 'The same thing is given twice under two accepted spellings, and only one counts.',
    wayOut: 'Keep one of the two.',
  },
  'value.wrong-type': {
    severity: 'error',
    explanation: 'The value is of another kind than the key needs, and is left out.',
    wayOut: 'Write the value in one of the accepted forms.',
  },
  'value.not-text': {
    severity: 'info',
    explanation:
      'The value reads as a number, true, false or null where text is meant; its spelling is taken as text.',
    wayOut: 'Put the value in quotes.',
  },
  'value.out-of-range': {
    severity: 'warning',
    explanation: 'The number is outside the range the key allows; it is kept.',
    wayOut: 'Choose a number inside the range.',
  },
  'value.too-long': {
    severity: 'warning',
    explanation: 'The text is longer than the key allows; it is kept, but other tools may refuse it.',
    wayOut: 'Shorten the text.',
  },
  'value.unknown': {
    severity: 'warning',
    explanation: 'The value is outside the known set; it is kept.',
    wayOut: 'Choose one of the known values.',
  },
  'lens.missing-name': {
    severity: 'error',
    explanation: 'A lens needs "metadata.name".',
    wayOut: 'Add a name under "metadata".',
  },
  'lens.missing-version': {
    severity: 'error',
    explanation: 'A lens needs "metadata.version".',
    wayOut: 'Add a version such as "0.1.0" under "metadata".',
  },
  'lens.bad-version': {
    severity: 'warning',
    explanation: 'The version is not a semantic version (major.minor.patch).',
    wayOut: 'Write three numbers, for example "1.0.0".',
  },
  'lens.duplicate-name': {
    severity: 'warning',
    explanation: 'Two entries of one list have the same name (names ignore case), and the later one wins.',
    wayOut: 'Rename or remove one of them.',
  },
  'lens.not-found': {
    severity: 'error',
    explanation: 'The lens named by "extends" or "compose" does not exist.',
    wayOut: 'Correct the name or the relative path.',
  },
  'lens.cycle': {
    severity: 'error',
    explanation: 'Lenses extend or compose one another in a circle.',
    wayOut: 'Remove one of the links of the chain.',
  },
  'lens.overrides': {
    severity: 'info',
    explanation: 'An own entry replaces an inherited one of the same name.',
    wayOut: 'Add "override: true" if that is meant, or rename the entry.',
  },
  'lens.bad-reference': {
    severity: 'error',
    explanation: 'The reference to a lens is neither a lens name, a relative path nor a fount.',
    wayOut: 'Write a lens name, a path such as "./base.lens", or "fount://package@range".',
  },
  'lens.version-mismatch': {
    severity: 'warning',
    explanation: 'The lens that was found does not satisfy the version asked for.',
    wayOut: 'Change the version, or use a lens that satisfies it.',
  },
  'heuristic.missing-name': {
    severity: 'error',
    explanation: 'A heuristic needs a name, and is left out without one.',
    wayOut: 'Add "name".',
  },
  'heuristic.missing-rule': {
    severity: 'error',
    explanation: 'A heuristic needs a rule.',
    wayOut: 'Add "rule" with the sentence to follow.',
  },
  'anti-heuristic.missing-name': {
    severity: 'error',
    explanation: 'An anti-heuristic needs a name, and is left out without one.',
    wayOut: 'Add "name".',
  },
  'persona.missing-name': {
    severity: 'error',
    explanation: 'A persona needs a name, and is left out without one.',
    wayOut: 'Add "name".',
  },
  'persona.not-found': {
    severity: 'warning',
    explanation: 'A skill asks for a persona that the lens does not have.',
    wayOut: 'Correct the name or add the persona.',
  },
  'validator.missing-name': {
    severity: 'error',
    explanation: 'A validator needs a name, and is left out without one.',
    wayOut: 'Add "name".',
  },
  'validator.no-check': {
    severity: 'error',
    explanation: 'The validator says nothing to check.',
    wayOut:
      'Add "command", "script" or a built-in check to a deterministic validator, "prompt" or "check" to a heuristic one.',
  },
  'validator.not-found': {
    severity: 'warning',
    explanation: 'A validator that is asked for does not exist in the lens.',
    wayOut: 'Correct the name or add the validator.',
  },
  'validator.bad-pattern': {
    severity: 'error',
    explanation: 'The pattern is not a valid regular expression.',
    wayOut: 'Correct the pattern; a backslash must be doubled inside double quotes.',
  },
  'workflow.missing-name': {
    severity: 'error',
    explanation: 'A workflow needs a name, and is left out without one.',
    wayOut: 'Add "name".',
  },
  'workflow.unclear-step': {
    severity: 'error',
    explanation: 'A workflow step is none of "skill", "parallel" or "action", and is left out.',
    wayOut: 'Write "skill: name", "parallel: [...]" or "name" with "action".',
  },
  'workflow.missing-skill': {
    severity: 'error',
    explanation: 'A workflow step names a skill that is not in the graph.',
    wayOut: 'Correct the name or add the skill.',
  },
  'shortcut.dangling': {
    severity: 'warning',
    explanation: 'A shortcut names a skill that is not in the graph.',
    wayOut: 'Correct the name, add the skill or remove the shortcut.',
  },
  'skill.missing-name': {
    severity: 'error',
    explanation: 'A skill needs a name, and is left out without one.',
    wayOut: 'Add "name".',
  },
  'skill.bad-name': {
    severity: 'error',
    explanation:
      'A skill name is up to 64 lower-case letters, digits and single hyphens, starting with a letter.',
    wayOut: 'Rename the skill, for example "read-file".',
  },
  'skill.missing-description': {
    severity: 'error',
    explanation: 'A skill needs a description: people and models choose skills by it.',
    wayOut: 'Add "description" with a sentence that says what the skill does and when to use it.',
  },
  'skill.duplicate-name': {
    severity: 'error',
    explanation: 'Two skills of one file have the same name ("_" and "-" count as equal).',
    wayOut: 'Rename or remove one of them.',
  },
  'skill.no-content': {
    severity: 'error',
    explanation: 'An inline skill needs instructions or scripts, otherwise it does nothing.',
    wayOut: 'Add "instructions" or "scripts", or name where the skill comes from with "source" or "path".',
  },
  'skill.missing-source': {
    severity: 'error',
    explanation: 'A skill of type "reference" needs "source", one of type "local" needs "path".',
    wayOut: 'Add the missing key, or change the type.',
  },
  'skill.bad-script-name': {
    severity: 'error',
    explanation:
      'A script name must be a plain file name, so that it cannot leave its folder; the script is left out.',
    wayOut: 'Use a name such as "check.py", without "/", "\\" or "..".',
  },
  'skill.unknown-language': {
    severity: 'error',
    explanation: 'The language of the script is neither given nor clear from its extension.',
    wayOut: 'Add "language: python", "node" or "bash".',
  },
  'skill.empty-script': {
    severity: 'error',
    explanation: 'A script needs "content" or "path".',
    wayOut: 'Add one of them.',
  },
  'skill.missing-file': {
    severity: 'error',
    explanation: 'A file that the skill names does not exist.',
    wayOut: 'Correct the path or add the file.',
  },
  'skill.unsafe-path': {
    severity: 'error',
    explanation: 'A path of the skill leaves the folder it is allowed to use.',
    wayOut: 'Move the file below the lens or library, and name it with a relative path.',
  },
  'include.malformed': {
    severity: 'error',
    explanation: 'An include names a file, or a file and some of its skills.',
    wayOut: 'Write "include: file.yaml" or "include: file.yaml::skill-a, skill-b".',
  },
  'include.not-found': {
    severity: 'error',
    explanation: 'The included file, or a skill asked for from it, does not exist.',
    wayOut: 'Correct the path or the names.',
  },
  'reference.malformed': {
    severity: 'error',
    explanation: 'The reference does not follow the grammar, and nothing is guessed.',
    wayOut:
      'Write "name", "sunwell/common:name", "./path:name", "fount://package@range:name" or "agentskills://package@range:name".',
  },
  'library.not-found': {
    severity: 'error',
    explanation: 'The library that a reference or "skill_sources" names does not exist.',
    wayOut: 'Correct the path, or add the fount to the lock.',
  },
  'library.no-skills': {
    severity: 'warning',
    explanation: 'The library defines no skill and no preset.',
    wayOut: 'Add a "skills" list, or delete the file.',
  },
  'preset.not-found': {
    severity: 'warning',
    explanation: 'A skill asks for a permission preset that no library defines.',
    wayOut: 'Correct the name or define the preset.',
  },
  'graph.missing-dependency': {
    severity: 'error',
    explanation: 'A skill depends on a skill that does not exist.',
    wayOut: 'Choose one of the candidates, add the skill, or remove the dependency.',
  },
  'graph.cycle': {
    severity: 'error',
    explanation: 'Skills depend on one another in a circle, so none of them can run first.',
    wayOut: 'Remove one of the dependencies on the path shown.',
  },
  'graph.unsatisfied-requires': {
    severity: 'error',
    explanation: 'A skill requires a key that nothing upstream produces and no run input declares.',
    wayOut: 'Depend on a skill that produces it, or declare it under "inputs".',
  },
  'graph.several-producers': {
    severity: 'warning',
    explanation: 'Several skills upstream produce the same key, so it is unclear which value arrives.',
    wayOut: 'Let one of them produce the key, or depend on only one of them.',
  },
  'graph.unused-produces': {
    severity: 'info',
    explanation: 'No other skill requires the produced key.',
    wayOut: 'Remove it if nobody reads it, or leave it as a result of the run.',
  },
  'graph.ambiguous-name': {
    severity: 'error',
    explanation: 'A bare name could mean skills of several libraries.',
    wayOut: 'Write the library in front, for example "sunwell/common:name".',
  },
  'graph.duplicate-skill': {
    severity: 'warning',
    explanation: 'Two files of one library define a skill of the same name; both are kept as two skills.',
    wayOut: 'Rename one of them, or name the file in front, for example "./team.skills.yaml:audit".',
  },
  'graph.orphan': {
    severity: 'info',
    explanation: 'The skill depends on nothing and nothing depends on it.',
    wayOut: 'Connect it, or leave it if it is meant to run alone.',
  },
  ...agentSkillRows,
  'fixture.missing-name': {
    severity: 'error',
    explanation: 'A fixture needs a name, and is left out without one.',
    wayOut: 'Add "name".',
  },
  'fixture.no-expectation': {
    severity: 'warning',
    explanation: 'A fixture without "expected" passes whatever happens, as long as the run does not fail.',
    wayOut: 'Add "expected" with what must hold.',
  },
  'fixture.duplicate-name': {
    severity: 'warning',
    explanation: 'Two fixtures have the same name, so that reports cannot tell them apart.',
    wayOut: 'Rename one of them.',
  },
  'fixture.unknown-skill': {
    severity: 'error',
    explanation: 'The lens that the fixture is for has no such skill, or several.',
    wayOut: 'Use the name or the qualified id of a skill; "sunwell lens skill-graph" lists them.',
  },
  'fixture.bad-file': {
    severity: 'error',
    explanation: 'A file of a fixture is not in the workspace, or its path is none that scripts may see.',
    wayOut: 'Use a path within the workspace, and give its content where the workspace has no such file.',
  },
  'config.unknown-model': {
    severity: 'error',
    explanation: 'The default or judge model is not one of "models".',
    wayOut: 'Name one of the configured models, or add it.',
  },
  'config.incomplete-model': {
    severity: 'error',
    explanation: 'The model lacks a key that its provider needs.',
    wayOut: 'Add the key that the message names.',
  },
  'lock.bad-entry': {
    severity: 'error',
    explanation:
      'A lock entry does not pin an exact version and a sha512 digest, so the package cannot be checked.',
    wayOut:
      'Do not edit the lock by hand: restore it from git, or write it anew with "sunwell fount update".',
  },
  'lock.unknown-version': {
    severity: 'error',
    explanation: 'The lock was written by another version of the studio in a form this one does not know.',
    wayOut: 'Use the newer studio, or write the lock anew.',
  },
  'lock.mismatch': {
    severity: 'error',
    explanation: 'The package content differs from what the lock pins.',
    wayOut: 'Find out why the package changed before you accept it with "sunwell fount update".',
  },
} as const satisfies Readonly<Record<string, DiagnosticRow>>;

export type DiagnosticCode = keyof typeof diagnosticTable;

/** What a diagnostic may carry beside its message. */
export interface DiagnosticExtras {
  readonly related?: NonNullable<Diagnostic['related']> | undefined;
  readonly fixes?: readonly QuickFix[] | undefined;
}

/** Builds a diagnostic whose severity comes from the table. */
export function diagnostic(
  code: DiagnosticCode,
  location: Location,
  message: string,
  extras: DiagnosticExtras = {},
): Diagnostic {
  const result: Diagnostic = { code, severity: diagnosticTable[code].severity, message, location };
  if (extras.related !== undefined && extras.related.length > 0) result.related = extras.related;
  if (extras.fixes !== undefined && extras.fixes.length > 0) result.fixes = [...extras.fixes];
  return result;
}
