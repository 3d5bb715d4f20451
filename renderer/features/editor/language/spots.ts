import type { Location } from '#shared/model/diagnostic.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import type { Monaco } from '../monaco.ts';
import { DocumentLines } from '../model-offsets.ts';
import type { Spot } from './language-calls.ts';

const shown = new WeakMap<Monaco.editor.ITextModel, Tab>();

/** Remembers whose text a model is. Only lenses and libraries are known here: other texts have no names of ours. */
export function rememberModel(model: Monaco.editor.ITextModel, tab: Tab): void {
  if (tab.document.kind === 'lens' || tab.document.kind === 'library') shown.set(model, tab);
}

export function tabOf(model: Monaco.editor.ITextModel): Tab | undefined {
  return shown.get(model);
}

/** The place in the document behind a position in a model; undefined where the model is none of a lens or library. */
export function spotOf(model: Monaco.editor.ITextModel, at: Monaco.IPosition): Spot | undefined {
  const document = shown.get(model)?.document;
  if (!document) return undefined;
  return { file: document.file, offset: new DocumentLines(document.text).offset(at.lineNumber, at.column) };
}

/** The range of two offsets of a document's text. */
export function rangeOf(text: string, start: number, end: number): Monaco.IRange {
  const lines = new DocumentLines(text);
  const [from, to] = [lines.position(start), lines.position(end)];
  return {
    ...{ startLineNumber: from.lineNumber, startColumn: from.column },
    ...{ endLineNumber: to.lineNumber, endColumn: to.column },
  };
}

export function placeRange({ line, column, endLine, endColumn }: Location): Monaco.IRange {
  return { startLineNumber: line, startColumn: column, endLineNumber: endLine, endColumn };
}
