import type { TextEdit } from '../../model/diagnostic.ts';
import type { ResolvedGraph } from '../../model/graph-document.ts';
import { layoutOf } from '../edit/place.ts';
import { renderKey } from '../edit/render.ts';
import { applyEdits } from '../edit/text-lines.ts';
import { isSkillName, toSkillName } from '../names.ts';
import { quote } from '../problems.ts';
import type { FileFacts, LanguageFile } from './file-facts.ts';
import type { Mention, Span, SymbolKind } from './mention.ts';
import { scalarText, spanIn } from './text-span.ts';
import { lookupOf, Symbols } from './symbols.ts';

/** The edits that rename something everywhere, and what the user should look at; or why nothing may be touched. */
export type RenameResult =
  | { readonly ok: true; readonly edits: TextEdit[]; readonly notes: string[] }
  | { readonly ok: false; readonly message: string };

/** What to rename: the texts of all lenses, libraries and fixtures of the workspace, and what their graphs resolved to where known. */
export interface RenameOptions {
  readonly files: readonly LanguageFile[];
  readonly newName: string;
  /** Skills of founts and of the built-in library, which no edit reaches, are known only from here. */
  readonly graphs?: readonly ResolvedGraph[];
}

/** What the word at an offset can be renamed as; undefined where it names nothing. */
export function renameTarget(
  files: readonly LanguageFile[],
  at: { readonly file: string; readonly offset: number },
): Mention | undefined {
  return new Symbols(files).at(at.file, at.offset);
}

/** Renames what stands at an offset, with every mention of it in all files. */
export function renameAt(at: { file: string; offset: number }, options: RenameOptions): RenameResult {
  const symbols = new Symbols(options.files);
  const mention = symbols.at(at.file, at.offset);
  return mention ? renameMention(symbols, mention, options) : refuse('There is no name to change here');
}

/** Renames a skill of a lens or library file, with every reference to it in all files. */
export function renameSkill(
  skill: { readonly file: string; readonly name: string },
  options: RenameOptions,
): RenameResult {
  const symbols = new Symbols(options.files);
  const wanted = lookupOf('skill', skill.name);
  const mention = symbols.files
    .get(skill.file)
    ?.mentions.find(
      ({ kind, role, name }) =>
        kind === 'skill' && role === 'definition' && lookupOf('skill', name) === wanted,
    );
  return mention
    ? renameMention(symbols, mention, options)
    : refuse(`Cannot rename ${quote(skill.name)}: "${skill.file}" is no lens or library of this workspace`);
}

const kindNames: Readonly<Record<SymbolKind, string>> = {
  skill: 'skill',
  key: 'context key',
  validator: 'validator',
  persona: 'persona',
  preset: 'preset',
  lens: 'lens',
};

/** The word for what a mention names, as people read it. */
export function kindName(kind: SymbolKind): string {
  return kindNames[kind];
}

function renameMention(symbols: Symbols, mention: Mention, options: RenameOptions): RenameResult {
  const { newName, files, graphs = [] } = options;
  const what = `Cannot rename ${quote(mention.name)}`;
  const problem = badName(mention, newName) ?? outOfReach(symbols, mention, graphs);
  if (problem !== undefined) return refuse(`${what}: ${problem}`);
  const mentions = symbols.same(mention);
  const broken = files.find(
    (file) =>
      symbols.files.get(file.file)!.source.isBroken &&
      (file.kind !== 'fixtures' || mention.kind === 'skill') &&
      holds(file.text, mention),
  );
  if (broken) return refuse(`${what}: "${broken.file}" has syntax errors, correct them first`);
  const edits: TextEdit[] = [];
  for (const { file, span, style } of mentions) {
    const { source } = symbols.files.get(file)!;
    if (!span) return refuse(`${what}: "${file}" spells it with escapes, write it plainly there first`);
    const text = style === undefined ? newName : renderKey(newName, layoutOf(source), style);
    edits.push({ file, ...around(source.text, span, style), text });
  }
  edits.push(...pinnedSources(symbols, mentions));
  const changed = edits.filter(({ file, start, end, text }) => {
    return symbols.files.get(file)!.source.text.slice(start, end) !== text;
  });
  const after = new Symbols(files.map((file) => edited(file, changed)));
  if (after.meaning(mention.kind) !== symbols.meaning(mention.kind)) {
    return refuse(`${what}: ${collision(symbols, mention, newName)}`);
  }
  const notes = [...notesFor(symbols, mention, mentions), ...fixtureNotes(symbols, after)];
  return { ok: true, edits: changed, notes };
}

function refuse(message: string): RenameResult {
  return { ok: false, message };
}

function badName({ kind }: Mention, newName: string): string | undefined {
  if (newName.trim() === '' || newName !== newName.trim() || /[\r\n]/.test(newName))
    return 'the new name must be one line, without spaces around it';
  if (kind === 'skill' && !isSkillName(newName)) {
    const allowed = toSkillName(newName);
    const hint = allowed === undefined ? '' : `, such as "${allowed}"`;
    return `a skill name has lower-case letters, digits and single hyphens${hint}`;
  }
  if (kind === 'key' && /[{}]/.test(newName)) return 'a context key cannot hold braces';
  return undefined;
}

/** Why a rename would leave something behind that no edit of this workspace's files reaches. */
function outOfReach(
  symbols: Symbols,
  mention: Mention,
  graphs: readonly ResolvedGraph[],
): string | undefined {
  const { kind, name, library } = mention;
  const isDefined = symbols.same(mention).some(({ role }) => role === 'definition');
  if (kind === 'skill' && !isDefined) {
    if ((symbols.tested.get(mention) ?? []).length > 0)
      return 'several lenses with these fixtures have a skill of this name, rename it in one of them';
    return library === undefined
      ? 'no lens or library of this workspace defines it'
      : 'its library is no file of this workspace';
  }
  if (kind !== 'key') return undefined;
  const fixed = graphs
    .flatMap(({ skills }) => Object.values(skills))
    .find(
      ({ source, produces, requires }) =>
        (source === 'builtin' || source === 'fount') && [...produces, ...requires].includes(name),
    );
  return fixed && `skill "${fixed.id}" uses it and cannot be changed here`;
}

/** A quoted name is replaced with its quotes, because another name may need other escapes. */
function around(text: string, { start, end }: Span, style: Mention['style']): Span {
  const isQuoted = style === 'QUOTE_DOUBLE' || style === 'QUOTE_SINGLE';
  return isQuoted && /["']/.test(text[start - 1] ?? '') ? { start: start - 1, end: end + 1 } : { start, end };
}

/** A source that names only a library means the skill of the entry's own name there: from now on it must say which. */
function pinnedSources(symbols: Symbols, mentions: readonly Mention[]): TextEdit[] {
  return mentions.flatMap(({ kind, role, file, name }) => {
    if (kind !== 'skill' || role !== 'definition') return [];
    const facts = symbols.files.get(file)!;
    const source = facts.skills.find((skill) => skill.name === name)?.source;
    if (!source?.library || symbols.links.library(source.library, file)) return [];
    const node = facts.source.find(source.path);
    const span = node && spanIn(facts.source.text, node, 0, scalarText(node)?.length ?? 0);
    return span ? [{ file, start: span.end, end: span.end, text: `:${name}` }] : [];
  });
}

function edited(file: LanguageFile, edits: readonly TextEdit[]): LanguageFile {
  const own = edits.filter((edit) => edit.file === file.file);
  return own.length === 0 ? file : { ...file, text: applyEdits(file.text, own) };
}

function collision({ mentions }: Symbols, { kind }: Mention, newName: string): string {
  const wanted = lookupOf(kind, newName);
  const taken = mentions.find((other) => other.kind === kind && lookupOf(kind, other.name) === wanted);
  return taken
    ? `"${taken.file}" already has a ${kindNames[kind]} "${taken.name}"`
    : `with the name ${quote(newName)} a reference would mean something else`;
}

/** Says whether a broken text could mention the name: what cannot be parsed cannot be renamed. */
function holds(text: string, { kind, name }: Mention): boolean {
  const plain = (value: string): string => lookupOf(kind, value);
  return plain(text).includes(plain(name));
}

/** Scripts read context keys in ways that no edit of ours can follow. */
function notesFor({ files }: Symbols, { kind, name }: Mention, mentions: readonly Mention[]): string[] {
  if (kind !== 'key') return [];
  const touched = new Map<FileFacts, Set<string | undefined>>();
  for (const { file, skill } of mentions) {
    const facts = files.get(file)!;
    touched.set(facts, (touched.get(facts) ?? new Set()).add(skill));
  }
  return [...touched].flatMap(([facts, names]) =>
    facts.skills
      .filter((skill) => names.has(skill.name))
      .flatMap((skill) =>
        (skill.scripts ?? [])
          .filter(({ content }) => content?.includes(name))
          .map((script) => `Script "${script.name}" of "${skill.name}" still says "${name}": look at it`),
      ),
  );
}

/** Lenses that share fixtures also share the names in them: a rename in one lens cannot suit the others. */
function fixtureNotes(before: Symbols, after: Symbols): string[] {
  const keyOf = ({ file, place }: Mention): string => `${file} ${place}`;
  const meaning = (skills: readonly Mention[]): string => JSON.stringify(skills.map(keyOf).sort());
  const known = new Map([...before.tested].map(([mention, skills]) => [keyOf(mention), meaning(skills)]));
  const notes = [...after.tested]
    .filter(([mention, skills]) => known.get(keyOf(mention)) !== meaning(skills))
    .map(
      ([{ file, name }]) => `Fixtures in "${file}" that say "${name}" no longer mean the same: look at them`,
    );
  return [...new Set(notes)];
}
