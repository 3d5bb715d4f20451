/**
 * For a menu that closes: leaves the focus where the chosen line has put it. Without this the menu gives it back to where
 * it came from, and a field that has just opened closes again.
 */
export function keepFocus(event: Event): void {
  const { activeElement, body } = document;
  const isTaken = activeElement !== null && activeElement !== body && !activeElement.closest('[role="menu"]');
  if (isTaken) event.preventDefault();
}
