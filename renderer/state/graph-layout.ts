import { withDependents } from '#shared/graph/edges.ts';
import { layout } from '#shared/graph/layout.ts';
import { routes } from '#shared/graph/routes.ts';
import type { GraphScene } from './graph-scene.ts';

/** A scene as the layout sees it: columns and edges as integers. */
export interface LayoutRequest {
  readonly size: number;
  readonly columnCount: number;
  readonly columnOf: Int32Array;
  readonly dependencyStart: Int32Array;
  readonly dependencies: Int32Array;
  /** The height each item had, NaN where it is new in its column. */
  readonly before: Float64Array;
}

/** Where everything stands, in rows from the middle line that all columns share. */
export interface LayoutAnswer {
  readonly heights: Float64Array;
  readonly columnSizes: Int32Array;
  readonly passStarts: Int32Array;
  readonly passes: Float32Array;
}

/** The order within each column as it was last laid out as a whole. */
export type KnownHeights = ReadonlyMap<string, { readonly columnId: string; readonly height: number }>;

export function layoutRequest(scene: GraphScene, known: KnownHeights): LayoutRequest {
  const { items, columns, dependencyStart, dependencies } = scene;
  return {
    ...{ size: items.length, columnCount: columns.length, dependencyStart, dependencies },
    columnOf: Int32Array.from(items, ({ column }) => column),
    before: Float64Array.from(items, ({ key, column }) => {
      const place = known.get(key);
      return place?.columnId === columns[column]!.id ? place.height : NaN;
    }),
  };
}

/** Whether two requests have one answer. */
export function isSameRequest(a: LayoutRequest, b: LayoutRequest): boolean {
  return (
    a.columnCount === b.columnCount &&
    isSameList(a.columnOf, b.columnOf) &&
    isSameList(a.dependencyStart, b.dependencyStart) &&
    isSameList(a.dependencies, b.dependencies) &&
    isSameList(a.before, b.before)
  );
}

function isSameList(a: Int32Array | Float64Array, b: Int32Array | Float64Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}

/** Lays a scene out; this is what the worker does. */
export function answerLayout(request: LayoutRequest): LayoutAnswer {
  const { size, columnCount, columnOf, dependencyStart, dependencies, before } = request;
  const waves: number[][] = Array.from({ length: columnCount }, () => []);
  columnOf.forEach((column, item) => waves[column]!.push(item));
  const graph = withDependents({ size, dependencyStart, dependencies });
  const hasKnown = before.some((height) => !Number.isNaN(height));
  const placed = layout(graph, { waves, unplaced: [], waveOf: columnOf }, hasKnown ? before : undefined);
  const { starts, passes } = routes(graph, placed);
  return {
    heights: Float64Array.from(placed.row, (row, i) => row - (placed.columnSizes[columnOf[i]!]! - 1) / 2),
    columnSizes: placed.columnSizes,
    passStarts: starts,
    passes,
  };
}

export function rememberHeights(scene: GraphScene, { heights }: LayoutAnswer): KnownHeights {
  return new Map(
    scene.items.map(({ key, column }, i) => [
      key,
      { columnId: scene.columns[column]!.id, height: heights[i]! },
    ]),
  );
}
