/** A rectangle on the screen, as `getBoundingClientRect` gives it. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const gap = 12;
const edge = 8;

/** Where a card stands: above its anchor if there is room, else below or beside it; within the window and never over `free`. */
export function placeCard(
  anchor: Box,
  card: { readonly width: number; readonly height: number },
  window: { readonly width: number; readonly height: number },
  free: Box | undefined,
): { left: number; top: number } {
  const bottom = anchor.top + anchor.height;
  const isNarrow = anchor.width < 60 && anchor.left < gap + card.width / 2;
  const above = anchor.top - gap - card.height;
  const wish = isNarrow
    ? { left: anchor.left + anchor.width + gap, top: anchor.top }
    : { left: anchor.left, top: above >= edge ? above : bottom + gap };
  const left = within(wish.left, window.width - card.width);
  const top = within(wish.top, window.height - card.height);
  if (!free || !overlaps({ left, top, ...card }, free)) return { left, top };
  return { left, top: within(free.top - gap - card.height, window.height - card.height) };
}

function within(value: number, most: number): number {
  return Math.max(edge, Math.min(value, most - edge));
}

function overlaps(a: Box, b: Box): boolean {
  return (
    a.left < b.left + b.width &&
    b.left < a.left + a.width &&
    a.top < b.top + b.height &&
    b.top < a.top + a.height
  );
}
