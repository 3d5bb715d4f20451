import type { Locator, Page } from '@playwright/test';
import { diskWorld } from '../world.ts';
import { expectAccessible, keepPicturesOfBothSizes, runCommand } from '../page.ts';
import { expect, test } from '../studio.ts';
import type { Studio } from '../studio.ts';

const lens = 'lenses/harbor.lens';
const library = 'skills/team.yaml';
const tests = 'lenses/tests/harbor.fixtures.yaml';

test.use({
  files: {
    [lens]: [
      'metadata: {name: Harbor, version: 1.0.0}',
      'router:',
      '  shortcuts: {"::m": moor}',
      'skill_sources: [../skills/team.yaml]',
      'skills:',
      '  - name: read-charts',
      '    description: Reads the charts',
      '    instructions: Read them',
      '  - name: plan-route',
      '    description: Plans the route',
      '    depends_on: [read-charts, moor]',
      '    scripts:',
      '      - name: plan.py',
      '        content: |',
      '          print("plan")',
      '',
    ].join('\n'),
    [tests]: '- name: as drawn\n  skill: read-charts # the first\n',
    [library]: 'skills:\n  - name: moor\n    description: Ties up\n    instructions: Tie\n',
  },
});

const onDisk = ({ workspace }: Studio, file: string): Promise<string> =>
  diskWorld(workspace).readFile(workspace, file);
const tab = (page: Page, name: string | RegExp): Locator => page.getByRole('tab', { name });
const text = (page: Page): Locator => page.locator('.monaco-editor .view-lines').first();

async function showText(page: Page): Promise<void> {
  await page.getByRole('treeitem', { name: 'Harbor' }).click();
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await expect(text(page)).toContainText('read-charts');
}

/** Puts the cursor behind the first place of a text; by keys, because on a busy machine a find bar takes some for itself. */
async function goTo(page: Page, part: string): Promise<void> {
  const line = page.locator('.view-line', { hasText: part }).first();
  await line.click();
  const text = ((await line.textContent()) ?? '').replaceAll('\u00a0', ' ');
  await page.keyboard.press('End');
  for (let i = text.indexOf(part) + part.length; i < text.length; i++) await page.keyboard.press('ArrowLeft');
}

test('offers the names of skills while one is typed', async ({ studio: { page } }) => {
  await showText(page);
  await goTo(page, '[read-charts, moor');
  await page.keyboard.type(', ');
  const suggestions = page.locator('.suggest-widget .monaco-list-row');
  await expect(suggestions.filter({ hasText: 'sunwell/common:count-words' })).toBeVisible();
  await page.keyboard.type('sunwell/common:read-te');
  await expect(suggestions.first()).toContainText('sunwell/common:read-text');
  await page.keyboard.press('Enter');
  await expect(text(page)).toContainText('moor, sunwell/common:read-text]');
});

test('offers the keys of a skill and tells what they mean', async ({ studio: { page } }) => {
  await showText(page);
  await goTo(page, 'Reads the charts');
  await page.keyboard.press('Enter');
  await page.keyboard.type('trus');
  const first = page.locator('.suggest-widget .monaco-list-row').first();
  await expect(first).toContainText('trust');
  await page.keyboard.press('Enter');
  await expect(first).toContainText('full');
  await page.keyboard.type('none');
  await expect(first).toContainText('none');
  // Written in full, a name is not put once more: the key means what it means elsewhere.
  await page.keyboard.press('Enter');
  await page.keyboard.type('timeout: 3');
  await expect(page.locator('.view-line', { hasText: 'trust: none' })).toHaveText(/^\s*trust:\s+none$/);
  await page.keyboard.press('Escape');
  await page.locator('.view-line', { hasText: 'depends_on' }).getByText('depends_on').hover();
  await expect(page.locator('.monaco-hover:not(.hidden)')).toContainText('Skills that run before');
});

test('renames a skill in every file, and one undo takes it back everywhere', async ({ studio }) => {
  const { page } = studio;
  await showText(page);
  await goTo(page, '"::m": moo');
  await page.keyboard.press('F2');
  const box = page.locator('.rename-box input');
  await expect(box).toHaveValue('moor');
  await box.fill('tie-up');
  await box.press('Enter');
  await expect(text(page)).toContainText('{"::m": tie-up}');
  await expect(text(page)).toContainText('[read-charts, tie-up]');
  await expect(tab(page, /team\.yaml.*not saved/)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+S');
  await tab(page, /team\.yaml/).click();
  await page.keyboard.press('ControlOrMeta+S');
  await expect(tab(page, /not saved/)).toHaveCount(0);
  expect(await onDisk(studio, lens)).toContain('depends_on: [read-charts, tie-up]');
  expect(await onDisk(studio, library)).toContain('- name: tie-up');
  await expect(page.getByText('0 problems').or(page.getByText('No problems'))).toBeVisible();

  await tab(page, 'harbor.lens').click();
  await text(page).click();
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(text(page)).toContainText('[read-charts, moor]');
  await expect(tab(page, /team\.yaml.*not saved/)).toBeVisible();
  await tab(page, /team\.yaml/).click();
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await expect(text(page)).toContainText('name: moor');
});

test('goes from fixtures to the skill that they try, and renames it from there', async ({
  studio: { page },
}) => {
  await showText(page);
  await page.keyboard.press('ControlOrMeta+P');
  await page.getByRole('dialog').getByRole('combobox').fill('harbor.fixtures');
  await page.getByRole('option', { name: 'harbor.fixtures.yaml' }).click();
  await expect(text(page)).toContainText('# the first');
  await goTo(page, 'skill: read-char');
  await page.keyboard.press('F12');
  await expect(tab(page, /harbor\.lens/)).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('Ln 6, Col')).toBeVisible();
  await tab(page, /harbor\.fixtures/).click();
  await goTo(page, 'skill: read-char');
  await page.keyboard.press('F2');
  const box = page.locator('.rename-box input');
  await expect(box).toHaveValue('read-charts');
  await box.fill('study-charts');
  await box.press('Enter');
  await expect(text(page)).toContainText('skill: study-charts # the first');
  await tab(page, /harbor\.lens/).click();
  await expect(text(page)).toContainText('depends_on: [study-charts, moor]');
});

test('says why a name cannot be used', async ({ studio: { page } }) => {
  await showText(page);
  await goTo(page, 'name: plan-rou');
  await page.keyboard.press('F2');
  const box = page.locator('.rename-box input');
  await box.fill('moor');
  await box.press('Enter');
  await expect(page.getByText(/already has a skill "moor"/).first()).toBeVisible();
  await expect(text(page)).toContainText('name: plan-route');
});

test('goes to a definition in another file and lists what names it', async ({ studio: { page } }) => {
  await showText(page);
  await goTo(page, 'charts, moo');
  await page.keyboard.press('F12');
  await expect(tab(page, /team\.yaml/)).toHaveAttribute('aria-selected', 'true');
  await expect(text(page)).toContainText('name: moor');
  await expect(page.getByText('Ln 2, Col')).toBeVisible();
  await page.keyboard.press('Shift+F12');
  await expect(page.locator('.zone-widget .ref-tree')).toContainText('harbor.lens');
  await expect(page.locator('.zone-widget .ref-tree')).toContainText('team.yaml');
  await page.keyboard.press('Escape');
});

test('outlines the text beside it: follows the cursor, walks by keys, goes there, also while the text is broken', async ({
  studio,
}) => {
  const { page } = studio;
  await showText(page);
  const outline = page.getByRole('tree', { name: 'Outline of harbor.lens' });
  const row = (name: string): Locator => outline.getByRole('treeitem', { name });
  await expect(row('plan.py')).toBeVisible();
  await goTo(page, 'Plans the rou');
  await expect(row('plan-route')).toHaveAttribute('aria-selected', 'true');
  if (studio.host === 'web') {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await keepPicturesOfBothSizes(studio, `outline-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  }
  await expectAccessible(page);

  await page.keyboard.press('Alt+O');
  await expect(outline).toHaveCount(0);
  const head = page.getByRole('button', { name: 'Outline' });
  await expect(head).toHaveAttribute('aria-expanded', 'false');
  await head.press('Enter');
  await expect(head).toBeFocused();
  await head.press('Enter');
  await expect(head).toBeFocused();
  await expect(outline).toHaveCount(0);
  await runCommand(page, 'Show or hide the outline');
  await expect(row('plan-route')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(row('read-charts')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ln 6, Col')).toBeVisible();
  await expect(row('read-charts')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('[chart-reader');
  await expect(page.locator('.view-line', { hasText: 'chart-reader' })).toBeVisible();
  await expect(row('skills')).toBeVisible();
  await expect(row('read-charts')).toHaveCount(0);
  await expect(row('router')).toBeVisible();
});

test('compares with what is saved', async ({ studio: { page } }) => {
  await showText(page);
  await goTo(page, 'Plans the rout');
  await page.keyboard.type('e by the charts');
  await runCommand(page, 'Compare with saved');
  await expect(page.locator('.monaco-diff-editor .editor.original')).toContainText('Plans the route');
  await expect(page.locator('.monaco-diff-editor .editor.modified')).toContainText('by the charts');
  await page.getByRole('button', { name: 'Stop comparing' }).click();
  await expect(page.locator('.monaco-diff-editor')).toHaveCount(0);
  await runCommand(page, 'Compare with the last commit');
  await expect(page.getByText(/in no git repository/).first()).toBeVisible();
});

test('opens the block at the cursor from the palette, and takes a typed question mark as text', async ({
  studio: { page },
}) => {
  await showText(page);
  await goTo(page, 'print("plan');
  await page.keyboard.type('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await runCommand(page, 'Edit block in its own language');
  await expect(page.getByRole('dialog').locator('.view-lines')).toContainText('print("plan?');
});

test('edits a script in an editor of its own, as one step', async ({ studio: { page } }) => {
  await showText(page);
  await goTo(page, 'print("plan');
  await page.keyboard.press('ControlOrMeta+.');
  await page.getByText('Edit "plan-route · plan.py" in an editor of its own').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('.view-lines')).toContainText('print("plan")');
  await dialog.locator('.view-lines').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('import json\nprint("route")\n');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(text(page)).toContainText('import json');
  await text(page).click();
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(text(page)).toContainText('print("plan")');
  await expect(text(page)).not.toContainText('import json');
});

test('formats on request and keeps comments', async ({ studio }) => {
  const { page } = studio;
  await showText(page);
  await goTo(page, 'instructions: Read them');
  await page.keyboard.type('   # as they are   ');
  await page.keyboard.press('Shift+Alt+F');
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+S');
    expect(await onDisk(studio, lens)).toContain('instructions: Read them   # as they are\n');
  }).toPass();
});

test('the menu of the text covers what is below it @page', async ({ studio: { page } }) => {
  await showText(page);
  await text(page).click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Rename Symbol' })).toBeVisible();
  const colours = page
    .locator('.monaco-menu-container *')
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor));
  expect((await colours).some((colour) => colour.startsWith('rgb('))).toBe(true);
});
