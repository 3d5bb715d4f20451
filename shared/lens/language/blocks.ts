import { isMap, isScalar, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import { findPair, keyText, pairsOf } from '../yaml/source.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import { scalarText } from './text-span.ts';

/** A text of a lens or library that is written in a language of its own. */
export interface Block {
  readonly path: Path;
  readonly language: 'python' | 'javascript' | 'shell' | 'markdown' | 'plaintext';
  /** Which one it is, for people. */
  readonly title: string;
  readonly text: string;
}

const byEnding: Readonly<Record<string, Block['language']>> = {
  ...{
    py: 'python',
    python: 'python',
    js: 'javascript',
    mjs: 'javascript',
    cjs: 'javascript',
    node: 'javascript',
  },
  ...{ javascript: 'javascript', ts: 'javascript', typescript: 'javascript', sh: 'shell', bash: 'shell' },
  ...{ shell: 'shell', md: 'markdown', markdown: 'markdown' },
};

const prose = new Set([
  'instructions',
  'prompt',
  'check',
  'evaluation_prompt',
  'rule',
  'description',
  'background',
]);

/** The text of its own language at a path; undefined where there is none. */
export function blockOf(source: YamlSource, path: Path): Block | undefined {
  const node = source.find(path);
  const text = scalarText(node);
  const key = path.at(-1);
  if (text === undefined || !isScalar(node) || typeof node.value !== 'string' || typeof key !== 'string')
    return undefined;
  const owner = path.slice(0, -1);
  const list = owner.findLast((step) => typeof step === 'string');
  const name = nameAt(source, owner);
  const isCode = key === 'content' && (list === 'scripts' || list === 'templates');
  if (isCode) {
    const written = textAt(source, owner, 'language') ?? '';
    const ending = /\.(\w+)$/.exec(name)?.[1] ?? '';
    const fallback = list === 'templates' ? 'markdown' : 'plaintext';
    const language = byEnding[written.toLowerCase()] ?? byEnding[ending.toLowerCase()] ?? fallback;
    return { path, language, text, title: titleOf(source, path, name) };
  }
  if (key === 'script') return { path, language: 'shell', text, title: titleOf(source, path, name) };
  return prose.has(key) ? { path, language: 'markdown', text, title: titleOf(source, path, key) } : undefined;
}

/** The text of its own language that an offset is in, its key's line included. */
export function blockAt(source: YamlSource, offset: number): Block | undefined {
  const path = pathAt(source.root, [], offset);
  return path && blockOf(source, path);
}

/** Names the skill, persona or validator it belongs to, and then what it is there. */
function titleOf(source: YamlSource, path: Path, own: string): string {
  const owners: string[] = [];
  for (let depth = 1; depth < path.length; depth++) {
    if (typeof path[depth - 1] !== 'number') continue;
    const name = nameAt(source, path.slice(0, depth));
    if (name !== '' && name !== own) owners.push(name);
  }
  return [...owners, own].join(' · ');
}

function nameAt(source: YamlSource, path: Path): string {
  return textAt(source, path, 'name') ?? '';
}

function textAt(source: YamlSource, path: Path, key: string): string | undefined {
  const node = source.find(path);
  return isMap(node) ? scalarText(source.resolve(findPair(node, key)?.value ?? null)) : undefined;
}

function pathAt(node: ParsedNode | null, path: Path, offset: number): Path | undefined {
  if (isSeq(node)) {
    for (const [index, item] of (node.items as (ParsedNode | null)[]).entries()) {
      if (item && holds(item, offset)) return pathAt(item, [...path, index], offset);
    }
  }
  if (!isMap(node)) return undefined;
  for (const { key, value } of pairsOf(node)) {
    const name = keyText(key);
    if (key === null || value === null || name === undefined) continue;
    if (offset < key.range[0] || offset > value.range[1]) continue;
    if (isScalar(value)) return [...path, name];
    return holds(value, offset) ? pathAt(value, [...path, name], offset) : undefined;
  }
  return undefined;
}

function holds({ range }: ParsedNode, offset: number): boolean {
  return range[0] <= offset && offset <= range[1];
}
