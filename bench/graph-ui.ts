import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { machineLine, table } from './lib/compare.ts';
import { closeTab, footprint, liveFrames, openAndWait, panFrames, updateTimes } from './lib/graph-page.mjs';
import { compareLayouts } from './lib/layout-peers.ts';
import { randomSkills } from './lib/random-skills.ts';

const repetitions = 5;

/** The graph in a browser: opening, panning, memory, live states; and the layout against others. Wants a build. */
export async function run(): Promise<void> {
  await compareLayouts();
  const rows = [];
  for (const count of [100, 1_000, 3_000, 5_000]) rows.push(await measure(count));
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

interface Frames {
  readonly fps: number;
  readonly p95Ms: number;
}

async function measure(count: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-graph-'));
  const browser = await chromium.launch({
    executablePath: process.env['SUNWELL_CHROMIUM'] || '/usr/bin/chromium',
    args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  });
  try {
    writeWorkspace(folder, count);
    const samples: Sample[] = [];
    for (let i = 0; i < repetitions; i++) samples.push(await inNewHost(folder, browser, i));
    const median = (pick: (sample: Sample) => number): number =>
      samples.map(pick).sort((a, b) => a - b)[samples.length >> 1]!;
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

async function inNewHost(folder: string, browser: Browser, round: number): Promise<Sample> {
  const workspace = join(folder, 'workspace');
  const server = spawn(
    process.execPath,
    [join(import.meta.dirname, '../dist/cli.cjs'), 'studio', workspace, '--web', '--no-open', '--port', '0'],
    { env: { ...process.env, SUNWELL_HOME: join(folder, `home-${round}`) } },
  );
  const page = await browser.newPage({ viewport: { width: 1360, height: 860 } });
  try {
    const address = await addressOf(server.stdout);
    // The first address signs the browser in and is used up; the second opens the page that is measured.
    await page.goto(address);
    await page.goto(new URL('/?measure', address).href, { waitUntil: 'commit' });
    return await inPage(page);
  } finally {
    await page.close();
    server.kill('SIGTERM');
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

function framesOf(times: readonly number[]): Frames {
  const sorted = [...times].sort((a, b) => a - b);
  const totalMs = times.reduce((sum, ms) => sum + ms, 0);
  return { fps: (1000 * times.length) / totalMs, p95Ms: sorted[Math.floor(sorted.length * 0.95)]! };
}

async function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stdout)) {
    const address = /http:\/\/127\.0\.0\.1:\d+\/\?code=\S+/.exec(line)?.[0];
    if (address) return address;
  }
  throw new Error('The web host ended before it printed its address: run "npm run build" first');
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
