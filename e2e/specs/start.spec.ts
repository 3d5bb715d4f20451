import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../studio.ts';

const tour = (page: Page): Locator => page.getByRole('dialog').filter({ hasText: / of 5/ });
const runBar = (page: Page): Locator => page.getByRole('group', { name: 'Run', exact: true });
const runButton = (page: Page): Locator => runBar(page).getByRole('button', { name: /^Run/ });
const treeItem = (page: Page, name: string | RegExp): Locator => page.getByRole('treeitem', { name });
const inspector = (page: Page): Locator => page.getByRole('region', { name: 'Inspector' });

async function command(page: Page, title: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+P');
  await page.getByRole('combobox').fill(title);
  await page.getByRole('option', { name: title }).first().click();
}

async function expectAccessible(page: Page): Promise<void> {
  // Electron has one page only, and axe's other mode opens a second.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .exclude('.monaco-editor')
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.target.join(' ')}`)).toEqual([]);
}

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
    await command(page, 'Take the tour');
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
