import type { Completion, CompletionKind } from '#shared/lens/language/completion.ts';
import { CursorFinder } from '#shared/lens/language/cursor.ts';
import type { Monaco } from '../monaco.ts';
import type { Language } from './language-client.ts';
import { rangeOf, spotOf, tabOf } from './spots.ts';

/** Offers what can be written at the cursor. */
export function completionProvider({ monaco, client }: Language): Monaco.languages.CompletionItemProvider {
  const cursors = new CursorFinder();
  return {
    triggerCharacters: [' ', '-', '[', '{', ',', '"', "'", '/', ':'],
    provideCompletionItems: async (model, position) => {
      const spot = spotOf(model, position);
      const place = spot && cursors.at(tabOf(model)!.document.text, spot.offset);
      // Prose is most of what is typed: nobody has to be asked there.
      if (!spot || !place || !(place.mayBeKey || place.mayBeValue)) return null;
      const [{ answer }] = await Promise.all([client.ask('completions', spot), untilDrawn()]);
      if (!answer) return null;
      const range = rangeOf(model, answer);
      return { suggestions: answer.items.map((item) => suggestion(monaco, item, range)) };
    },
  };
}

/** A list that opens in the frame of a letter delays the letter. */
function untilDrawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function suggestion(
  monaco: typeof Monaco,
  { label, kind, detail, documentation, insert, isSnippet, rank }: Completion,
  range: Monaco.IRange,
): Monaco.languages.CompletionItem {
  const { CompletionItemInsertTextRule: Rule } = monaco.languages;
  return {
    ...{ label, kind: kindOf(monaco, kind), insertText: insert, range },
    sortText: `${String(rank).padStart(4, '0')} ${label}`,
    ...(detail === undefined ? {} : { detail }),
    ...(documentation === undefined ? {} : { documentation }),
    ...(isSnippet ? { insertTextRules: Rule.InsertAsSnippet } : {}),
    // Behind a key its values are what comes next.
    ...(kind === 'property' ? { command: { id: 'editor.action.triggerSuggest', title: 'Suggest' } } : {}),
  };
}

function kindOf(monaco: typeof Monaco, kind: CompletionKind): Monaco.languages.CompletionItemKind {
  const { CompletionItemKind: Kind } = monaco.languages;
  const kinds: Record<CompletionKind, Monaco.languages.CompletionItemKind> = {
    ...{ property: Kind.Property, value: Kind.EnumMember, skill: Kind.Function, key: Kind.Field },
    ...{ name: Kind.Reference, file: Kind.File, variable: Kind.Variable, snippet: Kind.Snippet },
  };
  return kinds[kind];
}
