import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { writeFile } from '#engine/store/write-file.ts';

/** Where a window was and how large, in the screen's own units. */
export const WindowState = z.object({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1).max(65_535),
  height: z.int().min(1).max(65_535),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof WindowState>;

export type Rectangle = Pick<WindowState, 'x' | 'y' | 'width' | 'height'>;

export const minimumSize = { width: 640, height: 420 };
const firstSize = { width: 1360, height: 860 };

/** How much of a window must be on a display for the user to see it and drag it back. */
const graspable = { width: 120, height: 60 };

/** The state to open with: the kept one where a display still shows it, otherwise centred on the first display. */
export function fitToDisplays(
  kept: WindowState | undefined,
  workAreas: readonly [Rectangle, ...Rectangle[]],
): WindowState {
  const maximized = kept?.maximized ?? false;
  if (kept) {
    for (const area of workAreas) {
      // A title bar above the display cannot be dragged down; a window cut to a smaller display may leave it altogether.
      const fitted = { x: kept.x, y: Math.max(kept.y, area.y), ...fitSize(kept, area) };
      if (isGraspable(fitted, area)) return { ...fitted, maximized };
    }
  }
  const [first] = workAreas;
  const { width, height } = fitSize(kept ?? firstSize, first);
  return {
    x: first.x + Math.round((first.width - width) / 2),
    y: first.y + Math.round((first.height - height) / 2),
    width,
    height,
    maximized,
  };
}

function fitSize(size: { width: number; height: number }, area: Rectangle): typeof minimumSize {
  return {
    width: Math.max(Math.min(size.width, area.width), minimumSize.width),
    height: Math.max(Math.min(size.height, area.height), minimumSize.height),
  };
}

function isGraspable(window: Rectangle, area: Rectangle): boolean {
  const width = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  const height = Math.min(window.y + window.height, area.y + area.height) - window.y;
  return width >= graspable.width && height >= graspable.height;
}

/** The file that keeps the window's place; a damaged one counts as absent and is replaced by the next write. */
export class WindowStateFile {
  readonly #path: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<WindowState | undefined> {
    try {
      return WindowState.parse(JSON.parse(await readFile(this.#path, 'utf8')));
    } catch {
      return undefined; // Absent or damaged: a window in the middle of the screen loses nothing.
    }
  }

  /** Writes behind the earlier writes; fails with the disk's error. */
  write(state: WindowState): Promise<void> {
    const write = async (): Promise<void> => {
      await mkdir(dirname(this.#path), { recursive: true });
      await writeFile(this.#path, `${JSON.stringify(state)}\n`);
    };
    const writing = this.#writing.then(write);
    this.#writing = writing.catch(() => undefined); // The caller of that write was told.
    return writing;
  }

  /** Waits until every write so far has ended, well or not. */
  settled(): Promise<void> {
    return this.#writing;
  }
}
