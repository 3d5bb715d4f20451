import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, runButton, runCommand } from '../page.ts';
import { expect, test } from '../studio.ts';

declare global {
  /** In Electron's main process: what the taskbar was told. */
  var shownProgress: number[];
}

const tour = (page: Page): Locator => page.getByRole('dialog').filter({ hasText: / of 5/ });
const runBar = (page: Page): Locator => page.getByRole('group', { name: 'Run', exact: true });
const treeItem = (page: Page, name: string | RegExp): Locator => page.getByRole('treeitem', { name });
const inspector = (page: Page): Locator => page.getByRole('region', { name: 'Inspector' });

test.describe('the first start', () => {
  test.use({ startsOnSample: true });

  test('opens the sample with the tour, which is taken by keyboard and does not come again', async ({
    studio: { page },
  }) => {
    await expect(page.getByRole('tab', { name: 'harbor-docs.lens' })).toBeVisible();
    await expect(tour(page)).toHaveAccessibleName('The plan comes first');
    await expect(tour(page)).toHaveAccessibleDescription(/Before anything runs/);
    await expect(tour(page).getByRole('button', { name: 'Next' })).toBeFocused();
    await expect(runButton(page)).toHaveText('Run 8');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(tour(page)).toHaveAccessibleName('Run says what will happen');
    await expect(tour(page).getByRole('button', { name: 'Next' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await expect(tour(page)).toContainText('2 of 5');
    for (let i = 0; i < 3; i++) await page.keyboard.press('Enter');
    await expect(tour(page)).toHaveAccessibleName('Nothing gets lost');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(tour(page)).toHaveCount(0);
    await page.reload();
    await expect(treeItem(page, /Harbor docs/)).toBeVisible();
    await expect(tour(page)).toHaveCount(0);
    await runCommand(page, 'Take the tour');
    await expect(tour(page).getByRole('button', { name: 'Next' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(tour(page)).toHaveCount(0);
  });

  test('the tour leaves Run free, and everything runs beside it', async ({ studio: { page } }) => {
    await expect(tour(page)).toBeVisible();
    for (let step = 1; step <= 5; step++) {
      await expect(tour(page)).toContainText(`${step} of 5`);
      await expect
        .poll(async () => overlap(await tour(page).boundingBox(), await runBar(page).boundingBox()))
        .toBe(false);
      if (step < 5) await tour(page).getByRole('button', { name: 'Next' }).click();
    }
    await runButton(page).click();
    await expect(runButton(page)).toHaveText('Run · skip 8', { timeout: 30_000 });
    await expect(tour(page)).toBeVisible();
    await tour(page).getByRole('button', { name: 'End the tour' }).click();
    await expect(tour(page)).toHaveCount(0);
  });
});

type Box = { x: number; y: number; width: number; height: number } | null;

function overlap(a: Box, b: Box): boolean {
  if (!a || !b) return true;
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

const sample = join(import.meta.dirname, '../../resources/sample');
const files = Object.fromEntries(
  readdirSync(sample, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(sample.length + 1), readFileSync(path, 'utf8')]),
);

test.describe('a workspace', () => {
  test.use({ files });

  test('a named workspace opens without the tour', async ({ studio: { page } }) => {
    await expect(page.getByRole('tab', { name: 'harbor-docs.lens' })).toBeVisible();
    await expect(runButton(page)).toHaveText('Run 8');
    await expect(tour(page)).toHaveCount(0);
  });

  test(
    'a new lens from a template is written and runs; bad names get a sentence',
    { tag: '@page' },
    async ({ studio: { page, workspace } }) => {
      await runCommand(page, 'New lens…');
      const dialog = page.getByRole('dialog', { name: 'New lens' });
      await dialog.getByRole('radio', { name: /Gather, check, report/ }).check();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Open ends');
      const file = dialog.getByLabel('File in this workspace');
      await expect(file).toHaveValue('lenses/open-ends.lens');
      await expectAccessible(page);
      await file.fill('../open-ends.lens');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect(dialog.getByRole('alert')).toContainText('it leaves the workspace');
      await file.fill('lenses/harbor-docs.lens');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect(dialog.getByRole('alert')).toContainText('a file of this name is there already');
      expect(await readFile(join(workspace, 'lenses/harbor-docs.lens'), 'utf8')).toBe(
        files['lenses/harbor-docs.lens'],
      );
      await file.fill('lenses/open-ends.lens');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(treeItem(page, /^Open ends/)).toBeVisible();
      await expect(runButton(page)).toHaveText('Run 3');
      await runButton(page).click();
      await expect(runButton(page)).toHaveText('Run · skip 3', { timeout: 30_000 });
      await page.getByRole('tablist', { name: 'Panel' }).getByRole('tab', { name: 'Changes' }).click();
      await expect(page.getByRole('list', { name: 'Proposed files' })).toContainText('open-ends.md');
    },
  );

  test(
    'inputs are asked for with what the lens says of them, checked, and remembered',
    { tag: '@page' },
    async ({ studio: { page } }) => {
      await runCommand(page, 'New lens…');
      const dialog = page.getByRole('dialog', { name: 'New lens' });
      await dialog.getByRole('radio', { name: /Ask first/ }).check();
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Search');
      await page.keyboard.press('Enter');
      await expect(dialog).toHaveCount(0);
      await expect(runButton(page)).toContainText('blocked');
      await runButton(page).click();
      const form = page.getByRole('dialog', { name: 'Inputs of this run' });
      await expect(form).toContainText('What to look for');
      await expect(form.getByLabel(/^ignore_case/)).toHaveAttribute('placeholder', 'true (the default)');
      await form.getByLabel(/^ignore_case/).fill('perhaps');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(form.getByLabel(/^words/)).toBeFocused();
      await expect(form.getByLabel(/^words/)).toHaveAccessibleDescription(/Needed/);
      await expect(form.getByLabel(/^words/)).toHaveAttribute('aria-required', 'true');
      await form.getByLabel(/^words/).fill('berth');
      await form.getByRole('button', { name: 'Run' }).click();
      await expect(form).toContainText('Type true or false');
      await expect(form.getByLabel(/^ignore_case/)).toBeFocused();
      await expectAccessible(page);
      await form.getByLabel(/^ignore_case/).fill('false');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(runButton(page)).toHaveText('Run · skip 1', { timeout: 30_000 });
      await page.reload();
      await treeItem(page, /^Search/).click();
      await runButton(page).click();
      await expect(form.getByLabel(/^words/)).toHaveValue('berth');
    },
  );

  test('the explorer is searched by name, domain and tag, and every action has a key and a line in the menu', async ({
    studio: { page },
  }) => {
    const filter = page.getByRole('searchbox', { name: 'Filter the explorer' });
    await expect(treeItem(page, /^Harbor docs/)).toContainText('8 stale');
    await filter.fill('domain:docum tag:writing');
    await expect(treeItem(page, /^Tech writer/)).toBeVisible();
    await expect(treeItem(page, /^Harbor docs/)).toHaveCount(0);
    await filter.fill('tag:nothing');
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await filter.fill('');
    await treeItem(page, /^Tech writer/).click({ button: 'right' });
    const menu = page.getByRole('menu', { name: 'Do with Tech writer' });
    await expect(menu.getByRole('menuitem')).toHaveText([
      /^Open\s*Enter$/,
      /^Open as YAML\s*Alt Enter$/,
      /^Run\s*Shift Enter$/,
      /^Show its problems\s*Alt P$/,
      /^Copy path\s*(Ctrl|⌘) C$/,
    ]);
    await expectAccessible(page);
    await menu.getByRole('menuitem', { name: /^Open as YAML/ }).click();
    await expect(page.getByRole('tab', { name: 'tech-writer.lens' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await expect(page.getByRole('button', { name: 'YAML', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await treeItem(page, /^Harbor docs/).focus();
    await page.keyboard.press('Shift+Enter');
    await expect(treeItem(page, /^Harbor docs/)).not.toContainText('stale', { timeout: 30_000 });
    await expect(page.getByRole('tab', { name: 'harbor-docs.lens' })).toHaveAttribute(
      'aria-selected',
      'true',
    );
  });

  test(
    'the inspector tells how a skill went before and what it did in the sandbox',
    { tag: '@page' },
    async ({ studio: { page } }) => {
      await runButton(page).click();
      await expect(runButton(page)).toHaveText('Run · skip 8', { timeout: 30_000 });
      await runButton(page).click();
      await expect(runButton(page)).toHaveText('Run · skip 8', { timeout: 30_000 });
      await page.locator('.svelte-flow__node', { hasText: 'write-reference' }).click();
      const past = inspector(page).getByRole('button', { name: /(ran|cached), / });
      await expect(past).toHaveCount(2);
      await expect(past.nth(0)).toHaveAccessibleName(/ran, took/);
      await expect(past.nth(1)).toHaveAccessibleName(/cached, saved/);
      await past.nth(0).click();
      await expect(inspector(page).getByRole('heading', { name: 'Did in the sandbox' })).toBeVisible();
      await expect(inspector(page)).toContainText('no files');
      await expectAccessible(page);
    },
  );

  test('title and taskbar tell how far a run is', async ({ studio: { page, workspace, app } }) => {
    await writeFile(join(workspace, 'scripts/list-docs.py'), 'import time\ntime.sleep(600)\n');
    await app?.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      globalThis.shownProgress = [];
      if (window) window.setProgressBar = (value) => void globalThis.shownProgress.push(value);
    });
    const shown = (): Promise<number[]> | undefined => app?.evaluate(() => globalThis.shownProgress);
    await expect(runButton(page)).toHaveText('Run 8');
    await runButton(page).click();
    await expect(page).toHaveTitle(/^Running [1-7] of 8 · workspace-/, { timeout: 30_000 });
    if (app) await expect.poll(async () => (await shown())?.at(-1)).toBeGreaterThan(0);
    await runBar(page).getByRole('button', { name: 'Stop' }).click();
    await expect(page).toHaveTitle(/^workspace-/);
    if (app) await expect.poll(async () => (await shown())?.at(-1)).toBe(-1);
  });
});
