import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { machineLine, table } from './lib/compare.ts';
import { footprint, openAndWait } from './lib/graph-page.mjs';
import { fillLog, scrollFrames, searchTimes, showRun } from './lib/log-page.mjs';
import { framesOf, inStudioPage, medianOf, startBrowser } from './lib/studio-page.ts';
import type { Frames } from './lib/studio-page.ts';

const repetitions = 3;
const lineCount = 100_000;

interface Sample {
  readonly live: Frames;
  readonly scroll: Frames;
  readonly searchMs: number;
  readonly heapBytes: number;
  readonly elements: number;
}

/** A run that printed a hundred thousand lines: frames while they come and while they are scrolled, search and memory. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-logs-'));
  const browser = await startBrowser();
  try {
    const workspace = join(folder, 'workspace');
    mkdirSync(workspace);
    writeFileSync(
      join(workspace, 'talk.lens'),
      `lens:
  metadata: { name: Talk, version: 1.0.0 }
  skills:
    - name: talk
      description: Talks
      type: inline
      scripts:
        - name: talk.sh
          language: bash
          content: echo first
`,
    );
    const samples: Sample[] = [];
    for (let i = 0; i < repetitions; i++) {
      samples.push(await inStudioPage({ browser, workspace, home: join(folder, `home-${i}`) }, inPage));
    }
    const frames = (pick: (sample: Sample) => Frames): string =>
      `${medianOf(samples, (s) => pick(s).fps).toFixed(0)} (${medianOf(samples, (s) => pick(s).p95Ms).toFixed(0)})`;
    const head = ['lines', 'live fps', 'scroll fps', 'search ms', 'heap MB', 'elements'];
    const row = [
      lineCount.toLocaleString('en'),
      ...[frames((s) => s.live), frames((s) => s.scroll)],
      medianOf(samples, (s) => s.searchMs).toFixed(0),
      (medianOf(samples, (s) => s.heapBytes) / 1e6).toFixed(0),
      medianOf(samples, (s) => s.elements).toFixed(0),
    ];
    console.log(`\nThe output of a run in headless Chromium, 1360 × 860, no GPU\n${table([head, row])}`);
    console.log(
      `Median of ${repetitions}; frames p95 in brackets. Live: 1,000 lines a second are added to those there. ` +
        `Search: from the typed letter to the found lines. Memory is what the lines add. ${machineLine()}`,
    );
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function inPage(page: Page): Promise<Sample> {
  await page.evaluate(openAndWait, 'Talk');
  await page.evaluate(showRun);
  const before = await page.evaluate(footprint);
  const live = framesOf(await page.evaluate(fillLog, lineCount));
  const scroll = framesOf(await page.evaluate(scrollFrames, 180));
  const searches = (await page.evaluate(searchTimes, ['e', 'er', 'err', 'erro', 'error 9'])).sort(
    (a, b) => a - b,
  );
  const after = await page.evaluate(footprint);
  const heapBytes = after.heapBytes - before.heapBytes;
  return { live, scroll, searchMs: searches.at(-1)!, heapBytes, elements: after.elements };
}
