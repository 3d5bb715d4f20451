import type { Monaco } from './monaco.ts';

/** What is needed of Monaco's own model of suggestions; the version is pinned, and an editor without it fails to open. */
interface SuggestModel {
  /** Zero where no list is open or asked for. */
  readonly state: number;
  _refilterCompletionItems(): void;
}

/**
 * Lets the open list of suggestions narrow behind the frame of a letter: narrowed in the same frame, it delays the letter.
 * The next key finds it narrowed, however soon it comes. Until the returned function is called.
 */
export function narrowLater(editor: Monaco.editor.IStandaloneCodeEditor, element: HTMLElement): () => void {
  const controller = editor.getContribution('editor.contrib.suggestController');
  const { model } = controller as unknown as { readonly model: SuggestModel };
  const narrow = model._refilterCompletionItems.bind(model);
  let isWaiting = false;
  const narrowNow = (): void => {
    if (!isWaiting) return;
    isWaiting = false;
    if (model.state !== 0) narrow();
  };
  model._refilterCompletionItems = () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => setTimeout(narrowNow));
  };
  // Enter would otherwise take what fitted before the last letter.
  element.addEventListener('keydown', narrowNow, true);
  return () => {
    isWaiting = false;
    element.removeEventListener('keydown', narrowNow, true);
  };
}
