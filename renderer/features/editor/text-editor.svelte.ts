import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { OtherVersion, Place, Tab, TabEditor } from '#renderer/state/tabs.svelte.ts';
import { documentModel } from './document-models.svelte.ts';
import { editBlockAction } from './language/actions.ts';
import { startLanguage } from './language/language.ts';
import { rememberModel } from './language/spots.ts';
import { editorOptions } from './monaco.ts';
import type { Monaco } from './monaco.ts';
import { narrowLater } from './narrow-later.ts';
import { markProblems } from './problem-marks.svelte.ts';

/** Shows a tab's document in a Monaco editor; text, undo and scroll belong to the document, not to the element. */
export function textEditor(monaco: typeof Monaco, studio: Studio, tab: Tab): Attachment<HTMLElement> {
  // Tracked, the editor would be made anew at every letter typed into its document.
  return (element) => untrack(() => showText(monaco, studio, { tab, element }));
}

/** Shows what the document would replace beside what it holds; the right side stays editable. */
export function compareEditor(monaco: typeof Monaco, tab: Tab, other: OtherVersion): Attachment<HTMLElement> {
  return (element) => untrack(() => showBoth(monaco, tab, { element, other }));
}

/** In a lens names are known; words that happen to stand somewhere would only be in the way. */
const lensOptions: Monaco.editor.IStandaloneEditorConstructionOptions = {
  wordBasedSuggestions: 'off',
  quickSuggestions: { other: true, strings: true, comments: false },
  suggest: { showWords: false },
  // Behind a name that is already written, Enter would put the same name again instead of the new line.
  acceptSuggestionOnEnter: 'smart',
  // The outline would have the whole text read after every letter; folds are known at once.
  stickyScroll: { defaultModel: 'foldingProviderModel' },
};

function showText(
  monaco: typeof Monaco,
  studio: Studio,
  { tab, element }: { tab: Tab; element: HTMLElement },
): () => void {
  const shown = documentModel(monaco, tab.document);
  rememberModel(shown.model, tab);
  startLanguage(monaco, studio);
  const editor = monaco.editor.create(element, {
    ...editorOptions,
    model: shown.model,
    automaticLayout: true,
    ariaLabel: `Text of ${tab.document.file}`,
    wordWrap: tab.document.kind === 'agent-skill' ? 'on' : 'off',
    ...(tab.hasNames ? lensOptions : {}),
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
  const commanded: TabEditor = {
    run: (action) => {
      // What asks for a name opens at the cursor and closes again where the focus is elsewhere.
      editor.focus();
      editor.trigger('command', actionIds[action], null);
    },
    focus: () => editor.focus(),
  };
  tab.editorShown(commanded);
  $effect(() => {
    if (tab.wantedPlace === undefined) return;
    showPlace(editor, tab.wantedPlace);
    tab.placeShown();
  });
  const stopNarrowing = narrowLater(editor, element);
  const unmark = markProblems(monaco, studio, { file: tab.document.file, model: shown.model });
  return () => {
    unmark();
    stopNarrowing();
    shown.viewState = editor.saveViewState();
    editor.dispose();
    queueMicrotask(() => tab.editorGone(commanded));
  };
}

const actionIds: Readonly<Record<Parameters<TabEditor['run']>[0], string>> = {
  format: 'editor.action.formatDocument',
  rename: 'editor.action.rename',
  definition: 'editor.action.revealDefinition',
  references: 'editor.action.goToReferences',
  block: editBlockAction,
};

function showBoth(
  monaco: typeof Monaco,
  tab: Tab,
  { element, other }: { element: HTMLElement; other: OtherVersion },
): () => void {
  const { model: modified } = documentModel(monaco, tab.document);
  const original = monaco.editor.createModel(other.text, modified.getLanguageId());
  const editor = monaco.editor.createDiffEditor(element, {
    ...editorOptions,
    automaticLayout: true,
    originalEditable: false,
    renderSideBySide: true,
    renderOverviewRuler: false,
    useInlineViewWhenSpaceIsLimited: false,
  });
  editor.setModel({ original, modified });
  editor.getOriginalEditor().updateOptions({ ariaLabel: `${tab.document.file}: ${other.title}` });
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
