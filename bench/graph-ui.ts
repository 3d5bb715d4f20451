import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { machineLine, table } from './lib/compare.ts';
import { closeTab, footprint, liveFrames, openAndWait, panFrames, updateTimes } from './lib/graph-page.mjs';
import { compareLayouts } from './lib/layout-peers.ts';
import { pageCpu } from './lib/page-cpu.ts';
import { randomSkills } from './lib/random-skills.ts';
import { framesOf, inStudioPage, medianOf, startBrowser } from './lib/studio-page.ts';
import type { Frames } from './lib/studio-page.ts';

const repetitions = 5;
const sizes = [100, 1_000, 3_000, 5_000];

/** The graph in a browser: opening, panning, memory, live states; and the layout against others. Wants a build. */
export async function run(): Promise<void> {
  const layoutGoals = await compareLayouts();
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-graph-'));
  const browser = await startBrowser();
  const samples = new Map<number, Sample[]>(sizes.map((count) => [count, []]));
  try {
    for (const count of sizes) writeWorkspace(join(folder, String(count)), count);
    // Round by round: a busy moment of the machine hits every size alike.
    for (let round = 0; round < repetitions; round++) {
      for (const count of sizes) {
        const place = join(folder, String(count));
        const home = join(folder, `home-${count}-${round}`);
        const sample = await inStudioPage({ browser, workspace: join(place, 'workspace'), home }, inPage);
        samples.get(count)!.push(sample);
      }
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(
    `\nThe graph in headless Chromium, 1360 × 860, no GPU\n${table([head, ...[...samples].map(row)])}`,
  );
  console.log(
    `Median of ${repetitions} repetitions, each in a new page of a new host; frames p95 in brackets. Cold: from the start ` +
      `of the page to the painted graph. Near: as opened. Whole: all of it in view. ${machineLine()}`,
  );
  const goals = [...layoutGoals, ...pageGoals((count) => samples.get(count)!)];
  console.log(`\nWhat was to be reached\n${table([['', 'median', 'best', 'goal', 'CPU'], ...goals])}`);
  console.log(
    'CPU: work of the page’s main thread alone, for opening as a whole and otherwise for one frame. It tells on a busy ' +
      'machine, where frames wait for the processor, whether they would have been in time.',
  );
}

const head = [
  ...['skills', 'cold ms', 'reopened ms', 'pan near fps', 'pan whole fps', 'live near p95 ms'],
  ...['live whole p95 ms', 'one update ms', 'heap MB', 'elements'],
];

/** A figure with the time that the page's main thread worked for it. */
interface Opened {
  readonly ms: number;
  readonly cpuMs: number;
}
type Moved = Frames & { readonly cpuMs: number };

interface Sample {
  readonly cold: Opened;
  readonly reopened: Opened;
  readonly near: Moved;
  readonly whole: Moved;
  readonly liveNear: Moved;
  readonly liveWhole: Moved;
  readonly updateMs: number;
  readonly heapBytes: number;
  readonly elements: number;
}

function row([count, samples]: readonly [number, readonly Sample[]]): string[] {
  const median = (pick: (sample: Sample) => number): number => medianOf(samples, pick);
  const frames = (pick: (sample: Sample) => Frames): string =>
    `${median((s) => pick(s).fps).toFixed(0)} (${median((s) => pick(s).p95Ms).toFixed(0)})`;
  return [
    count.toLocaleString('en'),
    median((s) => s.cold.ms).toFixed(0),
    median((s) => s.reopened.ms).toFixed(0),
    frames((s) => s.near),
    frames((s) => s.whole),
    median((s) => s.liveNear.p95Ms).toFixed(0),
    median((s) => s.liveWhole.p95Ms).toFixed(0),
    median((s) => s.updateMs).toFixed(2),
    (median((s) => s.heapBytes) / 1e6).toFixed(0),
    median((s) => s.elements).toFixed(0),
  ];
}

/** The figures that the page has to reach, each with its goal. */
function pageGoals(of: (count: number) => readonly Sample[]): string[][] {
  const goal = (
    title: string,
    count: number,
    aim: string,
    pick: (sample: Sample) => { value: number; cpuMs?: number },
  ): string[] => {
    const samples = of(count);
    const values = samples.map((sample) => pick(sample).value);
    const best = aim.startsWith('≥') ? Math.max(...values) : Math.min(...values);
    const cpuMs = medianOf(samples, (sample) => pick(sample).cpuMs ?? NaN);
    return [
      ...[
        `${title}, ${count.toLocaleString('en')} skills`,
        digits(medianOf(values, Number)),
        digits(best),
        aim,
      ],
      Number.isNaN(cpuMs) ? '' : `${digits(cpuMs)} ms`,
    ];
  };
  const fps = ({ fps: value, cpuMs }: Moved) => ({ value, cpuMs });
  const p95 = ({ p95Ms: value, cpuMs }: Moved) => ({ value, cpuMs });
  return [
    goal('open, cold', 1_000, '≤ 2,000 ms', ({ cold }) => ({ value: cold.ms, cpuMs: cold.cpuMs })),
    goal('open again', 1_000, '≤ 300 ms', ({ reopened }) => ({ value: reopened.ms, cpuMs: reopened.cpuMs })),
    goal('pan, near', 3_000, '≥ 55 fps', ({ near }) => fps(near)),
    goal('pan, whole', 3_000, '≥ 45 fps', ({ whole }) => fps(whole)),
    goal('100 events a second, near, p95', 1_000, '< 33 ms', ({ liveNear }) => p95(liveNear)),
    goal('100 events a second, whole, p95', 1_000, '< 33 ms', ({ liveWhole }) => p95(liveWhole)),
    goal('one status update', 3_000, '≤ 5 ms', ({ updateMs }) => ({ value: updateMs })),
  ];
}

function digits(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

async function inPage(page: Page): Promise<Sample> {
  const cpu = await pageCpu(page);
  const timed = async <T>(work: () => Promise<T>): Promise<{ result: T; cpuMs: number }> => {
    const before = await cpu();
    const result = await work();
    return { result, cpuMs: (await cpu()) - before };
  };
  const moved = async (work: () => Promise<number[]>): Promise<Moved> => {
    const { result: times, cpuMs } = await timed(work);
    return { ...framesOf(times), cpuMs: cpuMs / times.length };
  };
  const cold = await timed(() => page.evaluate(openAndWait, 'Large'));
  await page.evaluate(closeTab);
  const reopened = await timed(() => page.evaluate(openAndWait, 'Large'));
  const near = await moved(() => page.evaluate(panFrames, 120));
  const updates = (await page.evaluate(updateTimes, 60)).sort((a, b) => a - b);
  const liveNear = await moved(() => page.evaluate(liveFrames, 2_000));
  await page.getByRole('button', { name: 'Show the whole graph' }).click();
  const whole = await moved(() => page.evaluate(panFrames, 120));
  const liveWhole = await moved(() => page.evaluate(liveFrames, 2_000));
  return {
    cold: { ms: cold.result.sinceLoadMs, cpuMs: cold.cpuMs },
    reopened: { ms: reopened.result.sinceClickMs, cpuMs: reopened.cpuMs },
    ...{ near, whole, liveNear, liveWhole },
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
