import { lineEnd, lineStart } from '../edit/text-lines.ts';
import type { LanguageContext } from './completion.ts';
import { cursorAt } from './cursor.ts';
import type { LanguageFile } from './file-facts.ts';
import type { Mention } from './mention.ts';
import { kindName } from './rename.ts';
import { descriptionAt, shapesAt } from './schema.ts';
import { Symbols } from './symbols.ts';

/** What is told of the word at an offset, as Markdown, and where the word stands. */
export interface Hover {
  readonly start: number;
  readonly end: number;
  readonly markdown: string;
}

/** Tells what the name or key at an offset means; undefined where there is nothing to tell. */
export function hoverAt(file: LanguageFile, offset: number, context: LanguageContext): Hover | undefined {
  return keyHover(file, offset) ?? nameHover(file, offset, context);
}

const keyPattern = /(?:^|[\s{,-])(["']?)([A-Za-z_][\w.-]*)\1\s*:(?=\s|$)/g;

function keyHover({ text, kind }: LanguageFile, offset: number): Hover | undefined {
  const lineAt = lineStart(text, offset);
  const line = text.slice(lineAt, lineEnd(text, offset));
  for (const match of line.matchAll(keyPattern)) {
    const [whole, quote, key] = match;
    const start = lineAt + match.index + whole.indexOf(`${quote ?? ''}${key!}`) + (quote?.length ?? 0);
    const end = start + key!.length;
    if (offset < start || offset > end) continue;
    const place = cursorAt(text, start);
    if (!place || !place.mayBeKey) return undefined;
    const path = [...place.path, key!];
    const description = descriptionAt(kind, path);
    const values = shapesAt(kind, path).flatMap((shape) => shape.enum ?? []);
    const lines = [
      ...(description === undefined ? [] : [escaped(description)]),
      ...(values.length === 0 ? [] : [`One of ${values.map((value) => `\`${String(value)}\``).join(', ')}`]),
    ];
    return lines.length === 0 ? undefined : { start, end, markdown: [`**${key!}**`, ...lines].join('\n\n') };
  }
  return undefined;
}

function nameHover(file: LanguageFile, offset: number, { files }: LanguageContext): Hover | undefined {
  const symbols = new Symbols(files);
  const mention = symbols.at(file.file, offset);
  if (!mention?.span) return undefined;
  const same = symbols.same(mention);
  const definition = same.find(({ role }) => role === 'definition');
  const lines = [
    `**${escaped(mention.name)}** · ${kindName(mention.kind)}`,
    ...(definition?.detail === undefined ? [] : [escaped(definition.detail.slice(0, 600))]),
    ...(mention.kind === 'key' ? keyLines(same) : placeLines(symbols, mention, same)),
  ];
  return { ...mention.span, markdown: lines.join('\n\n') };
}

function keyLines(same: readonly Mention[]): string[] {
  const skillsUnder = (field: string): string =>
    [...new Set(same.filter((one) => one.field === field).map(({ skill }) => skill ?? ''))]
      .slice(0, 12)
      .map((name) => `\`${name}\``)
      .join(', ');
  const produced = skillsUnder('produces');
  const required = skillsUnder('requires');
  const input = same.find(({ field }) => field === 'inputs');
  return [
    ...(produced === '' ? [] : [`Produced by ${produced}`]),
    ...(input ? [`Input of \`${input.file}\``] : []),
    ...(required === '' ? [] : [`Required by ${required}`]),
    ...(produced === '' && !input ? ['Nothing of this workspace produces it'] : []),
  ];
}

function placeLines({ files }: Symbols, mention: Mention, same: readonly Mention[]): string[] {
  const places = same.filter(({ role, span }) => role === 'definition' && span !== undefined);
  const uses = same.length - places.length;
  if (places.length === 0) return ['No file of this workspace defines it'];
  const told = places.slice(0, 5).map(({ file, span }) => {
    const { line } = files.get(file)!.source.location(span!.start, span!.end);
    return `\`${file}:${line}\``;
  });
  const others = mention.role === 'reference' || places.length > 1 ? [`Defined in ${told.join(', ')}`] : [];
  return [...others, uses === 1 ? 'Named in 1 place' : `Named in ${uses} places`];
}

/** Names and descriptions come from files of others: no markup of theirs may become ours. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~]/g, '\\$&').replace(/\r?\n/g, ' ');
}
