import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fitToDisplays, WindowStateFile } from './window-state.ts';

const laptop = { x: 0, y: 25, width: 1440, height: 875 };
const beside = { x: 1440, y: 0, width: 2560, height: 1440 };
const state = { x: 100, y: 100, width: 900, height: 600, maximized: false };

test('fitToDisplays() keeps a place that a display still shows', () => {
  const onSecond = { x: 3000, y: 50, width: 1200, height: 900, maximized: true };
  expect([fitToDisplays(state, [laptop]), fitToDisplays(onSecond, [laptop, beside])]).toEqual([
    state,
    onSecond,
  ]);
});

test('fitToDisplays() centres a window whose display is gone, or that was never there', () => {
  const lost = { x: 3000, y: 50, width: 1200, height: 700, maximized: true };
  expect([fitToDisplays(lost, [laptop]), fitToDisplays(undefined, [laptop])]).toEqual([
    { x: 120, y: 113, width: 1200, height: 700, maximized: true },
    { x: 40, y: 33, width: 1360, height: 860, maximized: false },
  ]);
});

test('fitToDisplays() shrinks to the display and brings a hidden title bar down', () => {
  expect(fitToDisplays({ x: 0, y: -20, width: 5000, height: 4000, maximized: false }, [laptop])).toEqual({
    x: 0,
    y: 25,
    width: 1440,
    height: 875,
    maximized: false,
  });
});

test('fitToDisplays() always leaves a part of the title bar on some display', () => {
  const place = fc.integer({ min: -10_000, max: 10_000 });
  const size = fc.integer({ min: 1, max: 65_535 });
  const kept = fc.record({ x: place, y: place, width: size, height: size, maximized: fc.boolean() });
  fc.assert(
    fc.property(kept, (kept) => {
      const { x, y, width } = fitToDisplays(kept, [laptop, beside]);
      const isReachable = [laptop, beside].some(
        (area) =>
          y >= area.y &&
          y < area.y + area.height &&
          Math.min(x + width, area.x + area.width) - Math.max(x, area.x) >= 100,
      );
      expect(isReachable).toBe(true);
    }),
  );
});

let folder: string;
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'sunwell-window-'))));
afterAll(() => rm(folder, { recursive: true }));

test('WindowStateFile gives back the last of many writes and creates its folder', async () => {
  const path = join(folder, 'new', 'window.json');
  const file = new WindowStateFile(path);
  await Promise.all([1, 2, 3].map((x) => file.write({ ...state, x })));
  expect(await new WindowStateFile(path).read()).toEqual({ ...state, x: 3 });
});

test.each(['', '{', 'null', '{"x":1}', '{"x":1,"y":1,"width":"9","height":9,"maximized":false}'])(
  'WindowStateFile ignores the damaged file "%s" and replaces it',
  async (text) => {
    const path = join(folder, 'window.json');
    await writeFile(path, text);
    const file = new WindowStateFile(path);
    expect(await file.read()).toBeUndefined();
    await file.write(state);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(state);
  },
);

test('WindowStateFile settles after a write that failed, and the failure reaches its caller', async () => {
  await writeFile(join(folder, 'plain'), '');
  const file = new WindowStateFile(join(folder, 'plain', 'window.json'));
  await expect(file.write(state)).rejects.toThrow(/ENOTDIR|EEXIST/);
  await expect(file.settled()).resolves.toBeUndefined();
});
