import type { Attachment } from 'svelte/attachments';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import { documentModel } from './document-models.svelte.ts';
import { editorOptions } from './monaco.ts';
import type { Monaco } from './monaco.ts';

/** Shows a tab's document in a Monaco editor; text, undo and scroll belong to the document, not to the element. */
export function textEditor(monaco: typeof Monaco, tab: Tab): Attachment<HTMLElement> {
  return (element) => {
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
    editor.onDidBlurEditorText(() => tab.moveCursor(undefined));
    editor.onDidChangeCursorPosition(() => {
      if (editor.hasTextFocus()) tellCursor();
    });
    editor.focus();
    $effect(() => {
      if (tab.revealed) revealSkill(editor, tab.revealed.skill);
    });
    return () => {
      shown.viewState = editor.saveViewState();
      tab.moveCursor(undefined);
      editor.dispose();
    };
  };
}

/** Shows what the document would replace beside what it holds; the right side stays editable. */
export function compareEditor(monaco: typeof Monaco, tab: Tab, diskText: string): Attachment<HTMLElement> {
  return (element) => {
    const { model: modified } = documentModel(monaco, tab.document);
    const original = monaco.editor.createModel(diskText, modified.getLanguageId());
    const editor = monaco.editor.createDiffEditor(element, {
      ...editorOptions,
      automaticLayout: true,
      originalEditable: false,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: false,
      originalAriaLabel: `${tab.document.file} on disk`,
      modifiedAriaLabel: `${tab.document.file} in the studio`,
    });
    editor.setModel({ original, modified });
    return () => {
      editor.dispose();
      original.dispose();
    };
  };
}

function revealSkill(editor: Monaco.editor.ICodeEditor, skill: string): void {
  const name = skill.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const match = editor
    .getModel()
    ?.findNextMatch(
      `^\\s*-?\\s*name:\\s*["']?${name}["']?\\s*(#.*)?$`,
      { lineNumber: 1, column: 1 },
      true,
      true,
      null,
      false,
    );
  if (!match) return;
  editor.setSelection(match.range);
  editor.revealLineNearTop(match.range.startLineNumber);
  editor.focus();
}
