import type { Location } from '#shared/model/diagnostic.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import type { Monaco } from '../monaco.ts';
import { DocumentLines } from '../model-offsets.ts';
import type { Spot } from './language-calls.ts';

const shown = new WeakMap<Monaco.editor.ITextModel, Tab>();

/** Remembers whose text a model is. Only lenses, libraries and fixtures are known here: other texts have no names of ours. */
export function rememberModel(model: Monaco.editor.ITextModel, tab: Tab): void {
  if (tab.hasNames) shown.set(model, tab);
}

export function tabOf(model: Monaco.editor.ITextModel): Tab | undefined {
  return shown.get(model);
}

/** The place in the document behind a position in a model; undefined where the model is none of a lens, library or fixtures. */
export function spotOf(model: Monaco.editor.ITextModel, at: Monaco.IPosition): Spot | undefined {
  const document = shown.get(model)?.document;
  if (!document) return undefined;
  const { file, text } = document;
  // Counting the lines of a long text anew for every question would be felt while typing.
  const offset = text.includes('\r')
    ? new DocumentLines(text).offset(at.lineNumber, at.column)
    : model.getOffsetAt(at) + markLength(text);
  return { file, offset };
}

/** The range in a model of two offsets of its document's text. */
export function rangeOf(
  model: Monaco.editor.ITextModel,
  { start, end }: { start: number; end: number },
): Monaco.IRange {
  const text = shown.get(model)?.document.text ?? '';
  const lines = text.includes('\r') ? new DocumentLines(text) : undefined;
  const position = (offset: number): Monaco.IPosition =>
    lines ? lines.position(offset) : model.getPositionAt(offset - markLength(text));
  const [from, to] = [position(start), position(end)];
  return {
    ...{ startLineNumber: from.lineNumber, startColumn: from.column },
    ...{ endLineNumber: to.lineNumber, endColumn: to.column },
  };
}

/** A byte order mark is part of a document, but not of what an editor shows. */
function markLength(text: string): number {
  return text.startsWith('\uFEFF') ? 1 : 0;
}

export function placeRange({ line, column, endLine, endColumn }: Location): Monaco.IRange {
  return { startLineNumber: line, startColumn: column, endLineNumber: endLine, endColumn };
}
