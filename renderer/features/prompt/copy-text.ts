/** Puts a text on the clipboard; answers in a sentence what came of it. */
export async function copyText(text: string): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied.';
  } catch {
    return 'Cannot copy here: select the text and copy it.'; // A page without the focus, or without the right, may not.
  }
}
