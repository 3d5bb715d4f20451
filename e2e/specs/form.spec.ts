import type { Locator, Page } from '@playwright/test';
import { diskWorld } from '../world.ts';
import { expectAccessible, keepPicture, runCommand } from '../page.ts';
import { expect, test } from '../studio.ts';

const text = (page: Page): Locator => page.locator('.monaco-editor .view-lines').first();

async function show(page: Page, view: 'Form' | 'YAML'): Promise<void> {
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: view, exact: true }).click();
  if (view === 'YAML') await expect(text(page)).toBeVisible();
}

async function showSection(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('navigation', { name: 'Parts of the form' }).getByRole('button', { name }).click();
}

const items = (page: Page, section: string): Locator =>
  page
    .getByRole('list', { name: section })
    .getByRole('listitem')
    .filter({ hasNotText: /^\s*Add / });

test('a field of the form is a piece of the text, and one undo takes it back from either', async ({
  studio: { page },
}) => {
  await show(page, 'Form');
  await showSection(page, /^Skills/);
  await items(page, 'Skills').filter({ hasText: 'read-charts' }).getByRole('button').click();
  const description = page.getByRole('textbox', { name: 'Description' });
  const before = await description.inputValue();
  await description.fill('Reads every chart');
  await keepPicture(page, 'form');
  await show(page, 'YAML');
  await expect(text(page)).toContainText('Reads every chart');
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(text(page)).not.toContainText('Reads every chart');
  await page.keyboard.press('ControlOrMeta+Shift+Z');
  await expect(text(page)).toContainText('Reads every chart');
  await show(page, 'Form');
  await expect(description).toHaveValue('Reads every chart');
  await description.focus();
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(description).toHaveValue(before);
});

test('skills are reordered by dragging them in their list, as one step of undo', async ({
  studio: { page },
}) => {
  await show(page, 'Form');
  await showSection(page, /^Skills/);
  const names = async (): Promise<string[]> =>
    (await items(page, 'Skills').allInnerTexts()).map((name) => name.trim());
  const before = await names();
  const moved = [...before.slice(1), before[0]];
  const skills = items(page, 'Skills');
  await skills.first().dragTo(skills.last());
  await expect.poll(names).toEqual(moved);
  await skills.last().dragTo(skills.first());
  await expect.poll(names).toEqual(before);
  await page.keyboard.press('ControlOrMeta+Z');
  await expect.poll(names).toEqual(moved);
  await page.keyboard.press('ControlOrMeta+Z');
  await expect.poll(names).toEqual(before);
});

test('skills are reordered by keyboard from their list and from their fields', async ({
  studio: { page },
}) => {
  await show(page, 'Form');
  await showSection(page, /^Skills/);
  const names = (): Promise<string[]> => items(page, 'Skills').allInnerTexts();
  const before = (await names()).map((name) => name.trim());
  await items(page, 'Skills').first().getByRole('button').click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect
    .poll(async () => (await names()).map((name) => name.trim()))
    .toEqual([before[1], before[0], ...before.slice(2)]);
  await page.getByRole('textbox', { name: 'Name' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(async () => (await names()).map((name) => name.trim())).toEqual(before);
});

test('a name is renamed by the key that saves, too, and a refusal stays with the item it is about @page', async ({
  studio: { page },
}) => {
  await show(page, 'Form');
  await showSection(page, /^Skills/);
  const skill = (name: string): Locator =>
    items(page, 'Skills').filter({ hasText: name }).getByRole('button');
  await skill('read-charts').click();
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Bad Name');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Cannot rename "read-charts"/)).toBeVisible();
  await skill('plan-route').click();
  await expect(page.getByText(/^Cannot rename/)).toBeHidden();
  await name.fill('plan-a-route');
  await page.keyboard.press('ControlOrMeta+S');
  await expect(skill('plan-a-route')).toBeVisible();
  await expect(page.getByText('Saved lenses/harbor.lens')).toBeAttached();
  await expect(page.getByRole('tab', { name: /not saved/ })).toBeHidden();
});

test('the form goes on while the text is broken, and says what it cannot read', async ({ studio }) => {
  const { page, workspace } = studio;
  await show(page, 'Form');
  await showSection(page, /^About/);
  await show(page, 'YAML');
  await text(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('broken: [1, 2');
  await page.keyboard.press('Enter');
  await show(page, 'Form');
  await expect(page.getByText(/Line 1 cannot be read/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('Still here');
  await keepPicture(page, 'broken');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show in the text' }).click();
  await expect(text(page)).toContainText('Still here');
  await page.keyboard.press('Shift+End');
  await page.keyboard.press('Delete');
  await page.keyboard.press('ControlOrMeta+S');
  await expect
    .poll(() => diskWorld(workspace).readFile(workspace, 'lenses/harbor.lens'))
    .toMatch(/^\r?\n[\s\S]*name: "?Still here/);
  await show(page, 'Form');
  await expect(page.getByText(/cannot be read/)).toHaveCount(0);
});

test('a lens gets items and lists without a line of YAML', async ({ studio: { page } }) => {
  await show(page, 'Form');
  await showSection(page, /^Personas/);
  await page.getByRole('button', { name: 'Add persona' }).first().click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Harbour master');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Add to goals' }).fill('Ships arrive');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Add to goals' })).toBeFocused();
  await page.keyboard.type('Nobody waits');
  await keepPicture(page, 'persona');
  await expectAccessible(page);
  await show(page, 'YAML');
  await page.keyboard.press('ControlOrMeta+End');
  for (const part of ['Harbour master', 'Ships arrive', 'Nobody waits']) {
    await expect(text(page)).toContainText(part);
  }
});

for (const theme of ['light', 'dark', 'high contrast']) {
  test(`the form is accessible in ${theme}`, async ({ studio: { page } }) => {
    await runCommand(page, `Theme: ${theme}`);
    await show(page, 'Form');
    await expectAccessible(page);
    await showSection(page, /^Skills/);
    await keepPicture(page, `form-${theme.replace(' ', '-')}`);
    await expectAccessible(page);
  });
}
