import type { GraphEdits } from '#renderer/state/graph-edits.svelte.ts';
import { nodeHeight } from '../geometry.ts';
import type { Stage } from '../stage.svelte.ts';

/** Which port of which skill is dragged. */
export interface PortStart {
  readonly key: string;
  readonly side: 'in' | 'out';
}

interface Dragged extends PortStart {
  /** Where it is now, counted from the view's corner. */
  readonly x: number;
  readonly y: number;
  readonly target: string | undefined;
}

/** How far a pointer must go before it drags and does not only press. */
const leastDistance = 6;

/** A line that the user draws from a port: to another skill, or into empty space. */
export class PortDrag {
  readonly #stage: Stage;
  readonly #edits: GraphEdits;
  #dragged = $state.raw<Dragged>();
  #pressed: (PortStart & { readonly x: number; readonly y: number }) | undefined;

  constructor(stage: Stage, edits: GraphEdits) {
    this.#stage = stage;
    this.#edits = edits;
  }

  get isOn(): boolean {
    return this.#dragged !== undefined;
  }

  get target(): string | undefined {
    return this.#dragged?.target;
  }

  /** Why the skill below the pointer cannot be tied; undefined where it can, or where there is none. */
  readonly problem = $derived.by(() => {
    const pair = this.#pair();
    return pair && this.#edits.whyNot(this.#stage.tab, pair);
  });

  /** What letting go would do, in a few words. */
  readonly sentence = $derived.by(() => {
    const pair = this.#pair();
    if (pair) return this.problem ?? `${pair.to} will wait for ${pair.from}`;
    return this.#dragged?.side === 'in' ? 'What comes before it…' : 'What comes after it…';
  });

  /** The line on the screen, from the port to the pointer. */
  readonly line = $derived.by(() => {
    const { geometry, placed, viewport } = this.#stage;
    const dragged = this.#dragged;
    const item = dragged && placed?.scene.indexOf.get(dragged.key);
    if (!dragged || item === undefined || !geometry) return undefined;
    const edge = geometry.left[item]! + (dragged.side === 'out' ? geometry.nodeWidth : 0);
    const x = viewport.x + edge * viewport.zoom;
    const y = viewport.y + (geometry.top[item]! + nodeHeight / 2) * viewport.zoom;
    const bend = Math.max(30, Math.abs(dragged.x - x) / 2) * (dragged.side === 'out' ? 1 : -1);
    const d = `M${x} ${y}C${x + bend} ${y} ${dragged.x - bend} ${dragged.y} ${dragged.x} ${dragged.y}`;
    return { d, x: dragged.x, y: dragged.y };
  });

  press(start: PortStart, x: number, y: number): void {
    this.#pressed = { ...start, x, y };
  }

  /** Follows the pointer; answers whether a line is drawn. */
  move(x: number, y: number): boolean {
    const start = this.#pressed;
    if (!start) return false;
    if (!this.#dragged && Math.hypot(x - start.x, y - start.y) < leastDistance) return false;
    const { item } = this.#stage.at(x, y);
    const key = item === undefined ? undefined : this.#stage.placed?.scene.items[item]?.key;
    const isSkill =
      key !== undefined && key !== start.key && this.#stage.tab.drawing?.byKey.has(key) === true;
    this.#dragged = { key: start.key, side: start.side, x, y, target: isSkill ? key : undefined };
    return true;
  }

  cancel(): void {
    this.#pressed = undefined;
    this.#dragged = undefined;
  }

  /** Ties what the line leads to, or asks what fits; answers whether a line was drawn. */
  async drop(): Promise<boolean> {
    const dragged = this.#dragged;
    const pair = this.#pair();
    this.cancel();
    if (!dragged) return false;
    const { tab } = this.#stage;
    const isOverItself = this.#stage.at(dragged.x, dragged.y).item !== undefined && !pair;
    if (pair) await this.#edits.connect(tab, pair);
    else if (!isOverItself) this.#edits.ask({ kind: 'fitting', tab, key: dragged.key, side: dragged.side });
    return true;
  }

  #pair(): { from: string; to: string } | undefined {
    const dragged = this.#dragged;
    if (dragged?.target === undefined) return undefined;
    return dragged.side === 'out'
      ? { from: dragged.key, to: dragged.target }
      : { from: dragged.target, to: dragged.key };
  }
}
