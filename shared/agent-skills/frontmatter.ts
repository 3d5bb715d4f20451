import { isAlias, isMap, isScalar, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import { openYaml } from '../lens/yaml/open.ts';
import { forbiddenKeys, keyText, pairsOf } from '../lens/yaml/source.ts';
import type { YamlSource } from '../lens/yaml/source.ts';
import { topOfFile } from './problem.ts';
import type { Place, SkillProblems, SkillProfile } from './problem.ts';
import { requote } from './requote.ts';

/** A value of the frontmatter; every scalar is the text that is written, whatever YAML could make of it. */
export type FrontmatterValue =
  string | readonly FrontmatterValue[] | { readonly [key: string]: FrontmatterValue };

/** One top-level entry of the frontmatter. */
export interface FrontmatterField {
  readonly key: string;
  readonly value: FrontmatterValue;
  /** Where the value stands; for a missing value, its key. */
  readonly at: Place;
  /** What stands behind the value after "#", and is therefore no part of it. */
  readonly comment?: string;
}

/** The fields in the order of the file; of keys given twice the first. Undefined where it is no map of fields at all. */
export function readFields(
  yaml: string,
  profile: SkillProfile,
  problems: SkillProblems,
): FrontmatterField[] | undefined {
  const marker = /\n(\.\.\.|---)(?=[ \t\r\n])/.exec(yaml);
  if (marker) {
    const line = yaml.slice(0, marker.index + 1).split('\n').length;
    const message = `Invalid YAML in frontmatter: "${marker[1]!}" ends the document, close the frontmatter with "---"`;
    problems.error('agent-skill.bad-yaml', { line, column: 1, endLine: line, endColumn: 4 }, message);
    return undefined;
  }
  let opened = openYaml(yaml, '');
  let quoted: ReadonlyMap<string, Place> = new Map();
  if (opened.source.isBroken && profile === 'lenient') {
    const mended = requote(yaml);
    const again = mended && openYaml(mended.yaml, '');
    if (mended && again && !again.source.isBroken) {
      opened = again;
      quoted = mended.values;
    }
  }
  const { source } = opened;
  const last = lastPlace(yaml);
  for (const { code, severity, message, location } of opened.problems.diagnostics) {
    const at = location.line > last.line ? last : location;
    if (severity !== 'error') problems.warning('agent-skill.not-portable', at, message);
    else if (code === 'yaml.duplicate-key')
      problems.violation('agent-skill.duplicate-key', at, `Invalid YAML in frontmatter: ${message}`);
    else if (source.isBroken)
      problems.error('agent-skill.bad-yaml', at, `Invalid YAML in frontmatter: ${message}`);
    else problems.violation('agent-skill.bad-yaml', at, `Invalid YAML in frontmatter: ${message}`);
  }
  if (source.isBroken) return undefined;
  for (const [key, place] of quoted) {
    const message = `The value of "${key}" is no YAML without quotes: it is read as if it had them`;
    problems.warning('agent-skill.needs-quotes', place, message);
  }
  if (!isMap(source.root)) {
    problems.error('agent-skill.not-a-map', topOfFile, 'SKILL.md frontmatter must be a YAML mapping');
    return undefined;
  }
  return fieldsOf(source, quoted, problems);
}

/** The last character of the text: what is missed at its end, such as a bracket, is missing there, not in the closing line. */
function lastPlace(yaml: string): Place {
  const content = yaml.trimEnd();
  const line = content.split('\n').length;
  const endColumn = content.length - content.lastIndexOf('\n');
  return { line, column: Math.max(1, endColumn - 1), endLine: line, endColumn };
}

function fieldsOf(
  source: YamlSource,
  quoted: ReadonlyMap<string, Place>,
  problems: SkillProblems,
): FrontmatterField[] {
  const fields = new Map<string, FrontmatterField>();
  if (isMap(source.root) && source.root.flow === true) reportForm(source, source.root, problems);
  for (const { key, value } of isMap(source.root) ? pairsOf(source.root) : []) {
    const name = keyText(source.resolve(key));
    if (key === null || name === undefined || fields.has(name)) continue;
    const unusual = value === null ? undefined : findUnusual(value);
    if (unusual) reportForm(source, unusual, problems);
    const comment = isScalar(value) && value.type !== 'BLOCK_LITERAL' && value.type !== 'BLOCK_FOLDED';
    fields.set(name, {
      key: name,
      value: textTree(source, value),
      at: quoted.get(name) ?? place(source, value !== null && value.range[1] > value.range[0] ? value : key),
      ...(comment && value.comment ? { comment: value.comment } : {}),
    });
  }
  return [...fields.values()];
}

function place(source: YamlSource, node: ParsedNode): Place {
  const { line, column, endLine, endColumn } = source.at(node);
  return { line, column, endLine, endColumn };
}

function reportForm(source: YamlSource, node: ParsedNode, problems: SkillProblems): void {
  const what = isAlias(node)
    ? 'an alias'
    : node.anchor !== undefined
      ? 'an anchor'
      : node.tag !== undefined
        ? 'a tag'
        : 'brackets';
  const message = `Other clients may refuse YAML with ${what}: write the value out over indented lines`;
  problems.warning('agent-skill.not-portable', place(source, node), message);
}

/** The first node that the reference validator's YAML does not know: flow collections, anchors, aliases, tags. */
function findUnusual(node: ParsedNode): ParsedNode | undefined {
  if (isAlias(node) || node.anchor !== undefined || node.tag !== undefined) return node;
  if (isScalar(node)) return undefined;
  if (node.flow === true) return node;
  const inside = isMap(node) ? pairsOf(node).flatMap(({ key, value }) => [key, value]) : node.items;
  for (const child of inside) {
    const found = child === null ? undefined : findUnusual(child);
    if (found) return found;
  }
  return undefined;
}

function textTree(source: YamlSource, node: ParsedNode | null): FrontmatterValue {
  const target = source.resolve(node);
  if (isScalar(target)) return target.source;
  if (isSeq(target)) return target.items.map((item) => textTree(source, item));
  if (!isMap(target)) return '';
  const tree: Record<string, FrontmatterValue> = {};
  for (const pair of pairsOf(target)) {
    const key = keyText(source.resolve(pair.key));
    if (key === undefined || forbiddenKeys.has(key) || Object.hasOwn(tree, key)) continue;
    tree[key] = textTree(source, pair.value);
  }
  return tree;
}
