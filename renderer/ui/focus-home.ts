import type { Attachment } from 'svelte/attachments';

const mark = 'focusHome';

/** For an element that takes the focus which nothing has: a keyboard would begin at the top of the window again. */
export const focusHome: Attachment<HTMLElement> = (element) => {
  element.tabIndex = -1;
  element.dataset[mark] = '';
  takeLost(element);
};

export function isFocusHome(element: HTMLElement): boolean {
  return mark in element.dataset;
}

/** For whoever takes away what had the focus: gives it to the innermost home there is then. */
export function catchLostFocus(): void {
  takeLost();
}

function takeLost(wanted?: HTMLElement): void {
  // A dialog that closes, or a text that opens, gives the focus to somebody first.
  requestAnimationFrame(() => {
    const home = wanted ?? [...document.querySelectorAll<HTMLElement>('[data-focus-home]')].at(-1);
    if (home?.isConnected && isFocusLost(home)) home.focus({ preventScroll: true });
  });
}

/** Whether nothing has the focus, or only a home around this element, or that is one itself. */
export function isFocusLost(element: HTMLElement | undefined): boolean {
  const { activeElement: current, body } = document;
  if (current === null || current === body) return true;
  return current instanceof HTMLElement && isFocusHome(current) && current.contains(element ?? null);
}
