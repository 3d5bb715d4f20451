import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import type { Studio } from './studio.ts';

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

/** Opens the text of the lens that most workspaces of the specs have, and adds to it as a user would. */
export async function typeAtEndOfHarbor(page: Page, text: string): Promise<void> {
  await page.getByRole('treeitem', { name: 'Harbor' }).click();
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(text);
}

/** Every place of the page at which axe finds a rule broken; a part that is not ours can be left out. */
function accessProblems(page: Page, without?: string): Promise<string[]> {
  const axe = axeFor(page);
  return problemsOf(without === undefined ? axe : axe.exclude(without));
}

function axeFor(page: Page): AxeBuilder {
  // Electron has one page only, and axe's other mode opens a second.
  return new AxeBuilder({ page }).setLegacyMode(true);
}

async function problemsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id} at ${target.join(' ')}: ${html}`),
  );
}

export async function expectAccessible(page: Page, without?: string): Promise<void> {
  // Half-way between two colours, as a button that is just enabled, no contrast holds: what stays is the page's.
  await expect.poll(() => accessProblems(page, without), { timeout: 60_000, intervals: [500] }).toEqual([]);
}

/** What the system can ask for; the page follows at once, whatever is open in it. */
const looks = {
  dark: { colorScheme: 'dark', contrast: 'no-preference' },
  'high-contrast': { colorScheme: 'light', contrast: 'more' },
  light: { colorScheme: 'light', contrast: 'no-preference' },
} as const;

/**
 * Holds what is shown to every rule, and to those about colours again in the other looks, and keeps a picture of each.
 * The desktop is looked at in one: its pages and colours are those of the web.
 */
export async function expectAccessibleInEveryLook({ page, host }: Studio, name: string): Promise<void> {
  await expectAccessible(page);
  if (host === 'desktop') return keepPicture(page, name);
  for (const [look, media] of Object.entries(looks)) {
    // Without motion: half-way between two colours, neither contrast holds.
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    const colours = (): Promise<string[]> =>
      problemsOf(axeFor(page).withRules(['color-contrast', 'link-in-text-block']));
    // The editor and the graph hear of it a moment after the page.
    const message = `${name} in the ${look} look`;
    if (look !== 'light') await expect.poll(colours, { message, timeout: 60_000 }).toEqual([]);
    await keepPicture(page, `${name}-${look}`);
  }
  await page.emulateMedia({ reducedMotion: null });
}

/** Keeps what is shown beside the results of the test that runs, for people to look at. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: test.info().outputPath(`${name}.png`), animations: 'disabled' });
}

/** Keeps what is shown at both sizes it is designed for, and holds the foot of the page to be in view. */
export async function keepPicturesOfBothSizes({ page, host }: Studio, name: string): Promise<void> {
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    // An Electron window is as large as its screen lets it be.
    if (host === 'web') await page.setViewportSize({ width, height });
    await expect(page.getByRole('button', { name: 'Settings' })).toBeInViewport({ ratio: 1 });
    await keepPicture(page, `${name}-${width}`);
  }
}
