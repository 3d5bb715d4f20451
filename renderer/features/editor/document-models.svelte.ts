import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import type { Change } from '#shared/lens/edit/text-lines.ts';
import { randomName } from '#shared/random-name.ts';
import { replaceIn } from '#renderer/state/edit-history.svelte.ts';
import type { OpenDocument } from '#renderer/state/document.svelte.ts';
import type { TextChanged } from '#renderer/state/edited-text.svelte.ts';
import { DocumentLines, documentChange, editorText } from './model-offsets.ts';
import type { EditorChange } from './model-offsets.ts';
import type { Monaco } from './monaco.ts';
import { textChange } from './text-change.ts';

/** One document's text in Monaco. It outlives the editor that shows it, so the scroll survives a tab switch. */
export interface DocumentModel {
  readonly model: Monaco.editor.ITextModel;
  viewState: Monaco.editor.ICodeEditorViewState | null;
}

const byDocument = new WeakMap<OpenDocument, DocumentModel>();

/** The document's Monaco model, made on first use and disposed with the document. Undo belongs to the document, not to it. */
export function documentModel(monaco: typeof Monaco, document: OpenDocument): DocumentModel {
  const existing = byDocument.get(document);
  if (existing) return existing;
  // Lists of places call a text by its address; the page may hold another of the same name until it is closed.
  const address = { scheme: 'document', path: `/${document.file}`, query: randomName() };
  const model = monaco.editor.createModel(document.text, languageOf(document), monaco.Uri.from(address));
  let isTelling = false;
  // What one side tells the other must not come back as news.
  const tell = (work: () => void): void => {
    if (isTelling) return;
    isTelling = true;
    try {
      work();
    } finally {
      isTelling = false;
    }
  };
  const typing = model.onDidChangeContent(({ changes }) => {
    tell(() => document.type(typedChanges(document.text, changes)));
  });
  const stopFollowing = document.follow((change) => {
    tell(() => {
      followText(monaco, model, change);
      mend(monaco, model, document.text);
    });
    if (change.by === 'undo' || change.by === 'redo') showChange(monaco, model, document.text, change);
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

/** Each change counts in the text that the one before left. */
function typedChanges(text: string, changes: readonly EditorChange[]): Change[] {
  let now = text;
  return changes.map((change) => {
    const typed = documentChange(now, change);
    now = applyEdits(now, [typed]);
    return typed;
  });
}

/** Makes the same replacements in the model, so that cursors, folds and marks stay where they are. */
function followText(monaco: typeof Monaco, model: Monaco.editor.ITextModel, change: TextChanged): void {
  let { before } = change;
  for (const round of change.rounds) {
    const lines = new DocumentLines(before);
    const edits = round.map(({ start, removed, inserted }) => ({
      range: monaco.Range.fromPositions(lines.position(start), lines.position(start + removed.length)),
      text: editorText(inserted),
    }));
    model.applyEdits(edits);
    before = replaceIn(before, round);
  }
}

/** A replacement that began or ended within a line break or a letter cannot be made there: then the rest is made good. */
function mend(monaco: typeof Monaco, model: Monaco.editor.ITextModel, text: string): void {
  const change = textChange(model.getValue(monaco.editor.EndOfLinePreference.LF), editorText(text));
  if (!change) return;
  const { line, column, endLine, endColumn } = change.place;
  model.applyEdits([{ range: new monaco.Range(line, column, endLine, endColumn), text: change.text }]);
}

/** Brings what was undone or redone into view, with the cursor behind it, in every editor of the text. */
function showChange(
  monaco: typeof Monaco,
  model: Monaco.editor.ITextModel,
  text: string,
  { rounds }: TextChanged,
): void {
  const { start, inserted } = rounds.at(-1)![0]!;
  const at = new DocumentLines(text).position(start + inserted.length);
  for (const editor of monaco.editor.getEditors().filter((shown) => shown.getModel() === model)) {
    editor.setPosition(at);
    editor.revealPositionInCenterIfOutsideViewport(at);
  }
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
