import { Composer, Lexer, Parser } from 'yaml';
import type { CST, Document, ErrorCode, ParsedNode } from 'yaml';

/** The largest file that is read, in UTF-8 bytes. */
export const maxFileBytes = 1024 * 1024;
/** How deeply lists and maps may be nested. */
export const maxDepth = 64;
/** How many pieces (keys, values, dashes, spaces between them) one file may have: 1 MiB of dashes would take half a minute. */
export const maxPieces = 250_000;
/** How many aliases of one file are followed. */
export const maxAliases = 10;
/** How many syntax problems of one file are listed. */
export const maxProblems = 100;

/** A problem the YAML library found, before it has a line and a column. */
export interface SyntaxProblem {
  readonly kind:
    ErrorCode | 'TOO_LARGE' | 'TOO_DEEP' | 'TOO_MANY_PIECES' | 'SEVERAL_DOCUMENTS' | 'TOO_MANY_PROBLEMS';
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly warning: boolean;
}

export interface ParsedYaml {
  /** The first document's value, or null where there is none or it may not be read. */
  readonly root: ParsedNode | null;
  readonly problems: readonly SyntaxProblem[];
}

/**
 * Parses one YAML 1.2 core document within the limits, without ever throwing.
 * Depth is checked while the flat token stream is read, because composing nodes recurses and would overflow the stack.
 */
export function parseYaml(text: string): ParsedYaml {
  const problems: SyntaxProblem[] = [];
  const add = (kind: SyntaxProblem['kind'], message: string, start: number, end: number, warning = false) => {
    if (problems.length < maxProblems) problems.push({ kind, message, start, end, warning });
    else if (problems.length === maxProblems) {
      problems.push({ kind: 'TOO_MANY_PROBLEMS', message: '', start, end: start, warning: true });
    }
  };
  if (isTooLarge(text)) {
    add('TOO_LARGE', '', 0, 0);
    return { root: null, problems };
  }
  const tokens: CST.Token[] = [];
  const stopped = readTokens(text, tokens, add);
  if (stopped) return { root: null, problems };

  const composer = new Composer({
    schema: 'core',
    version: '1.2',
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    keepSourceTokens: true,
    prettyErrors: false,
  });
  // The library would make an Error with a stack for each problem: a million of them take a quarter of a minute.
  const collect = (place: ErrorPlace, code: ErrorCode, message: string, warning?: boolean) => {
    const [start, end] = span(place);
    add(code, message, start, end, warning === true);
  };
  Object.assign(composer, { onError: collect });
  let document: Document.Parsed | undefined;
  for (const composed of composer.compose(tokens, true, text.length)) document ??= composed;
  return { root: document?.contents ?? null, problems };
}

type ErrorPlace =
  | number
  | readonly [number, number]
  | readonly [number, number, number]
  | { offset: number; source?: unknown };

function span(place: ErrorPlace): readonly [number, number] {
  if (typeof place === 'number') return [place, place + 1];
  if (Array.isArray(place)) return [place[0] as number, place[1] as number];
  const token = place as { offset: number; source?: unknown };
  return [token.offset, token.offset + (typeof token.source === 'string' ? token.source.length : 1)];
}

function isTooLarge(text: string): boolean {
  if (text.length > maxFileBytes) return true;
  return text.length * 3 > maxFileBytes && new TextEncoder().encode(text).length > maxFileBytes;
}

type AddProblem = (kind: SyntaxProblem['kind'], message: string, start: number, end: number) => void;

/** Fills `tokens` up to the end of the first document; says true where reading had to stop. */
function readTokens(text: string, tokens: CST.Token[], add: AddProblem): boolean {
  const parser = new Parser();
  let documents = 0;
  let faults = 0;
  /** Takes one top-level token; says false where the rest of the text does not matter. */
  const take = (token: CST.Token): boolean => {
    if (token.type === 'error') {
      faults += 1;
      add('UNEXPECTED_TOKEN', token.message, token.offset, token.offset + Math.max(1, token.source.length));
      return faults < maxProblems;
    }
    if (token.type === 'document') {
      documents += 1;
      if (documents > 1) {
        add('SEVERAL_DOCUMENTS', '', token.offset, token.offset + 3);
        return false;
      }
    }
    tokens.push(token);
    return true;
  };
  let pieces = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++pieces > maxPieces) {
      add('TOO_MANY_PIECES', '', 0, 0);
      return true;
    }
    for (const token of parser.next(lexeme)) if (!take(token)) return false;
    if (parser.stack.length > maxDepth + 1) {
      const top = parser.stack.at(-1)!;
      if (top.type === 'block-map' || top.type === 'block-seq' || top.type === 'flow-collection') {
        add('TOO_DEEP', '', top.offset, top.offset + 1);
        return true;
      }
    }
    // A second document is only handed over when it is complete, which may be the rest of a large file.
    if (documents === 1 && parser.stack[0]?.type === 'document') {
      take(parser.stack[0]);
      return false;
    }
  }
  for (const token of parser.end()) if (!take(token)) return false;
  return false;
}
