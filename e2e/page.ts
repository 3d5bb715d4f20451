import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

/** The button of the lens in front that starts its run and says how many skills will run. */
export const runButton = (page: Page): Locator =>
  page.getByRole('group', { name: 'Run', exact: true }).getByRole('button', { name: /^Run/ });

/** Runs a command as a user finds it: by its title, in the palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  const field = page.getByRole('dialog', { name: 'All commands' }).getByRole('combobox');
  // A page that is not drawn yet hears no keys.
  await expect(async () => {
    if (!(await field.isVisible())) await page.keyboard.press('ControlOrMeta+Shift+P');
    await expect(field).toBeVisible({ timeout: 2000 });
  }).toPass();
  await field.fill(title);
  await page.getByRole('option', { name: title }).first().click();
}

/** Every place of the page at which axe finds a rule broken; a part that is not ours can be left out. */
export async function accessProblems(page: Page, without?: string): Promise<string[]> {
  // Electron has one page only, and axe's other mode opens a second.
  const axe = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (without === undefined ? axe : axe.exclude(without)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id} at ${target.join(' ')}: ${html}`),
  );
}

export async function expectAccessible(page: Page, without?: string): Promise<void> {
  expect(await accessProblems(page, without)).toEqual([]);
}

/** Keeps what is shown beside the results of the test that runs, for people to look at. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: test.info().outputPath(`${name}.png`), animations: 'disabled' });
}
