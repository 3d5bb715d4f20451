import type { PlacedScene } from '#renderer/state/graph-state.svelte.ts';

export const headingHeight = 40;
export const nodeHeight = 74;
export const rowHeight = 98;
const top = 20;
const gutter = { narrowest: 26, widest: 64 };
const column = { narrowest: 180, widest: 252 };

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** Where a placed scene stands on the canvas, in its own pixels. */
export interface Geometry extends Size {
  readonly columnWidth: number;
  readonly nodeWidth: number;
  readonly gutter: number;
  /** Items of each column from top to bottom. */
  readonly columnItems: readonly Int32Array[];
  /** Left edge of each item. */
  readonly left: Float32Array;
  /** Upper edge of each item. */
  readonly top: Float32Array;
  /** The line on which columns are centred, as the middle of an item on it. */
  readonly middle: number;
}

/** Columns share the width of the view as long as a node stays readable and does not sprawl. */
export function geometryOf({ scene, places }: PlacedScene, viewWidth: number): Geometry {
  const { heights, columnSizes } = places;
  const rowCount = columnSizes.reduce((most, size) => Math.max(most, size), 0);
  const columnCount = scene.columns.length;
  // Edges between tall columns need more room to rise and fall than those of a small graph.
  const between = Math.min(gutter.widest, Math.max(gutter.narrowest, 14 + 2 * rowCount));
  const share = viewWidth / Math.max(1, columnCount);
  const columnWidth = Math.round(
    Math.min(column.widest, Math.max(column.narrowest, share)) + between - gutter.narrowest,
  );
  const columnItems = Array.from(columnSizes, (size) => new Int32Array(size));
  const left = new Float32Array(scene.items.length);
  const upper = new Float32Array(scene.items.length);
  scene.items.forEach((item, i) => {
    const row = Math.round(heights[i]! + (columnSizes[item.column]! - 1) / 2);
    columnItems[item.column]![row] = i;
    left[i] = item.column * columnWidth + between / 2;
    upper[i] = top + (heights[i]! + (rowCount - 1) / 2) * rowHeight;
  });
  return {
    ...{ columnWidth, columnItems, left, top: upper, gutter: between, nodeWidth: columnWidth - between },
    width: columnCount * columnWidth,
    height: rowCount * rowHeight + top,
    middle: top + ((rowCount - 1) / 2) * rowHeight + nodeHeight / 2,
  };
}

/** The items in or near a part of the canvas, as a range of columns and of heights that changes only now and then. */
export interface Range {
  readonly firstColumn: number;
  readonly lastColumn: number;
  readonly from: number;
  readonly to: number;
}

const step = 4 * rowHeight;

export function rangeOf({ columnWidth, columnItems }: Geometry, box: Box): Range {
  return {
    firstColumn: Math.max(0, Math.floor(box.x / columnWidth)),
    lastColumn: Math.min(columnItems.length - 1, Math.floor((box.x + box.width) / columnWidth)),
    from: Math.floor(box.y / step) * step,
    to: Math.ceil((box.y + box.height) / step) * step,
  };
}

/** The items of a range; as many as `most`, or undefined when there are more. */
export function itemsIn(
  { columnItems, top: upper }: Geometry,
  range: Range,
  most: number,
): number[] | undefined {
  const items: number[] = [];
  for (let c = range.firstColumn; c <= range.lastColumn; c++) {
    const inColumn = columnItems[c]!;
    const first = inColumn.length > 0 ? upper[inColumn[0]!]! : 0;
    const start = Math.max(0, Math.ceil((range.from - nodeHeight - first) / rowHeight));
    const end = Math.min(inColumn.length, Math.floor((range.to - first) / rowHeight) + 1);
    if (items.length + end - start > most) return undefined;
    for (let i = start; i < end; i++) items.push(inColumn[i]!);
  }
  return items;
}

/** The item at a point of the canvas, if any. */
export function itemAt(geometry: Geometry, x: number, y: number): number | undefined {
  const inColumn = geometry.columnItems[Math.floor(x / geometry.columnWidth)];
  return inColumn?.find((item) => {
    const dx = x - geometry.left[item]!;
    const dy = y - geometry.top[item]!;
    return dx >= 0 && dx <= geometry.nodeWidth && dy >= 0 && dy <= nodeHeight;
  });
}
