import { isMap, isScalar, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import { findPair, keyText, pairsOf } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import { insertEntry, insertItem } from './insert.ts';
import { refuse } from './place.ts';
import type { EditResult } from './place.ts';
import { removeAt } from './remove.ts';
import { setValue } from './set.ts';
import type { Plain } from './tree.ts';

/** An entry to write: keys in the order in which they shall stand. */
export type NewEntry = Readonly<Record<string, Plain>>;

/** The path of the lens's own map: below `lens:` where the file has that wrapper. */
export function lensPath(source: YamlSource): Path {
  const { root } = source;
  const isWrapped =
    isMap(root) && findPair(root, 'lens') !== undefined && findPair(root, 'metadata') === undefined;
  return isWrapped ? ['lens'] : [];
}

/** Adds an item to a list, which is made where it is not there yet. */
export function addToList(source: YamlSource, path: Path, value: Plain): EditResult {
  return hasEntry(source, path)
    ? insertItem(source, path, value)
    : insertEntry(source, path.slice(0, -1), String(path.at(-1)), [value]);
}

/** Adds a skill at the end of a lens or library. */
export function addSkill(source: YamlSource, skill: NewEntry): EditResult {
  return addToList(source, [...lensPath(source), 'skills'], skill);
}

/** Adds a heuristic, to the list or under `principles`, as the lens has it. */
export function addHeuristic(source: YamlSource, heuristic: NewEntry): EditResult {
  const path = [...lensPath(source), 'heuristics'];
  return addToList(source, isMap(source.find(path)) ? [...path, 'principles'] : path, heuristic);
}

/** Adds a validator, to the one list or to the list of its kind, as the lens has it. */
export function addValidator(
  source: YamlSource,
  kind: 'deterministic' | 'heuristic',
  validator: NewEntry,
): EditResult {
  const path = [...lensPath(source), 'validators'];
  if (isSeq(source.find(path))) return addToList(source, path, validator);
  if (hasEntry(source, path)) return addToList(source, [...path, kind], validator);
  return insertEntry(source, lensPath(source), 'validators', { [kind]: [validator] });
}

/** Adds a persona. */
export function addPersona(source: YamlSource, persona: NewEntry): EditResult {
  return addToList(source, [...lensPath(source), 'personas'], persona);
}

/** Declares a run input of the lens. */
export function addInput(source: YamlSource, name: string, input: NewEntry): EditResult {
  const path = [...lensPath(source), 'inputs'];
  if (isSeq(source.find(path))) return addToList(source, path, name);
  if (hasEntry(source, path)) return insertEntry(source, path, name, input);
  return insertEntry(source, lensPath(source), 'inputs', { [name]: input });
}

/** Keys that stand before the prose of a skill; a new graph field goes behind the last of them. */
const headKeys = [
  'name',
  'description',
  'type',
  'trust',
  'preset',
  'triggers',
  'depends_on',
  'requires',
  'produces',
];

function addGraphField(source: YamlSource, skillPath: Path, key: string, value: Plain): EditResult {
  const skill = source.find(skillPath);
  if (!isMap(skill)) return refuse('not-found', `Cannot edit "${skillPath.join('.')}": there is no skill`);
  const last = pairsOf(skill).findLastIndex((pair) => headKeys.includes(keyText(pair.key) ?? ''));
  return insertEntry(source, skillPath, key, value, last + 1);
}

/** Makes a skill depend on another, in the form in which its other dependencies are written. */
export function addDependency(source: YamlSource, skillPath: Path, reference: string): EditResult {
  const path = [...skillPath, 'depends_on'];
  if (!hasEntry(source, path)) return addGraphField(source, skillPath, 'depends_on', [reference]);
  const node = source.find(path);
  const texts = dependencyTexts(source, node);
  if (texts.includes(reference))
    return refuse('already-there', `The skill already depends on "${reference}"`);
  if (isSeq(node)) {
    const last = node.items.at(-1);
    return insertItem(source, path, isMap(last) ? { source: reference } : reference);
  }
  if (isMap(node))
    return setValue(
      source,
      path,
      [...texts, reference].map((text) => ({ source: text })),
    );
  return setValue(source, path, [...texts, reference]);
}

/** Removes a dependency of a skill, and `depends_on` with the last one. */
export function removeDependency(source: YamlSource, skillPath: Path, reference: string): EditResult {
  const path = [...skillPath, 'depends_on'];
  const node = source.find(path);
  const index = dependencyTexts(source, node).indexOf(reference);
  if (index < 0) return refuse('not-found', `The skill does not depend on "${reference}"`);
  return isSeq(node) && node.items.length > 1 ? removeAt(source, [...path, index]) : removeAt(source, path);
}

/** The dependencies as written, in the order of the list where there is one. */
function dependencyTexts(source: YamlSource, node: ParsedNode | undefined): string[] {
  const textOf = (entry: ParsedNode | null): string => {
    const text = isMap(entry) ? source.resolve(findPair(entry, 'source')?.value ?? null) : entry;
    return isScalar(text) && text.value !== null ? String(text.value) : '';
  };
  if (isSeq(node)) return node.items.map((item) => textOf(source.resolve(item)));
  const single = textOf(node ?? null);
  return single === '' ? [] : [single];
}

/** Adds a context key to what a skill requires or produces, or a glob to the files that it sees. */
export function addToTexts(
  source: YamlSource,
  skillPath: Path,
  field: 'requires' | 'produces' | 'files',
  text: string,
): EditResult {
  const path = [...skillPath, field];
  if (!hasEntry(source, path)) return addGraphField(source, skillPath, field, [text]);
  const node = source.find(path);
  return isScalar(node) && node.value !== null
    ? setValue(source, path, [String(node.value), text])
    : insertItem(source, path, text);
}

/** Removes a context key from what a skill requires or produces, and the field with the last one. */
export function removeContextKey(
  source: YamlSource,
  skillPath: Path,
  field: 'requires' | 'produces',
  key: string,
): EditResult {
  const path = [...skillPath, field];
  const node = source.find(path);
  const keys = isSeq(node) ? node.items.map((item) => source.plain(item)) : [source.plain(node ?? null)];
  const index = keys.indexOf(key);
  if (index < 0) return refuse('not-found', `The skill does not have "${key}" under "${field}"`);
  return keys.length > 1 ? removeAt(source, [...path, index]) : removeAt(source, path);
}

/** Says whether a key is there, even without a value. */
function hasEntry(source: YamlSource, path: Path): boolean {
  const parent = source.find(path.slice(0, -1));
  return isMap(parent) && findPair(parent, String(path.at(-1))) !== undefined;
}
