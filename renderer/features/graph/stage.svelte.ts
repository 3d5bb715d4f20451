import { tick } from 'svelte';
import type { LayoutAnswer, LayoutRequest } from '#renderer/state/graph-layout.ts';
import type { EdgeEnds, GraphFocus } from '#renderer/state/graph-state.svelte.ts';
import type { GraphViewport, Tab } from '#renderer/state/tabs.svelte.ts';
import { edgeAt, edgeShapes } from './edge-shapes.ts';
import { itemNode, tabStop } from './flow-nodes.ts';
import type { ItemNode, PortPress } from './flow-nodes.ts';
import { geometryOf, itemAt, itemsIn, nodeHeight, rangeOf } from './geometry.ts';
import { boxOf, centred, fitted, revealed, smallestZoom, zoomed } from './viewport.ts';

type LayOut = (request: LayoutRequest) => Promise<LayoutAnswer>;

/** More nodes than this at once are drawn on the canvas, where they cost no element each. */
const mostElements = 160;
/** Below this zoom nodes are too many and too small to be elements. */
const elementsFrom = 0.45;
/** Below this zoom a graph is its waves. */
export const wavesOnly = 0.15;

/** One graph on the screen: what of it is in view, what is lit, and how the user moves through it. */
export class Stage {
  readonly tab: Tab;
  readonly #layOut: LayOut;
  width = $state.raw(0);
  height = $state.raw(0);
  /** What `width` and `height` are of. */
  view = $state.raw<HTMLElement>();
  hoveredEdge = $state.raw<number>();
  /** Hears of presses on ports; set by whoever draws lines from them. */
  pressedPort: PortPress = () => undefined;

  readonly placed = $derived.by(() => this.tab.graph.placed);
  readonly geometry = $derived.by(() => this.placed && geometryOf(this.placed, this.width));
  readonly shapes = $derived.by(() => this.placed && this.geometry && edgeShapes(this.placed, this.geometry));
  readonly viewport = $derived.by((): GraphViewport => {
    const { geometry } = this;
    return (
      this.tab.viewport ?? (geometry ? fitted(geometry, this, smallestZoom.atFirst) : { x: 0, y: 0, zoom: 1 })
    );
  });
  readonly #range = $derived.by(() => {
    const { geometry } = this;
    return geometry && JSON.stringify(rangeOf(geometry, boxOf(this.viewport, this)));
  });
  /** Items drawn as elements; undefined when there are too many of them, or they are too small. */
  readonly #inView = $derived.by(() => {
    const { geometry } = this;
    if (!geometry || this.#range === undefined || this.viewport.zoom < elementsFrom) return undefined;
    return itemsIn(geometry, JSON.parse(this.#range) as ReturnType<typeof rangeOf>, mostElements);
  });
  readonly isFarOut = $derived(this.viewport.zoom < wavesOnly);
  /** Whether nodes are drawn on the canvas. */
  readonly isCanvas = $derived(this.#inView === undefined);
  readonly current = $derived.by(() => {
    const { scene } = this.placed ?? {};
    if (!scene || !this.geometry) return undefined;
    return this.selectedItem ?? this.geometry.columnItems.find((items) => items.length > 0)?.[0];
  });
  /** A selected group or source; skills are selected in the tab. */
  selectedOther = $state.raw<string>();
  /** The item that is or stands for the selection. */
  readonly selectedItem = $derived.by(() => {
    const key = this.tab.selectedSkill?.key ?? this.selectedOther;
    if (key === undefined || !this.placed) return undefined;
    return this.placed.scene.itemOf.get(key) ?? this.placed.scene.indexOf.get(key);
  });
  readonly #made = $derived.by(() => ({ geometry: this.geometry, nodes: new Map<number, ItemNode>() }));
  readonly nodes = $derived.by((): ItemNode[] => {
    const { scene } = this.placed ?? {};
    const { geometry } = this;
    if (!scene || !geometry) return [];
    const { current } = this;
    const shown = this.#inView ?? [];
    const all = current === undefined || shown.includes(current) ? shown : [...shown, current];
    return all.map((index) => {
      const known = this.#made.nodes.get(index);
      const item = scene.items[index]!;
      const node =
        known ??
        itemNode({
          ...{ item, index, column: scene.columns[item.column]!.title, geometry },
          ...{ file: this.tab.document.file, overlay: this.tab.overlay, graph: this.tab.graph },
          onport: (key, side, event) => this.pressedPort(key, side, event),
        });
      this.#made.nodes.set(index, node);
      if (index !== current) return node;
      // Only one node is a stop of the Tab key; arrows lead to the others.
      return { ...node, selected: index === this.selectedItem, domAttributes: tabStop(true) };
    });
  });
  /** Edges that matter now: those at the selection, the selected and the hovered one, and the shortest path. */
  readonly litEdges = $derived.by((): number[] => {
    const { shapes, placed } = this;
    if (!shapes || !placed) return [];
    const { itemOf, indexOf } = placed.scene;
    const at = (key: string | undefined): number | undefined =>
      key === undefined ? undefined : (itemOf.get(key) ?? indexOf.get(key));
    const selected = this.selectedItem;
    const steps = new Set<string>();
    this.tab.graph.path?.shortest.forEach((key, i, path) => {
      if (i > 0) steps.add(`${at(path[i - 1])} ${at(key)}`);
    });
    const lit: number[] = [];
    for (let edge = 0; edge < shapes.count; edge++) {
      const [from, to] = [shapes.from[edge]!, shapes.to[edge]!];
      const isOnPath = steps.size > 0 && steps.has(`${from} ${to}`);
      if (from === selected || to === selected || isOnPath) lit.push(edge);
    }
    for (const edge of [this.selectedEdge, this.hoveredEdge]) {
      if (edge !== undefined && edge < shapes.count && !lit.includes(edge)) lit.push(edge);
    }
    return lit;
  });
  readonly selectedEdge = $derived.by(() => {
    const ends = this.tab.graph.selectedEdge;
    const { shapes, placed } = this;
    if (!ends || !shapes || !placed) return undefined;
    const [from, to] = [placed.scene.indexOf.get(ends.from), placed.scene.indexOf.get(ends.to)];
    for (let edge = 0; edge < shapes.count; edge++) {
      if (shapes.from[edge] === from && shapes.to[edge] === to) return edge;
    }
    return undefined;
  });

  constructor(tab: Tab, layOut: LayOut) {
    this.tab = tab;
    this.#layOut = layOut;
  }

  /** Whether a part of the graph is out of view, so that a map of it helps. */
  get isCutOff(): boolean {
    const { geometry, viewport } = this;
    if (!geometry) return false;
    return geometry.width * viewport.zoom > this.width + 1 || geometry.height * viewport.zoom > this.height;
  }

  arrange(): Promise<void> {
    const { scene } = this.tab.graph;
    return scene ? this.tab.graph.arrange(scene, this.#layOut) : Promise.resolve();
  }

  async arrangeAgain(): Promise<void> {
    this.tab.graph.forgetOrder();
    await this.arrange();
  }

  zoom(factor: number): void {
    this.tab.moveGraph(zoomed(this.viewport, factor, this));
  }

  fit(smallest = smallestZoom.onDemand): void {
    if (this.geometry) this.tab.moveGraph(fitted(this.geometry, this, smallest));
  }

  centre(x: number, y: number): void {
    this.tab.moveGraph(centred(this.viewport, { x, y }, this));
  }

  select(key: string | undefined): void {
    const isSkill = key === undefined || this.tab.drawing?.byKey.has(key) === true;
    this.tab.select(isSkill ? key : undefined);
    this.selectedOther = isSkill ? undefined : key;
    this.tab.graph.selectEdge(undefined);
  }

  selectEdge(edge: number | undefined): void {
    this.tab.graph.selectEdge(edge === undefined ? undefined : this.endsOf(edge));
  }

  endsOf(edge: number): EdgeEnds | undefined {
    const { shapes, placed } = this;
    if (!shapes || !placed) return undefined;
    const keyAt = (item: number): string => placed.scene.items[item]!.key;
    return { from: keyAt(shapes.from[edge]!), to: keyAt(shapes.to[edge]!) };
  }

  /** Moves the view as little as needed to have an item in it; from far out it comes near enough to read. */
  reveal(key: string): void {
    const { placed, geometry } = this;
    const index = placed?.scene.itemOf.get(key) ?? placed?.scene.indexOf.get(key);
    if (index === undefined || !geometry) return;
    const { left, top, nodeWidth: width } = geometry;
    const box = { x: left[index]!, y: top[index]!, width, height: nodeHeight };
    const { viewport } = this;
    const isReadable = viewport.zoom >= 0.4;
    const from = isReadable
      ? viewport
      : centred({ ...viewport, zoom: 1 }, { x: box.x + width / 2, y: box.y + nodeHeight / 2 }, this);
    const to = revealed(from, box, this);
    if (to !== viewport) this.tab.moveGraph(to);
  }

  /** Shows only a part of the graph, or all of it again, with what was selected in view. */
  async focus(focus: GraphFocus | undefined): Promise<void> {
    this.tab.graph.focusOn(focus);
    await this.arrange();
    await this.#measure();
    this.fit(smallestZoom.atFirst);
    const key = this.tab.selectedSkill?.key;
    if (key !== undefined) this.reveal(key);
  }

  /** Goes from the current item along an edge, or up and down its wave; answers where it came to. */
  walk(direction: 'left' | 'right' | 'up' | 'down' | 'first' | 'last'): string | undefined {
    const { current, geometry, placed } = this;
    if (current === undefined || !geometry || !placed) return undefined;
    const { scene } = placed;
    const next = this.#neighbour(current, direction);
    if (next === undefined) return undefined;
    const { key } = scene.items[next]!;
    this.select(key);
    this.reveal(key);
    return key;
  }

  /** Puts the keyboard on the current node, once it is drawn. */
  async focusCurrent(within: HTMLElement | undefined): Promise<void> {
    await tick();
    within?.querySelector<HTMLElement>('.svelte-flow__node[tabindex="0"]')?.focus({ preventScroll: true });
  }

  /** What is at a point of the screen, counted from the view's corner. */
  at(x: number, y: number): { item?: number; edge?: number } {
    const { viewport, geometry, shapes } = this;
    if (!geometry || !shapes) return {};
    const point = { x: (x - viewport.x) / viewport.zoom, y: (y - viewport.y) / viewport.zoom };
    const item = itemAt(geometry, point.x, point.y);
    if (item !== undefined) return { item };
    const edge = this.isFarOut ? undefined : edgeAt(shapes, geometry, point, 7 / viewport.zoom);
    return edge === undefined ? {} : { edge };
  }

  /** Counts the room anew that bars have taken or given back: the page itself says so only a frame later. */
  async #measure(): Promise<void> {
    await tick();
    if (!this.view) return;
    this.width = this.view.clientWidth;
    this.height = this.view.clientHeight;
  }

  #neighbour(current: number, direction: Parameters<Stage['walk']>[0]): number | undefined {
    const { shapes, placed, geometry } = this;
    if (!shapes || !placed || !geometry) return undefined;
    const columns = geometry.columnItems;
    const inColumn = columns[placed.scene.items[current]!.column]!;
    const row = inColumn.indexOf(current);
    switch (direction) {
      case 'up':
      case 'down':
        return inColumn[row + (direction === 'up' ? -1 : 1)];
      case 'first':
        return columns[0]?.[0];
      case 'last':
        return columns.at(-1)?.[0];
      default:
    }
    const [own, other] = direction === 'left' ? [shapes.to, shapes.from] : [shapes.from, shapes.to];
    let nearest: number | undefined;
    for (let edge = 0; edge < shapes.count; edge++) {
      if (own[edge] !== current || other[edge] === current) continue;
      const candidate = other[edge]!;
      const away = (item: number): number =>
        Math.abs(geometry.left[item]! - geometry.left[current]!) * 100 +
        Math.abs(geometry.top[item]! - geometry.top[current]!);
      if (nearest === undefined || away(candidate) < away(nearest)) nearest = candidate;
    }
    return nearest;
  }
}
