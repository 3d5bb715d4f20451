import type { ScriptLanguage } from '../../model/skill.ts';
import type { NewEntry } from '../edit/lens-edits.ts';
import type { Plain } from '../edit/tree.ts';
import { isSkillName, lookupSkillName, toSkillName } from '../names.ts';
import { parseReference } from '../reference.ts';

/** What a skill is made of: a script, what a model is told, or a library's skill. */
export type DraftKind = ScriptLanguage | 'model' | 'reference';

/** A skill that is not written yet, as a person fills it in. */
export interface SkillDraft {
  readonly kind: DraftKind;
  readonly name: string;
  readonly description: string;
  readonly dependsOn: readonly string[];
  readonly requires: readonly string[];
  readonly produces: readonly string[];
  /** Globs of the files it may see; undefined means every visible one. */
  readonly files: readonly string[] | undefined;
  /** The script, or what a model is told. */
  readonly body: string;
  /** Where a reference takes its definition from. */
  readonly source: string;
}

export const emptyDraft: SkillDraft = {
  ...{ kind: 'python', name: '', description: '', dependsOn: [], requires: [], produces: [] },
  ...{ files: undefined, body: '', source: '' },
};

const extensions: Readonly<Record<ScriptLanguage, string>> = { python: 'py', node: 'mjs', bash: 'sh' };

/** The entry that a draft stands for, its keys in the order in which people read them. */
export function draftEntry(draft: SkillDraft): NewEntry {
  const { kind, name, description, dependsOn, requires, produces, files, body, source } = draft;
  const entry: Record<string, Plain> = { name };
  if (description.trim() !== '') entry['description'] = description.trim();
  if (kind === 'reference') entry['source'] = source.trim();
  if (dependsOn.length > 0) entry['depends_on'] = dependsOn;
  if (requires.length > 0) entry['requires'] = requires;
  if (produces.length > 0) entry['produces'] = produces;
  if (files) entry['files'] = files;
  if (kind === 'model') entry['instructions'] = withLastBreak(body);
  else if (kind !== 'reference')
    entry['scripts'] = [
      { name: `${name}.${extensions[kind]}`, language: kind, content: withLastBreak(body) },
    ];
  return entry;
}

function withLastBreak(text: string): string {
  return `${text.replaceAll('\r\n', '\n').trimEnd()}\n`;
}

/** What is wrong with a draft, by field; an empty record means that it can be written. */
export function draftProblems(
  draft: SkillDraft,
  taken: readonly string[],
): Partial<Record<'name' | 'description' | 'body' | 'source' | 'requires' | 'produces', string>> {
  const { kind, body, description, requires, produces } = draft;
  const name = nameProblem(draft.name, taken);
  const source = kind === 'reference' ? parseReference(draft.source.trim()) : undefined;
  const keys = (list: readonly string[]): string | undefined => {
    const bad = list.find((key) => !/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(key));
    return bad === undefined ? undefined : `"${bad}" is no key: use letters, digits and "_"`;
  };
  const [badRequires, badProduces] = [keys(requires), keys(produces)];
  return {
    ...(name !== undefined && { name }),
    ...(kind !== 'reference' && description.trim() === '' && { description: 'Say what the skill does' }),
    ...(description.length > 1024 && { description: 'A description has at most 1,024 characters' }),
    ...(source && !source.ok && { source: `Cannot read the reference: ${source.problem}` }),
    ...(source?.ok &&
      !source.value.library && { source: 'Name the library in front, as "sunwell/common:name"' }),
    ...(kind !== 'reference' &&
      body.trim() === '' && { body: kind === 'model' ? 'Say what to do' : 'Write the script' }),
    ...(badRequires !== undefined && { requires: badRequires }),
    ...(badProduces !== undefined && { produces: badProduces }),
  };
}

/** Why a name cannot be a new skill's, in a sentence that says what to type instead. */
export function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'Give it a name';
  if (name.length > 64) return 'A name has at most 64 characters';
  if (!isSkillName(name)) {
    const better = toSkillName(name);
    const rule = 'Use lower-case letters, digits and single hyphens, a letter first';
    return better === undefined ? rule : `${rule}: "${better}"`;
  }
  const other = taken.find((used) => lookupSkillName(used) === lookupSkillName(name));
  return other === undefined ? undefined : `"${other}" is already in this file`;
}
