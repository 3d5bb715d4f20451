import { blockAt } from '#shared/lens/language/blocks.ts';
import { completionsAt } from '#shared/lens/language/completions.ts';
import type { LanguageContext } from '#shared/lens/language/completion.ts';
import { factsOf } from '#shared/lens/language/file-facts.ts';
import type { LanguageFile } from '#shared/lens/language/file-facts.ts';
import { formatEdits } from '#shared/lens/language/format.ts';
import { hoverAt } from '#shared/lens/language/hover.ts';
import { definitionAt, referencesAt } from '#shared/lens/language/navigation.ts';
import { outlineOf } from '#shared/lens/language/outline-of.ts';
import { renameAt, renameTarget } from '#shared/lens/language/rename.ts';
import type { RenameOptions, RenameResult } from '#shared/lens/language/rename.ts';
import type { Change } from '#shared/lens/edit/text-lines.ts';
import type { TextEdit } from '#shared/model/diagnostic.ts';

/** A place in one of the files. */
export interface Spot {
  readonly file: string;
  readonly offset: number;
}

type Edited = { ok: true; edits: TextEdit[] } | { ok: false; message: string };

/** What the worker answers, each from the texts that it has been sent. */
export const languageCalls = {
  completions: (context: LanguageContext, { file, offset }: Spot) =>
    withFile(context, file, (one) => completionsAt(one, offset, context)),
  hover: (context: LanguageContext, { file, offset }: Spot) =>
    withFile(context, file, (one) => hoverAt(one, offset, context)),
  definition: (context: LanguageContext, { file, offset }: Spot) =>
    withFile(context, file, (one) => definitionAt(one, offset, context)) ?? [],
  references: (context: LanguageContext, { file, offset }: Spot) =>
    withFile(context, file, (one) => referencesAt(one, offset, context)) ?? [],
  renameTarget: ({ files }: LanguageContext, spot: Spot) => renameTarget(files, spot),
  rename: (
    { files }: LanguageContext,
    { spot, ...options }: { spot: Spot } & Omit<RenameOptions, 'files'>,
  ): RenameResult => renameAt(spot, { ...options, files }),
  outline: (context: LanguageContext, { file }: { file: string }) =>
    withFile(context, file, (one) => outlineOf(factsOf(one).source)) ?? [],
  block: (context: LanguageContext, { file, offset }: Spot) =>
    withFile(context, file, (one) => blockAt(factsOf(one).source, offset)),
  format: (context: LanguageContext, { file }: { file: string }): Edited | undefined =>
    withFile(context, file, (one) => {
      const result = formatEdits(factsOf(one).source);
      return result.ok ? { ok: true, edits: result.edits } : { ok: false, message: result.message };
    }),
} as const;

export type LanguageCalls = typeof languageCalls;

function withFile<T>(
  { files }: LanguageContext,
  file: string,
  then: (file: LanguageFile) => T,
): T | undefined {
  const found = files.find((one) => one.file === file);
  return found && then(found);
}

/** A call with what changed in the texts since the last one. */
export interface LanguageMessage {
  readonly id: number;
  /** Files that are new to the worker, with their whole texts. */
  readonly added: readonly LanguageFile[];
  /** Replacements in texts that the worker has: a long text is not sent for every letter. */
  readonly edited: readonly (Change & { readonly file: string })[];
  readonly gone: readonly string[];
  readonly others: Omit<LanguageContext, 'files'> | undefined;
  readonly call: keyof LanguageCalls;
  readonly params: unknown;
}

export type LanguageReply =
  { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly problem: string };
