import type { OpenDocument } from '#renderer/state/document.svelte.ts';
import type { Monaco } from './monaco.ts';
import { textChange } from './text-change.ts';

/** One document's text in Monaco. It outlives the editor that shows it, so undo and scroll survive a tab switch. */
export interface DocumentModel {
  readonly model: Monaco.editor.ITextModel;
  viewState: Monaco.editor.ICodeEditorViewState | null;
}

const byDocument = new WeakMap<OpenDocument, DocumentModel>();

/** The document's Monaco model, made on first use and disposed with the document. */
export function documentModel(monaco: typeof Monaco, document: OpenDocument): DocumentModel {
  const existing = byDocument.get(document);
  if (existing) return existing;
  const model = monaco.editor.createModel(document.text, languageOf(document));
  // Monaco's own text differs from the document's where a file mixes line ends: compare with what was last exchanged.
  let exchanged = document.text;
  const typing = model.onDidChangeContent(() => {
    exchanged = model.getValue(monaco.editor.EndOfLinePreference.TextDefined, true);
    document.edit(exchanged);
  });
  const stopFollowing = $effect.root(() => {
    $effect(() => {
      const { text } = document;
      if (text === exchanged) return;
      exchanged = text;
      replaceText(monaco, model, text);
    });
  });
  document.closed.addEventListener('abort', () => {
    stopFollowing();
    typing.dispose();
    model.dispose();
  });
  const made: DocumentModel = { model, viewState: null };
  byDocument.set(document, made);
  return made;
}

/** Makes the model's text the other as one edit that can be undone, and leaves alone what is the same. */
function replaceText(monaco: typeof Monaco, model: Monaco.editor.ITextModel, text: string): void {
  const { EndOfLinePreference, EndOfLineSequence } = monaco.editor;
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const change = textChange(model.getValue(EndOfLinePreference.LF), plain);
  model.pushStackElement();
  if (change) {
    const { line, column, endLine, endColumn } = change.place;
    const range = new monaco.Range(line, column, endLine, endColumn);
    model.pushEditOperations(null, [{ range, text: change.text }], () => null);
  }
  model.pushEOL(text.includes('\r\n') ? EndOfLineSequence.CRLF : EndOfLineSequence.LF);
  model.pushStackElement();
}

function languageOf(document: OpenDocument): string {
  if (document.kind !== 'file') return document.kind === 'agent-skill' ? 'markdown' : 'yaml';
  const ending = /\.(\w+)$/.exec(document.file)?.[1]?.toLowerCase() ?? '';
  return languages[ending] ?? 'plaintext';
}

const languages: Readonly<Record<string, string>> = {
  ...{ py: 'python', js: 'javascript', mjs: 'javascript', cjs: 'javascript', sh: 'shell', bash: 'shell' },
  ...{ md: 'markdown', yaml: 'yaml', yml: 'yaml' },
};
