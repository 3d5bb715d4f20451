import { isMap, isScalar, isSeq } from 'yaml';
import type { ParsedNode } from 'yaml';
import type { Location } from '../../model/diagnostic.ts';
import { parseLensReference, parseLibraryReference } from '../reference.ts';
import { keyText, pairsOf } from '../yaml/source.ts';
import type { Path } from '../yaml/source.ts';
import type { LanguageContext } from './completion.ts';
import type { FileFacts, LanguageFile } from './file-facts.ts';
import { resolvePath } from './file-paths.ts';
import type { Mention } from './mention.ts';
import { namedAt } from './names-at.ts';
import { Symbols } from './symbols.ts';
import { scalarText } from './text-span.ts';

/** Where the name, library or file at an offset is defined. */
export function definitionAt(
  file: LanguageFile,
  offset: number,
  { files }: LanguageContext,
): readonly Location[] {
  const symbols = new Symbols(files);
  const mention = symbols.at(file.file, offset);
  const found = mention && locations(symbols, symbols.same(mention), 'definition');
  if (found && found.length > 0) return found;
  // Fixtures that several lenses share may mean another skill in each.
  const tested = mention && locations(symbols, symbols.tested.get(mention) ?? []);
  if (tested && tested.length > 0) return tested;
  const target = fileAt(symbols, file.file, offset);
  return target === undefined ? [] : [{ file: target, line: 1, column: 1, endLine: 1, endColumn: 1 }];
}

/** Every place that names what stands at an offset, definitions included. */
export function referencesAt(
  file: LanguageFile,
  offset: number,
  { files }: LanguageContext,
): readonly Location[] {
  const symbols = new Symbols(files);
  const mention = symbols.at(file.file, offset);
  return mention ? locations(symbols, symbols.same(mention)) : [];
}

function locations(
  { files }: Symbols,
  mentions: readonly Mention[],
  wanted?: Mention['role'],
): readonly Location[] {
  return mentions.flatMap(({ file, span, role }) =>
    span && (wanted === undefined || role === wanted)
      ? [files.get(file)!.source.location(span.start, span.end)]
      : [],
  );
}

/** The file of the workspace that the text at an offset names: a lens, a library, a script. */
function fileAt({ files, links }: Symbols, file: string, offset: number): string | undefined {
  const facts: FileFacts | undefined = files.get(file);
  const found = facts?.source.root && scalarAt(facts.source.root, [], offset);
  if (!found) return undefined;
  const [text, named] = [scalarText(found.node) ?? '', namedAt(found.path)];
  switch (named) {
    case 'lens': {
      const reference = parseLensReference(text);
      return reference.ok ? links.lens(reference.value, file)?.file : undefined;
    }
    case 'file':
      return resolvePath(file, text);
    case 'include':
      return links.library({ kind: 'path', path: text.split('::')[0]!.trim() }, file)?.[0]?.file;
    case 'library':
    case 'library-or-skill':
    case 'skill-reference': {
      const colon = text.lastIndexOf(':');
      const whole = parseLibraryReference(text);
      const library =
        whole.ok && named !== 'skill-reference' ? whole : parseLibraryReference(text.slice(0, colon));
      return library.ok ? links.library(library.value, file)?.[0]?.file : undefined;
    }
    default:
      return undefined;
  }
}

function scalarAt(
  node: ParsedNode | null,
  path: Path,
  offset: number,
): { node: ParsedNode; path: Path } | undefined {
  if (node === null || offset < node.range[0] || offset > node.range[1]) return undefined;
  if (isScalar(node)) return { node, path };
  if (isSeq(node)) {
    for (const [index, item] of (node.items as (ParsedNode | null)[]).entries()) {
      const found = scalarAt(item, [...path, index], offset);
      if (found) return found;
    }
  }
  if (!isMap(node)) return undefined;
  for (const { key, value } of pairsOf(node)) {
    const found = scalarAt(value, [...path, keyText(key) ?? ''], offset);
    if (found) return found;
  }
  return undefined;
}
