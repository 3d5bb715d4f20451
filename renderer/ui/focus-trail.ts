import type { Attachment } from 'svelte/attachments';
import { isFocusHome } from './focus-home.ts';

/** Where the focus was last, and its place in what is around it. */
interface Place {
  readonly parent: HTMLElement;
  readonly at: number;
}

interface Trail {
  readonly element: HTMLElement;
  /** Innermost first. */
  readonly groups: readonly Place[];
  /** Everything around it up to the home of lost focus, with the child it is in. */
  readonly around: readonly Place[];
}

const trails = new WeakMap<Document, Trail>();

/** What floats comes and goes: whoever opened it counts. */
const floating = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';
/** What is next to each other in these belongs together; in larger parts of the page, what is next is a guess. */
const grouping = 'li, ul, ol, tr, table, [role="group"], [role="row"], [role="tabpanel"]';
const reachable = ':is(a[href], button, input, select, textarea, [tabindex]):not(:disabled, [tabindex="-1"])';

/** For the whole page: what takes the place of a thing with the focus, or stands where it was, gets the focus. */
export const keepFocusTrail: Attachment<HTMLElement> = ({ ownerDocument: page }) => {
  const note = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement && !target.closest(floating)) trails.set(page, trailOf(target));
  };
  const observer = new MutationObserver(() => {
    const trail = trails.get(page);
    if (!trail || canHaveFocus(trail.element) || !isFocusNowhere(page)) return;
    giveFocusBack((lost) => heirOf(lost) ?? nextTo(lost));
  });
  page.addEventListener('focusin', note);
  observer.observe(page.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  return () => {
    page.removeEventListener('focusin', note);
    observer.disconnect();
  };
};

/** For what closed with the focus in it: gives it to what had it before, or to what stands there by now. */
export function giveFocusBack(heir = heirOf): void {
  // Whoever knows better, as a field that has just opened, comes first.
  requestAnimationFrame(() => {
    const trail = trails.get(document);
    if (!trail || !isFocusNowhere(document)) return;
    // Else every further change of the page would look for an heir again.
    trails.delete(document);
    (canHaveFocus(trail.element) ? trail.element : heir(trail))?.focus({ preventScroll: true });
  });
}

function trailOf(element: HTMLElement): Trail {
  const groups: Place[] = [];
  const around: Place[] = [];
  let child = element;
  for (let parent = child.parentElement; parent && !isFocusHome(child); parent = child.parentElement) {
    around.push({ parent, at: [...parent.children].indexOf(child) });
    if (parent.matches(grouping)) groups.push({ parent, at: reachableIn(parent).indexOf(element) });
    child = parent;
  }
  return { element, groups, around };
}

/** What has its number in the innermost group that still has something. */
function heirOf({ groups }: Trail): HTMLElement | undefined {
  for (const { parent, at } of groups) {
    const left = parent.isConnected && !isFocusHome(parent) ? reachableIn(parent) : [];
    if (left.length > 0) return left[Math.min(Math.max(at, 0), left.length - 1)];
  }
  return undefined;
}

/** What comes next where it stood, as with the Tab key. */
function nextTo({ around }: Trail): HTMLElement | undefined {
  const found = around.find(({ parent }) => parent.isConnected && reachableIn(parent).length > 0);
  if (!found || isFocusHome(found.parent)) return found?.parent;
  const left = reachableIn(found.parent);
  const place = found.parent.children[found.at];
  const isNext = (element: HTMLElement): boolean =>
    place !== undefined &&
    (place.contains(element) ||
      (place.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
  return left.find(isNext) ?? left.at(-1);
}

function reachableIn(group: Element): HTMLElement[] {
  return [...group.querySelectorAll<HTMLElement>(reachable)].filter((element) => element.checkVisibility());
}

function canHaveFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(':disabled');
}

function isFocusNowhere({ activeElement, body }: Document): boolean {
  return activeElement === null || activeElement === body || activeElement.matches(':disabled');
}
