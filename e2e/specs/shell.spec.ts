import type { Locator, Page } from '@playwright/test';
import { diskWorld } from '../world.ts';
import { expectAccessible, expectAccessibleInEveryLook, keepPicture, runCommand } from '../page.ts';
import { expect, test } from '../studio.ts';
import type { Studio } from '../studio.ts';

const file = 'lenses/harbor.lens';

const node = (page: Page, name: string): Locator => page.locator('.svelte-flow__node', { hasText: name });
const tab = (page: Page, name: string | RegExp): Locator => page.getByRole('tab', { name });
const entry = (page: Page, name: string): Locator => page.getByRole('treeitem', { name });
const onDisk = ({ workspace }: Studio): Promise<string> => diskWorld(workspace).readFile(workspace, file);
const writeOnDisk = ({ workspace, home }: Studio, text: string): Promise<void> =>
  diskWorld(home).writeFile(workspace, file, text);

async function showText(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await expect(page.locator('.monaco-editor .view-line').first()).toBeVisible();
}

/** Adds a line at the end of the text, as a user would. */
async function typeAtEnd(page: Page, text: string): Promise<void> {
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(text);
}

test('opens the sample with its first lens as a graph', async ({ studio: { page } }) => {
  await runCommand(page, 'Open the sample workspace');
  await expect(tab(page, 'harbor-docs.lens')).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.svelte-flow__node')).toHaveCount(8);
  await expect(page.getByRole('list', { name: 'Waves' }).getByRole('listitem')).toHaveCount(4);
  await keepPicture(page, 'sample');
});

test('a skill says what it depends on and leads there', { tag: '@page' }, async ({ studio: { page } }) => {
  await node(page, 'plan-route').click();
  const inspector = page.getByRole('region', { name: 'Inspector' });
  await expect(inspector.getByRole('heading', { name: 'plan-route' })).toBeVisible();
  await inspector.getByRole('button', { name: 'read-charts' }).click();
  await expect(inspector.getByRole('heading', { name: 'read-charts' })).toBeVisible();
  await expect(inspector.getByRole('button', { name: 'plan-route' })).toBeVisible();
});

test('typing shows in the graph, saving reaches the disk, undo survives a tab switch', async ({ studio }) => {
  const { page } = studio;
  await showText(page);
  await typeAtEnd(page, '    - name: cast-off');
  await expect(tab(page, /harbor\.lens.*not saved/)).toBeVisible();
  await page.getByRole('button', { name: 'Graph', exact: true }).click();
  await expect(node(page, 'cast-off')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+S');
  await expect(tab(page, /not saved/)).toHaveCount(0);
  expect(await onDisk(studio)).toContain('    - name: cast-off');

  await entry(page, 'skills/team.yaml').click();
  await tab(page, 'harbor.lens').click();
  await showText(page);
  await page.locator('.monaco-editor .view-lines').first().click();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ControlOrMeta+Z');
  await expect(page.locator('.monaco-editor')).not.toContainText('cast-off');
  await page.keyboard.press('ControlOrMeta+S');
  await expect(tab(page, /not saved/)).toHaveCount(0);
});

test('a clean file follows the disk, and new files appear', { tag: '@page' }, async ({ studio }) => {
  const { page } = studio;
  await expect(node(page, 'plan-route')).toBeVisible();
  await writeOnDisk(studio, (await onDisk(studio)).replaceAll('plan-route', 'plan-course'));
  await expect(node(page, 'plan-course')).toBeVisible();
  await diskWorld(studio.home).writeFile(studio.workspace, 'lenses/zebra.lens', 'lens:\n  skills: []\n');
  await expect(entry(page, 'zebra')).toBeVisible();
});

test('typed text and a change on disk meet in a conflict that loses neither', async ({ studio }) => {
  const { page } = studio;
  await showText(page);
  await typeAtEnd(page, '# mine');
  await writeOnDisk(studio, `${await onDisk(studio)}# theirs\n`);
  await expect(page.getByText('The file changed on disk')).toBeVisible();
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.locator('.monaco-diff-editor')).toContainText('# theirs');
  await expect(page.locator('.monaco-diff-editor')).toContainText('# mine');
  await expectAccessible(page);
  await keepPicture(page, 'conflict');
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect(page.getByText('The file changed on disk')).toHaveCount(0);
  await expect.poll(() => onDisk(studio)).toContain('# mine');

  await typeAtEnd(page, ' more');
  await writeOnDisk(studio, `# theirs again\n${await onDisk(studio)}`);
  await page.getByRole('button', { name: 'Reload from disk' }).click();
  await expect(page.locator('.monaco-editor')).toContainText('# theirs again');
  await expect(tab(page, /not saved/)).toHaveCount(0);
});

test.describe('with a byte order mark and Windows line ends', () => {
  test.use({ files: { [file]: '\uFEFFlens:\r\n  skills:\r\n    - name: moor\r\n' } });

  test('saving keeps both', { tag: '@page' }, async ({ studio }) => {
    const { page } = studio;
    await showText(page);
    await typeAtEnd(page, '# end');
    await page.keyboard.press('ControlOrMeta+S');
    await expect(tab(page, /not saved/)).toHaveCount(0);
    expect(await onDisk(studio)).toBe('\uFEFFlens:\r\n  skills:\r\n    - name: moor\r\n# end');
  });
});

test(
  'a file deleted under us keeps its text until the tab is closed',
  { tag: '@page' },
  async ({ studio }) => {
    const { page } = studio;
    await showText(page);
    await diskWorld(studio.workspace).removeFile(studio.workspace, file);
    await expect(page.getByText('The file was deleted')).toBeVisible();
    await expect(page.locator('.monaco-editor')).toContainText('read-charts');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Sunwell Studio' })).toBeVisible();
  },
);

test('the palette finds files, skills and commands by keyboard', async ({ studio: { page } }) => {
  await expect(node(page, 'read-charts')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+P');
  await page.keyboard.type('moor');
  await expect(page.getByRole('option', { name: 'moor' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(tab(page, 'team.yaml')).toHaveAttribute('aria-selected', 'true');
  await expect(
    page.getByRole('region', { name: 'Inspector' }).getByRole('heading', { name: 'moor' }),
  ).toBeVisible();
});

test('the explorer is walked and opened by keyboard', { tag: '@page' }, async ({ studio: { page } }) => {
  await expect(node(page, 'read-charts')).toBeVisible();
  await entry(page, 'Harbor').focus();
  await page.keyboard.press('End');
  await expect(entry(page, 'skills/team.yaml')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tab(page, 'team.yaml')).toHaveAttribute('aria-selected', 'true');
});

test('unsaved text is asked about before its tab closes', async ({ studio }) => {
  const { page } = studio;
  await showText(page);
  await typeAtEnd(page, '# mine');
  await runCommand(page, 'Close tab');
  const dialog = page.getByRole('dialog', { name: /Save harbor\.lens/ });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(tab(page, /not saved/)).toBeVisible();
  await runCommand(page, 'Close tab');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Sunwell Studio' })).toBeVisible();
  expect(await onDisk(studio)).toContain('# mine');
});

test('every place is accessible in every look', async ({ studio }) => {
  test.slow();
  const { page } = studio;
  await node(page, 'plan-route').click();
  await expectAccessibleInEveryLook(studio, 'graph');
  await showText(page);
  await expectAccessibleInEveryLook(studio, 'editor');
  await page.keyboard.press('ControlOrMeta+P');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'palette');
  await page.keyboard.press('Escape');
  await runCommand(page, 'Close tab');
  await runCommand(page, 'Show or hide the problems');
  await expect(page.getByRole('region', { name: 'Problems' })).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'start');
});

test('a theme is kept over a new start of the page', async ({ studio: { page } }) => {
  await runCommand(page, 'Theme: dark');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByRole('button', { name: 'Theme: Dark' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
