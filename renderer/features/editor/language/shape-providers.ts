import { foldingOf } from '#shared/lens/language/folding-of.ts';
import type { OutlineEntry } from '#shared/lens/language/outline-of.ts';
import type { Monaco } from '../monaco.ts';
import type { Language } from './language-client.ts';
import { placeRange, tabOf } from './spots.ts';

/** Outline, folding, and formatting on request. */
export function registerShape({ monaco, studio, client }: Language): void {
  monaco.languages.registerDocumentSymbolProvider('yaml', {
    displayName: 'Outline',
    provideDocumentSymbols: async (model) => {
      const file = tabOf(model)?.document.file;
      if (file === undefined) return null;
      const { answer } = await client.ask('outline', { file });
      return answer.map((entry) => symbol(monaco, entry));
    },
  });
  monaco.languages.registerFoldingRangeProvider('yaml', {
    provideFoldingRanges: (model) =>
      foldingOf(model.getLinesContent()).map(({ startLine: start, endLine: end, kind }) => ({
        ...{ start, end },
        ...(kind === 'comment' ? { kind: monaco.languages.FoldingRangeKind.Comment } : {}),
      })),
  });
  monaco.languages.registerDocumentFormattingEditProvider('yaml', {
    displayName: 'Sunwell',
    provideDocumentFormattingEdits: async (model) => {
      const file = tabOf(model)?.document.file;
      if (file === undefined) return null;
      const { answer, texts } = await client.ask('format', { file });
      if (!answer?.ok) studio.notices.tell(answer?.message ?? `Cannot format "${file}"`);
      else if (answer.edits.length === 0) studio.notices.speak('Nothing to format');
      else await studio.edits.apply({ label: 'Format', edits: answer.edits, texts });
      return [];
    },
  });
  // On Linux Monaco has another key for it, which browsers keep for themselves.
  monaco.editor.addKeybindingRule({
    keybinding: monaco.KeyMod.Shift | monaco.KeyMod.Alt | monaco.KeyCode.KeyF,
    command: 'editor.action.formatDocument',
    when: 'editorTextFocus && !editorReadonly && editorHasDocumentFormattingProvider',
  });
}

function symbol(
  monaco: typeof Monaco,
  { name, kind, detail, at, nameAt, children }: OutlineEntry,
): Monaco.languages.DocumentSymbol {
  const { SymbolKind } = monaco.languages;
  const kinds: Record<OutlineEntry['kind'], Monaco.languages.SymbolKind> = {
    ...{ section: SymbolKind.Namespace, entry: SymbolKind.Function, script: SymbolKind.File },
  };
  return {
    ...{ name, detail, kind: kinds[kind], tags: [] },
    ...{ range: placeRange(at), selectionRange: placeRange(nameAt) },
    children: children.map((child) => symbol(monaco, child)),
  };
}
