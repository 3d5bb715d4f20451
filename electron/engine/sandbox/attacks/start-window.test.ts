import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { bundle } from './bundle.ts';
import { startWindow } from './start-window.ts';

describe.runIf(process.platform === 'linux')('while a sandbox is built, rows 63 and 66', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-window-'));
  beforeAll(() => bundle(['testdata/starting-host'], folder), 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const [title, check] of Object.entries(startWindow))
    test(title, { timeout: 240_000 }, () => check({ rounds: 160, host: join(folder, 'starting-host.js') }));
});
