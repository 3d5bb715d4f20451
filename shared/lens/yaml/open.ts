import { isAlias, isMap, isSeq } from 'yaml';
import type { Alias, ParsedNode, YAMLMap } from 'yaml';
import type { QuickFix } from '../../model/diagnostic.ts';
import type { DiagnosticCode } from '../diagnostics.ts';
import { removalFixer } from '../edit/removal-fix.ts';
import { Problems, quote } from '../problems.ts';
import { Lines } from './lines.ts';
import { maxAliases, maxDepth, maxPieces, parseYaml } from './parse.ts';
import type { SyntaxProblem } from './parse.ts';
import { forbiddenKeys, keyText, pairsOf, YamlSource } from './source.ts';

/** A text opened as YAML: its source and everything that is wrong with it as YAML, whatever it means. */
export interface OpenedYaml {
  readonly source: YamlSource;
  readonly problems: Problems;
}

/** Opens a text within the limits of every file of ours; never throws, whatever the text. */
export function openYaml(text: string, file: string): OpenedYaml {
  const lines = new Lines(text);
  const parsed = parseYaml(text);
  const targets = new Map<Alias, ParsedNode>();
  const isBroken = parsed.problems.some((problem) => !problem.warning);
  const source = new YamlSource({ file, text, root: parsed.root, isBroken, lines, targets });
  const problems = new Problems();
  for (const problem of parsed.problems) describe(problem, source, problems);
  if (parsed.root !== null) new StructureCheck(source, problems, targets).visit(parsed.root);
  return { source, problems };
}

function describe(problem: SyntaxProblem, source: YamlSource, problems: Problems): void {
  const end = Math.max(problem.start, Math.min(problem.end, source.text.length));
  const report = (code: DiagnosticCode, message: string) =>
    problems.add(code, source.location(Math.min(problem.start, source.text.length), end), message);
  switch (problem.kind) {
    case 'TOO_LARGE':
      return report('yaml.too-large', 'The file is larger than 1 MiB');
    case 'TOO_DEEP':
      return report('yaml.too-deep', `The file is nested more than ${maxDepth} levels deep`);
    case 'TOO_MANY_PIECES':
      return report('yaml.too-many-pieces', `The file has more than ${maxPieces} keys and values`);
    case 'SEVERAL_DOCUMENTS':
      return report('yaml.several-documents', 'The file has a second document: only the first counts');
    case 'TOO_MANY_PROBLEMS':
      return report('yaml.too-many-problems', 'More problems follow; correct the first ones and check again');
    case 'BAD_INDENT':
      return report('yaml.bad-indent', plainMessage(problem.message));
    case 'TAB_AS_INDENT':
      return report('yaml.tab-indent', 'Tabs cannot indent YAML: use spaces');
    case 'TAG_RESOLVE_FAILED':
      return report('yaml.unknown-tag', plainMessage(problem.message));
    default:
      return report('yaml.syntax', plainMessage(problem.message));
  }
}

function plainMessage(message: string): string {
  return message.replace(/\.$/, '').slice(0, 300);
}

/** Visits each node once: collects what aliases mean and reports keys and aliases that break a rule. */
class StructureCheck {
  readonly #source: YamlSource;
  readonly #problems: Problems;
  readonly #targets: Map<Alias, ParsedNode>;
  readonly #anchors = new Map<string, ParsedNode>();
  readonly #open = new Set<ParsedNode>();
  #aliases = 0;

  constructor(source: YamlSource, problems: Problems, targets: Map<Alias, ParsedNode>) {
    this.#source = source;
    this.#problems = problems;
    this.#targets = targets;
  }

  visit(node: ParsedNode | null): void {
    if (node === null) return;
    if (isAlias(node)) {
      this.#follow(node);
      return;
    }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (isMap(node)) {
      this.#enter(node);
      this.#checkKeys(node);
      for (const pair of pairsOf(node)) {
        this.visit(pair.key);
        this.visit(pair.value);
      }
      this.#open.delete(node);
    } else if (isSeq(node)) {
      this.#enter(node);
      for (const item of node.items) this.visit(item);
      this.#open.delete(node);
    }
  }

  #enter(node: ParsedNode): void {
    if (node.anchor !== undefined) this.#open.add(node);
  }

  #report(code: DiagnosticCode, node: ParsedNode, message: string): void {
    this.#problems.add(code, this.#source.at(node), message);
  }

  #follow(alias: Alias.Parsed): void {
    this.#aliases += 1;
    const target = this.#anchors.get(alias.source);
    if (this.#aliases > maxAliases) {
      if (this.#aliases === maxAliases + 1) {
        this.#report(
          'yaml.too-many-aliases',
          alias,
          `Cannot follow more than ${maxAliases} aliases in one file`,
        );
      }
    } else if (target === undefined) {
      this.#report(
        'yaml.unknown-anchor',
        alias,
        `Cannot follow alias "*${alias.source}": no such anchor above`,
      );
    } else if (this.#open.has(target)) {
      this.#report(
        'yaml.recursive-alias',
        alias,
        `Cannot follow alias "*${alias.source}": it contains itself`,
      );
    } else {
      this.#targets.set(alias, target);
    }
  }

  #checkKeys(map: YAMLMap): void {
    const seen = new Map<string, ParsedNode>();
    let removalOf: ReturnType<typeof removalFixer> | undefined;
    const pairs = pairsOf(map);
    for (let index = 0; index < pairs.length; index++) {
      const { key } = pairs[index]!;
      if (key === null) continue;
      const text = keyText(this.#source.resolve(key));
      if (text === undefined) {
        this.#report('yaml.key-not-text', key, 'Cannot use a list or map as a key');
        continue;
      }
      const first = seen.get(text);
      if (first === undefined) seen.set(text, key);
      else if (!this.#problems.isFull) {
        removalOf ??= removalFixer(this.#source, map);
        this.#reportDuplicate(key, first, text, removalOf(index, `Remove the second ${quote(text)}`));
      }
      if (forbiddenKeys.has(text)) this.#report('yaml.forbidden-key', key, `Cannot use "${text}" as a key`);
      else if (text === '<<') {
        this.#report('yaml.merge-key', key, 'Merge key "<<" has no effect: write the entries out');
      }
    }
  }

  #reportDuplicate(key: ParsedNode, first: ParsedNode, text: string, fixes: QuickFix[]): void {
    const firstAt = this.#source.at(first);
    const keyAt = this.#source.at(key);
    const message = `Key ${quote(text)} is given twice: in line ${firstAt.line} and in line ${keyAt.line}`;
    const related = [{ message: `${quote(text)} is first given here`, location: firstAt }];
    this.#problems.add('yaml.duplicate-key', keyAt, message, { related, fixes });
  }
}
