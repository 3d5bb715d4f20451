import type { Page } from '@playwright/test';
import { expectAccessibleInEveryLook, runCommand } from '../page.ts';
import { expect, test } from '../studio.ts';

// On one host: pages and colours are the same on the other, and looking at all of them takes its time.

async function run(page: Page, command: string): Promise<void> {
  await runCommand(page, command);
  await expect(page.getByRole('combobox')).toHaveCount(0);
}

/** Levels of the headings that are shown, in the order in which they are read. */
function headingLevels(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('h1, h2, h3, h4')]
      .filter((heading) => heading.checkVisibility() && heading.closest('[aria-hidden="true"]') === null)
      .map(({ tagName }) => Number(tagName[1])),
  );
}

const pages = ['Show the history of runs', 'Show the cache', 'Show Agent Skills'];
const settings = ['Appearance', 'Keyboard', 'Models', 'Sandbox', 'Trust'];

test('every page and every setting is accessible in every look', async ({ studio }) => {
  test.setTimeout(300_000);
  const { page } = studio;
  await page.getByRole('treeitem', { name: 'Harbor' }).click();
  for (const command of pages) {
    await run(page, command);
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
    await expectAccessibleInEveryLook(studio, command);
    const levels = await headingLevels(page);
    const skipped = levels.filter((level, i) => level > (levels[i - 1] ?? 1) + 1);
    expect.soft([command, skipped]).toEqual([command, []]);
    await run(page, command);
  }
  await run(page, 'Settings');
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  for (const name of settings) {
    await dialog.getByRole('navigation').getByRole('button', { name, exact: true }).click();
    await expect(dialog.getByRole('region', { name })).toBeVisible();
    await expectAccessibleInEveryLook(studio, `Settings, ${name}`);
  }
  await page.keyboard.press('Escape');
  await run(page, 'New lens…');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'New lens');
});

test('a screen reader finds landmarks and is told, and a closed dialog gives the focus back', async ({
  studio: { page },
}) => {
  await page.getByRole('treeitem', { name: 'Harbor' }).click();
  for (const role of ['banner', 'navigation', 'main', 'contentinfo'] as const) {
    await expect(page.getByRole(role)).toHaveCount(1);
  }
  const entry = page.getByRole('treeitem', { name: 'Harbor' });
  await entry.focus();
  for (const [key, dialog] of [
    ['F1', 'Keyboard shortcuts'],
    ['ControlOrMeta+,', 'Settings'],
    ['ControlOrMeta+P', 'Search'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(entry).toBeFocused();
  }
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('# more');
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.locator('[aria-live]').filter({ hasText: 'Saved lenses/harbor.lens' })).toHaveCount(1);
});
