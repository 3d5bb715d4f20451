/** Says whether a key press belongs to a field with an undo of its own, such as a search field, and not to the text in front. */
export function hasOwnUndo(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest('[data-own-undo]')) return true;
  if (!(target instanceof Element) || !target.matches('input, textarea, [contenteditable="true"]'))
    return false;
  // The find field of a code editor is inside of what has the document's undo.
  return target.closest('[data-document-undo]') === null || target.closest('.monaco-inputbox') !== null;
}
