import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, runButton } from '../page.ts';
import { expect, test } from '../studio.ts';

const lens = `metadata: { name: Harbor log, version: 1.0.0 }
skills:
  - name: count-boats
    description: Counts the boats
    produces: [boats]
    files: [boats.txt]
    scripts:
      - name: count.sh
        content: |
          grep -c . boats.txt
`;
const fixtures = `- name: counts every boat
  skill: count-boats
  expected: { contains: "2" }
- name: expects one boat too many
  skill: count-boats
  expected:
    outputs: { boats: "three boats" }
`;
const lensOnly = { 'log.lens': lens, 'boats.txt': 'Ada\nGrace\n' };

test.use({ files: { ...lensOnly, 'tests/fixtures.yaml': fixtures } });

const panel = (page: Page): Locator => page.getByRole('tabpanel');
const panelTab = (page: Page, name: RegExp): Locator =>
  page.getByRole('tablist', { name: 'Panel' }).getByRole('tab', { name });
const rows = (page: Page): Locator => page.getByRole('list', { name: 'Fixtures' }).getByRole('button');
const tools = (page: Page): Locator => page.getByRole('group', { name: 'Tests', exact: true });
const button = (page: Page, name: string): Locator => tools(page).getByRole('button', { name });

async function openTests(page: Page): Promise<void> {
  await page.getByRole('treeitem', { name: 'Harbor log' }).click();
  await expect(runButton(page)).toHaveText('Run 1', { timeout: 15_000 });
  await page.keyboard.press('Alt+t');
  await expect(panelTab(page, /^Tests/)).toHaveAttribute('aria-selected', 'true');
}

async function saveRun(page: Page, name: string): Promise<Locator> {
  await panel(page).getByRole('button', { name: 'Save as fixture…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save the run as a fixture' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('For').selectOption('count-boats');
  await dialog.getByRole('button', { name: 'Save' }).click();
  return dialog;
}

test('fixtures are tried, and a failed one shows what came instead', async ({ studio: { page } }) => {
  await openTests(page);
  await expect(rows(page)).toHaveText([/counts every boat\s*not run/, /expects one boat too many\s*not run/]);
  await expect(tools(page).getByRole('status')).toHaveText('2 fixtures, not run yet');
  await button(page, 'Run all').click();
  await expect(tools(page).getByRole('status')).toHaveText('1 of 2 passed', { timeout: 30_000 });
  await expect(rows(page)).toHaveText([/counts every boat\s*passed/, /expects one boat too many\s*failed/]);
  await expect(panelTab(page, /^Tests/)).toHaveText(/Tests\s*1/);
  await rows(page).first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(1)).toBeFocused();
  const detail = page.getByRole('group', { name: 'Fixture expects one boat too many' });
  const failed = detail.getByRole('listitem').filter({ hasText: 'Output boats' });
  await expect(failed).toContainText('failed');
  await expect(failed.getByRole('definition').first()).toContainText('three boats');
  await expect(failed.getByRole('definition').nth(1)).toContainText('2');
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'fixtures.yaml:4' }).click();
  await expect(page.getByRole('tab', { name: /fixtures.yaml/ })).toHaveAttribute('aria-selected', 'true');
});

test('a run becomes a fixture that passes alone', async ({ studio: { page, workspace } }) => {
  await openTests(page);
  await runButton(page).click();
  await expect(runButton(page)).toHaveText('Run · skip 1', { timeout: 30_000 });
  const dialog = await saveRun(page, 'counts every boat');
  await expect(dialog.getByRole('alert')).toContainText('has one of this name');
  await expectAccessible(page);
  await dialog.getByLabel('Name').fill('counts as in the run');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toContainText('“counts as in the run” is written to tests/fixtures.yaml');
  expect(await readFile(join(workspace, 'tests/fixtures.yaml'), 'utf8')).toContain('counts as in the run');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Show the tests' }).click();
  await expect(rows(page).nth(2)).toHaveAttribute('aria-current', 'true');
  await button(page, 'Run this one').click();
  await expect(rows(page).nth(2)).toHaveText(/counts as in the run\s*passed/, { timeout: 30_000 });
  await expect(tools(page).getByRole('status')).toHaveText('1 of 1 passed · 2 not run');
});

test('errors of the fixtures lead to their place, and go when they are mended', async ({
  studio: { page, workspace },
}) => {
  await openTests(page);
  const file = join(workspace, 'tests/fixtures.yaml');
  await writeFile(file, fixtures.replace('skill: count-boats', 'skill: count-goats'));
  const problems = page.getByRole('list', { name: 'Problems of the fixtures' });
  await expect(problems).toContainText('count-goats');
  await expect(button(page, 'Run all')).toBeDisabled();
  await expectAccessible(page);
  await writeFile(file, fixtures);
  await expect(problems).toBeHidden();
  await expect(button(page, 'Run all')).toBeEnabled();
  await writeFile(file, fixtures.replace('skill: count-boats', 'skill: count-goats'));
  await problems.getByRole('button', { name: /^fixtures.yaml:2/ }).click();
  await expect(page.getByRole('tab', { name: /fixtures.yaml/ })).toHaveAttribute('aria-selected', 'true');
});

test.describe('a skill that takes long', () => {
  test.use({
    files: { ...lensOnly, 'tests/fixtures.yaml': fixtures, 'log.lens': `${lens}          sleep 50\n` },
  });

  test('its fixture is cancelled', async ({ studio: { page } }) => {
    await openTests(page);
    await button(page, 'Run all').click();
    await expect(rows(page).first()).toHaveText(/running/, { timeout: 15_000 });
    await button(page, 'Cancel').click();
    await expect(rows(page).first()).toHaveText(/cancelled/);
    await expect(button(page, 'Run all')).toBeEnabled();
  });
});

test.describe('a lens without fixtures', () => {
  test.use({ files: lensOnly });

  test('says how to get one, and the first run makes it', async ({ studio: { page } }) => {
    await openTests(page);
    await expect(panel(page)).toContainText('This lens has no fixtures');
    await expect(panel(page)).toContainText('tests/fixtures.yaml');
    await expectAccessible(page);
    await runButton(page).click();
    await expect(runButton(page)).toHaveText('Run · skip 1', { timeout: 30_000 });
    await panelTab(page, /^Tests/).click();
    const dialog = await saveRun(page, 'the first');
    await dialog.getByRole('button', { name: 'Open the file' }).click();
    await expect(page.locator('.monaco-editor').first()).toContainText('the first', { timeout: 20_000 });
  });
});
