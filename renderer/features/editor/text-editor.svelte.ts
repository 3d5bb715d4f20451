import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Place, Tab } from '#renderer/state/tabs.svelte.ts';
import { documentModel } from './document-models.svelte.ts';
import { editorOptions } from './monaco.ts';
import type { Monaco } from './monaco.ts';
import { markProblems } from './problem-marks.svelte.ts';

/** Shows a tab's document in a Monaco editor; text, undo and scroll belong to the document, not to the element. */
export function textEditor(monaco: typeof Monaco, studio: Studio, tab: Tab): Attachment<HTMLElement> {
  // Tracked, the editor would be made anew at every letter typed into its document.
  return (element) => untrack(() => showText(monaco, studio, { tab, element }));
}

/** Shows what the document would replace beside what it holds; the right side stays editable. */
export function compareEditor(monaco: typeof Monaco, tab: Tab, diskText: string): Attachment<HTMLElement> {
  return (element) => untrack(() => showBoth(monaco, tab, { element, diskText }));
}

function showText(
  monaco: typeof Monaco,
  studio: Studio,
  { tab, element }: { tab: Tab; element: HTMLElement },
): () => void {
  const shown = documentModel(monaco, tab.document);
  const editor = monaco.editor.create(element, {
    ...editorOptions,
    model: shown.model,
    automaticLayout: true,
    ariaLabel: `Text of ${tab.document.file}`,
    wordWrap: tab.document.kind === 'agent-skill' ? 'on' : 'off',
  });
  editor.restoreViewState(shown.viewState);
  const tellCursor = (): void => {
    const at = editor.getPosition();
    tab.moveCursor(at ? { line: at.lineNumber, column: at.column } : undefined);
  };
  editor.onDidFocusEditorText(tellCursor);
  // Removing a focused editor blurs it, and state must not change while its view is taken down.
  editor.onDidBlurEditorText(() => queueMicrotask(() => tab.moveCursor(undefined)));
  editor.onDidChangeCursorPosition(() => editor.hasTextFocus() && tellCursor());
  editor.focus();
  $effect(() => {
    if (tab.wantedPlace === undefined) return;
    showPlace(editor, tab.wantedPlace);
    tab.placeShown();
  });
  const unmark = markProblems(monaco, studio, { file: tab.document.file, model: shown.model });
  return () => {
    unmark();
    shown.viewState = editor.saveViewState();
    editor.dispose();
  };
}

function showBoth(
  monaco: typeof Monaco,
  tab: Tab,
  { element, diskText }: { element: HTMLElement; diskText: string },
): () => void {
  const { model: modified } = documentModel(monaco, tab.document);
  const original = monaco.editor.createModel(diskText, modified.getLanguageId());
  const editor = monaco.editor.createDiffEditor(element, {
    ...editorOptions,
    automaticLayout: true,
    originalEditable: false,
    renderSideBySide: true,
    renderOverviewRuler: false,
    useInlineViewWhenSpaceIsLimited: false,
  });
  editor.setModel({ original, modified });
  editor.getOriginalEditor().updateOptions({ ariaLabel: `${tab.document.file} on disk` });
  editor.getModifiedEditor().updateOptions({ ariaLabel: `${tab.document.file} in the studio` });
  return () => {
    editor.dispose();
    original.dispose();
  };
}

function showPlace(editor: Monaco.editor.ICodeEditor, place: Place): void {
  editor.setSelection({
    ...{ startLineNumber: place.line, startColumn: place.column },
    ...{ endLineNumber: place.endLine, endColumn: place.endColumn },
  });
  editor.revealLineInCenterIfOutsideViewport(place.line);
  editor.focus();
}
