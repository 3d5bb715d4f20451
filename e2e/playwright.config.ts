import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import type { StudioOptions } from './studio.ts';

const artifacts = join(import.meta.dirname, '../artifacts/e2e');

/**
 * What a window adds to the page is its start and end, its channel, menus, clipboard, dialogs and files: every journey
 * through those runs on both hosts. These, and single tests with the tag "@page", stay in the page, which is the same.
 */
const pageOnly = [
  'agent-skills',
  'by-hand',
  'editor-language',
  'explorer',
  'log',
  'resolve',
  'tests',
  'verdicts',
].map((name) => `**/${name}.spec.ts`);

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
  // Both hosts side by side, but never two windows on one display: they would take the focus from each other. The
  // windows come first, as what is left of the web can then use both workers.
  projects: [
    {
      name: 'desktop',
      workers: 1,
      testIgnore: ['**/web*.spec.ts', ...pageOnly],
      // Colours are the page's own: the web host has looked at every theme.
      grepInvert: [/accessible in (the )?(dark|high contrast)/, /@page/],
      use: { hostKind: 'desktop' },
    },
    { name: 'web', testIgnore: '**/desktop*.spec.ts', use: { hostKind: 'web' } },
  ],
});
