// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';
import { ensureBuild } from './lib/build.mjs';
import { findChromium } from './lib/find-chromium.mjs';

// Draws the pictures of the README into docs/images: the sample after an edit of a script, its run, and a problem in its lens.
const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'harbor-'));
const workspace = path.join(folder, 'harbor-api');
cpSync(path.join(root, 'resources/sample'), workspace, { recursive: true });
ensureBuild();

const words = ['studio', workspace, '--web', '--no-open', '--port', '0'];
const server = spawn(process.execPath, [path.join(root, 'dist/cli.cjs'), ...words], {
  env: { ...process.env, SUNWELL_HOME: path.join(folder, 'home') },
});
const executablePath = findChromium();
const browser = await chromium.launch({
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  ...(executablePath !== undefined && { executablePath }),
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  await page.goto(await addressOf(server));
  const run = page.getByRole('group', { name: 'Run', exact: true }).getByRole('button', { name: /^Run/ });
  /** @param {string | RegExp} name */
  const panel = (name) => page.getByRole('tablist', { name: 'Panel' }).getByRole('tab', { name }).click();
  /** @param {string} name */
  const draw = async (name) => {
    await page.mouse.move(640, 790);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: path.join(root, 'docs/images', `${name}.png`), animations: 'disabled' });
  };

  await page.getByRole('treeitem', { name: 'Harbor docs' }).click();
  await run.filter({ hasText: 'Run 8' }).click();
  await run.filter({ hasText: 'skip 8' }).waitFor();
  edit('scripts/extract-api.py', 'import ast', 'import ast\nimport re');
  await run.filter({ hasText: 'Run 1' }).waitFor();
  await panel('Plan');
  await page.getByRole('group', { name: /^extract-api, / }).click();
  await draw('plan-light');

  await page.emulateMedia({ colorScheme: 'dark' });
  await run.click();
  await run.filter({ hasText: 'skip 8' }).waitFor();
  await panel('Timeline');
  await draw('run-dark');

  edit('lenses/harbor-docs.lens', 'depends_on: [list-sources]', 'depends_on: [list-source]');
  await panel('Problems');
  await page
    .getByRole('button', { name: /which does not exist/ })
    .first()
    .click();
  await page.locator('.monaco-editor .squiggly-error').first().waitFor();
  await draw('problems-dark');
} finally {
  await browser.close();
  const ended = once(server, 'exit');
  server.kill();
  // It writes to the folder until it has ended.
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

/**
 * @param {string} file
 * @param {string} old
 * @param {string} text
 */
function edit(file, old, text) {
  const at = path.join(workspace, file);
  writeFileSync(at, readFileSync(at, 'utf8').replace(old, text));
}

/** @param {import('node:child_process').ChildProcessWithoutNullStreams} started */
async function addressOf(started) {
  for await (const line of createInterface(started.stdout)) {
    const address = /http:\/\/127\.0\.0\.1:\d+\/\?code=\S+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error('The web host ended before it printed its address');
}
