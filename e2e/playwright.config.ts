import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import type { StudioOptions } from './studio.ts';

const artifacts = join(import.meta.dirname, '../artifacts/e2e');

export default defineConfig<StudioOptions>({
  testDir: 'specs',
  outputDir: artifacts,
  workers: 2,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 60_000,
  // A second try in CI only, and printed as flaky: a window under Xvfb now and then does not answer.
  retries: process.env['CI'] ? 1 : 0,
  expect: { timeout: 10_000 },
  reporter: 'list',
  // Both hosts side by side, but never two windows on one display: they would take the focus from each other.
  projects: [
    { name: 'web', workers: 1, testIgnore: '**/desktop*.spec.ts', use: { hostKind: 'web' } },
    {
      name: 'desktop',
      workers: 1,
      testIgnore: '**/web*.spec.ts',
      // Colours are the page's own: the web host has looked at every theme.
      grepInvert: /accessible in (the )?(dark|high contrast)/,
      use: { hostKind: 'desktop' },
    },
  ],
});
