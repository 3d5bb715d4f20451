import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { machineLine, table } from './lib/compare.ts';
import { closeTab, footprint, liveFrames, openAndWait, panFrames, updateTimes } from './lib/graph-page.mjs';
import { compareLayouts } from './lib/layout-peers.ts';
import { randomSkills } from './lib/random-skills.ts';
import { framesOf, inStudioPage, medianOf, startBrowser } from './lib/studio-page.ts';
import type { Frames } from './lib/studio-page.ts';

const repetitions = 5;
const sizes = [100, 1_000, 5_000];

/** The graph in a browser: opening, panning, memory, live states; and the layout against others. Wants a build. */
export async function run(): Promise<void> {
  await compareLayouts();
  const rows = [];
  for (const count of sizes) rows.push(await measure(count));
  console.log(`\nThe graph in headless Chromium, 1360 × 860, no GPU\n${table([head, ...rows])}`);
  console.log(
    `Median of ${repetitions} repetitions, each in a new page of a new host; frames p95 in brackets. Cold: from the start ` +
      `of the page to the painted graph. Near: as opened. Whole: all of it in view. ${machineLine()}`,
  );
}

const head = [
  ...['skills', 'cold ms', 'reopened ms', 'pan near fps', 'pan whole fps', 'live near p95 ms'],
  ...['live whole p95 ms', 'one update ms', 'heap MB', 'elements'],
];

interface Sample {
  readonly coldMs: number;
  readonly reopenedMs: number;
  readonly near: Frames;
  readonly whole: Frames;
  readonly liveNear: Frames;
  readonly liveWhole: Frames;
  readonly updateMs: number;
  readonly heapBytes: number;
  readonly elements: number;
}

async function measure(count: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-graph-'));
  const browser = await startBrowser();
  try {
    writeWorkspace(folder, count);
    const samples: Sample[] = [];
    for (let i = 0; i < repetitions; i++) {
      const place = { browser, workspace: join(folder, 'workspace'), home: join(folder, `home-${i}`) };
      samples.push(await inStudioPage(place, inPage));
    }
    const median = (pick: (sample: Sample) => number): number => medianOf(samples, pick);
    const frames = (pick: (sample: Sample) => Frames): string =>
      `${median((s) => pick(s).fps).toFixed(0)} (${median((s) => pick(s).p95Ms).toFixed(0)})`;
    return [
      count.toLocaleString('en'),
      median((s) => s.coldMs).toFixed(0),
      median((s) => s.reopenedMs).toFixed(0),
      frames((s) => s.near),
      frames((s) => s.whole),
      median((s) => s.liveNear.p95Ms).toFixed(0),
      median((s) => s.liveWhole.p95Ms).toFixed(0),
      median((s) => s.updateMs).toFixed(2),
      (median((s) => s.heapBytes) / 1e6).toFixed(0),
      median((s) => s.elements).toFixed(0),
    ];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inPage(page: Page): Promise<Sample> {
  const { sinceLoadMs } = await page.evaluate(openAndWait, 'Large');
  await page.evaluate(closeTab);
  const { sinceClickMs } = await page.evaluate(openAndWait, 'Large');
  const near = framesOf(await page.evaluate(panFrames, 180));
  const updates = (await page.evaluate(updateTimes, 60)).sort((a, b) => a - b);
  const liveNear = framesOf(await page.evaluate(liveFrames, 3_000));
  await page.getByRole('button', { name: 'Show the whole graph' }).click();
  const whole = framesOf(await page.evaluate(panFrames, 180));
  const liveWhole = framesOf(await page.evaluate(liveFrames, 3_000));
  return {
    ...{ coldMs: sinceLoadMs, reopenedMs: sinceClickMs, near, whole, liveNear, liveWhole },
    ...{ updateMs: updates[updates.length >> 1]!, ...(await page.evaluate(footprint)) },
  };
}

/** Skills in libraries of a thousand at most, which is as much as the studio reads of one file, and a lens that has them all. */
function writeWorkspace(folder: string, count: number): void {
  const write = (file: string, lines: readonly string[]): void => {
    mkdirSync(join(folder, 'workspace', dirname(file)), { recursive: true });
    writeFileSync(join(folder, 'workspace', file), `${lines.join('\n')}\n`);
  };
  const parts = Math.ceil(count / 1_000);
  const files = Array.from({ length: parts }, (_, part) => `skills/part-${part}.skills.yaml`);
  files.forEach((file, part) => write(file, ['skills:', ...skillLines(Math.ceil(count / parts), part)]));
  write('lenses/large.lens', [
    ...['lens:', '  metadata: { name: Large, version: 1.0.0 }', '  skills:'],
    ...files.map((file) => `    - include: ../${file}`),
  ]);
}

function skillLines(count: number, part: number): string[] {
  const nodes = randomSkills(count, 100);
  const nameOf = new Map(nodes.map(({ id, name }) => [id, `${name}-${part}`]));
  return nodes.map(({ id, dependsOn, produces }) => {
    const before = [...new Set(dependsOn)].map((other) => nameOf.get(other)!);
    const keys = produces.map((key) => `${key.replace('-', '_')}_${part}`);
    return `  - { name: ${nameOf.get(id)}, description: Does its part, instructions: Do it, produces: [${keys.join(', ')}], depends_on: [${before.join(', ')}] }`;
  });
}
