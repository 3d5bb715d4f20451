import type { LensDocument } from '#shared/model/lens-document.ts';
import type { GraphDrawing } from './graph-drawing.ts';
import { findable } from './graph-find.ts';
import type { KnownTexts } from './graph-find.ts';
import { layoutRequest, rememberHeights } from './graph-layout.ts';
import type { KnownHeights, LayoutAnswer, LayoutRequest } from './graph-layout.ts';
import { lineage, pathOf } from './graph-lineage.ts';
import { buildScene } from './graph-scene.ts';
import type { GraphLayer, GraphScene } from './graph-scene.ts';

interface GraphStateOptions {
  readonly file: string;
  readonly drawing: () => GraphDrawing | undefined;
  readonly lens: () => LensDocument | null | undefined;
}

/** A part of the graph that alone is shown until the user lets go of it. */
export type GraphFocus =
  | { readonly kind: 'lineage'; readonly key: string; readonly depth: number }
  | { readonly kind: 'path'; readonly from: string; readonly to: string };

/** One edge by the keys of what it ties. */
export interface EdgeEnds {
  readonly from: string;
  readonly to: string;
}

/** Something that only the view of a graph can do, asked for from elsewhere. */
export type GraphWish =
  | { readonly kind: 'fit' | 'arrange' | 'find' }
  | { readonly kind: 'focus'; readonly focus: GraphFocus | undefined }
  | { readonly kind: 'layer'; readonly layer: GraphLayer }
  | {
      readonly kind: 'export';
      readonly how: 'copy' | 'save';
      readonly format: 'mermaid' | 'svg' | 'dot' | 'json';
    };

/** A scene with the places of everything in it. */
export interface PlacedScene {
  readonly scene: GraphScene;
  readonly places: LayoutAnswer;
}

/** What the user sees of one graph: drawn or as a table, which part of it, what is found. Disposed with its tab. */
export class GraphState {
  readonly #options: GraphStateOptions;
  #mode = $state.raw<'drawn' | 'table'>('drawn');
  #layer = $state.raw<GraphLayer>('skills');
  #collapsed = $state.raw<ReadonlySet<string>>(new Set());
  #focus = $state.raw<GraphFocus>();
  #pathStart = $state.raw<string>();
  #selectedEdge = $state.raw<EdgeEnds>();
  #query = $state.raw<string>();
  #texts = $state.raw<KnownTexts>(new Map());
  #placed = $state.raw<PlacedScene>();
  #wish = $state.raw<GraphWish>();
  #renamed = $state.raw<string>();
  #known: KnownHeights = new Map();
  #arranging: { readonly scene: GraphScene; readonly done: Promise<void> } | undefined;

  /** The way between the two ends of a path, undefined when there is none. */
  readonly path = $derived.by(() => {
    const drawing = this.#options.drawing();
    const focus = this.#focus;
    return drawing && focus?.kind === 'path' ? pathOf(drawing, focus.from, focus.to) : undefined;
  });
  readonly #only = $derived.by(() => {
    const drawing = this.#options.drawing();
    const focus = this.#focus;
    if (focus?.kind !== 'lineage') return this.path?.keys;
    return drawing?.byKey.has(focus.key) ? lineage(drawing, focus.key, focus.depth) : undefined;
  });
  /** What to show; undefined until the document has been resolved. */
  readonly scene = $derived.by(() => {
    const drawing = this.#options.drawing();
    const { file, lens } = this.#options;
    const shape = { layer: this.#layer, collapsed: this.#collapsed, only: this.#only };
    return drawing && buildScene(drawing, { file, lens: lens(), ...shape });
  });
  readonly #findable = $derived.by(() => {
    const drawing = this.#options.drawing();
    return drawing && findable(drawing, this.#texts);
  });
  readonly found = $derived.by(() => (this.#query ? (this.#findable?.(this.#query) ?? []) : []));
  readonly foundKeys = $derived.by((): ReadonlySet<string> => new Set(this.found.map(({ key }) => key)));

  constructor(options: GraphStateOptions) {
    this.#options = options;
  }

  get mode(): 'drawn' | 'table' {
    return this.#mode;
  }

  get layer(): GraphLayer {
    return this.#layer;
  }

  get collapsed(): ReadonlySet<string> {
    return this.#collapsed;
  }

  get focus(): GraphFocus | undefined {
    return this.#focus;
  }

  /** Where a path shall start while its end is not chosen yet. */
  get pathStart(): string | undefined {
    return this.#pathStart;
  }

  get selectedEdge(): EdgeEnds | undefined {
    return this.#selectedEdge;
  }

  /** Undefined while nothing is looked for; empty while the user has not typed yet. */
  get query(): string | undefined {
    return this.#query;
  }

  /** The last scene that has been laid out; the one before stays until then. */
  get placed(): PlacedScene | undefined {
    return this.#placed;
  }

  /** What the view shall do, until it has taken it. */
  get wish(): GraphWish | undefined {
    return this.#wish;
  }

  /** The skill whose name is being typed. */
  get renamed(): string | undefined {
    return this.#renamed;
  }

  ask(wish: GraphWish | undefined): void {
    this.#wish = wish;
  }

  rename(key: string | undefined): void {
    this.#renamed = key;
  }

  showAs(mode: 'drawn' | 'table'): void {
    this.#mode = mode;
  }

  showLayer(layer: GraphLayer): void {
    this.#layer = layer;
  }

  toggleLibrary(library: string): void {
    const collapsed = new Set(this.#collapsed);
    if (!collapsed.delete(library)) collapsed.add(library);
    this.#collapsed = collapsed;
  }

  focusOn(focus: GraphFocus | undefined): void {
    this.#focus = focus;
    this.#pathStart = undefined;
  }

  startPath(key: string | undefined): void {
    this.#pathStart = key;
  }

  selectEdge(edge: EdgeEnds | undefined): void {
    this.#selectedEdge = edge;
  }

  find(query: string | undefined): void {
    this.#query = query;
  }

  /** Lets what is written in these files be found too. */
  knowTexts(texts: KnownTexts): void {
    this.#texts = texts;
  }

  /** Has the scene laid out; an answer that a newer question has overtaken is dropped. */
  arrange(scene: GraphScene, layOut: (request: LayoutRequest) => Promise<LayoutAnswer>): Promise<void> {
    if (this.#arranging?.scene !== scene) this.#arranging = { scene, done: this.#layOut(scene, layOut) };
    return this.#arranging.done;
  }

  /** Forgets the order that edits kept, so that the next layout is as calm as it can be. */
  forgetOrder(): void {
    this.#known = new Map();
    this.#arranging = undefined;
  }

  async #layOut(scene: GraphScene, layOut: (request: LayoutRequest) => Promise<LayoutAnswer>): Promise<void> {
    const places = await layOut(layoutRequest(scene, this.#known));
    if (this.#arranging?.scene !== scene) return;
    if (scene.isWhole) this.#known = rememberHeights(scene, places);
    this.#placed = { scene, places };
  }
}
