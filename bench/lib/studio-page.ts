import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';

/** Chromium as the measurements want it: with its memory told exactly. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['SUNWELL_CHROMIUM'] || '/usr/bin/chromium',
    args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
  });
}

/** Opens a workspace in a new page of a new host and ends both afterwards. Wants a build. */
export async function inStudioPage<T>(
  place: { readonly browser: Browser; readonly workspace: string; readonly home: string },
  measure: (page: Page) => Promise<T>,
): Promise<T> {
  const cli = join(import.meta.dirname, '../../dist/cli.cjs');
  const server = spawn(
    process.execPath,
    [cli, 'studio', place.workspace, '--web', '--no-open', '--port', '0'],
    { env: { ...process.env, SUNWELL_HOME: place.home }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const page = await place.browser.newPage({ viewport: { width: 1360, height: 860 } });
  try {
    const address = await addressOf(server);
    // The first address signs the browser in and is used up; the second opens the page that is measured.
    await page.goto(address);
    await page.goto(new URL('/?measure', address).href, { waitUntil: 'commit' });
    return await measure(page);
  } finally {
    await page.close();
    server.kill('SIGTERM');
  }
}

async function addressOf({ stdout, stderr }: Record<'stdout' | 'stderr', Readable>): Promise<string> {
  let said = '';
  stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for await (const line of createInterface(stdout)) {
    const address = /http:\/\/127\.0\.0\.1:\d+\/\?code=\S+/.exec(line)?.[0];
    if (address) return address;
  }
  throw new Error(`The web host ended before it printed its address: run "npm run build" first\n${said}`);
}

export interface Frames {
  readonly fps: number;
  readonly p95Ms: number;
}

export function framesOf(times: readonly number[]): Frames {
  const sorted = [...times].sort((a, b) => a - b);
  const totalMs = times.reduce((sum, ms) => sum + ms, 0);
  return { fps: (1000 * times.length) / totalMs, p95Ms: sorted[Math.floor(sorted.length * 0.95)]! };
}

export function medianOf<T>(samples: readonly T[], pick: (sample: T) => number): number {
  return samples.map(pick).sort((a, b) => a - b)[samples.length >> 1]!;
}
