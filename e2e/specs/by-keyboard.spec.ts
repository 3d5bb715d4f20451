import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../studio.ts';

test.use({
  files: {
    'docs/index.md': '# Harbor\n\nSee [berths](berths.md). TODO: more\n',
    'docs/berths.md': '# Berths\n\nOne each.\n',
  },
});
// Many dialogs: a busy machine needs more than a minute.
test.describe.configure({ timeout: 180_000 });

test('a lens is made, filled, connected, renamed, saved and run by keyboard alone', async ({
  studio: { page, workspace },
}) => {
  // Nothing here points, clicks or sets the focus: all that happens comes from keys.
  const { keyboard } = page;
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await keyboard.press(key);
  };
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const node = (name: string) => page.locator(`.svelte-flow__node[data-id="${name}"]`);
  const graph = page.getByRole('group', { name: 'Drawn graph' });

  await expect(page.getByRole('treeitem').or(page.getByText('No lenses')).first()).toBeVisible();
  await press('ControlOrMeta+Alt+n');
  await expect(dialog('New lens')).toBeVisible();
  await keyboard.type('Harbor check');
  await press('Tab', 'Tab', 'ArrowUp');
  await expect(dialog('New lens').getByRole('radio', { name: /^Empty/ })).toBeChecked();
  await press('Enter');
  await expect(page.getByText('No skills yet', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Document' })).toBeFocused();

  for (const [template, name] of [
    ['Summarize the pages', 'list-pages'],
    ['Check links', 'check-links'],
    ['Collect TODOs', 'collect-todos'],
  ] as const) {
    await press('ControlOrMeta+Shift+p');
    await keyboard.type('new skill');
    await expect(page.getByRole('option', { name: /New skill/ })).toBeVisible();
    await press('Enter');
    await expect(dialog('New skill')).toBeVisible();
    // The name has the focus; the templates stand before the languages, and those before it.
    const radio = dialog('New skill').getByRole('radio', { name: template });
    for (let i = 0; i < 6 && (await page.locator('[type="radio"]:focus').count()) === 0; i++)
      await press('Shift+Tab');
    for (let i = 0; i < 12 && !(await radio.isChecked()); i++) await press('ArrowDown');
    await expect(radio).toBeChecked();
    const field = dialog('New skill').getByRole('textbox', { name: 'Name', exact: true });
    for (let i = 0; i < 6 && (await field.evaluate((found) => found !== document.activeElement)); i++)
      await press('Tab');
    await press('ControlOrMeta+a');
    await keyboard.type(name);
    await press('Enter');
    await expect(dialog('New skill')).toBeHidden();
    await expect(node(name)).toBeVisible();
  }

  // The graph has the focus: arrows walk, letters edit.
  await expect(graph).toBeFocused();
  await press('Home');
  const focused = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset['id']);
  for (let i = 0; i < 3 && (await focused()) !== 'list-pages'; i++) await press('ArrowDown');
  await expect(node('list-pages')).toBeFocused();
  await press('c');
  await expect(dialog('Connect list-pages to…')).toBeVisible();
  await keyboard.type('collect');
  await press('Enter');
  await expect(dialog('Connect list-pages to…')).toBeHidden();
  await expect(page.getByText('Wave 2')).toBeVisible();
  await expect(node('list-pages')).toBeFocused();
  await press('F2', 'ControlOrMeta+a');
  await keyboard.type('read-pages');
  await press('Enter');
  await expect(node('read-pages')).toBeFocused();

  await press('Alt+6');
  await expect(page.getByRole('region', { name: 'Document' })).toBeFocused();
  await press('Alt+1');
  await expect(graph).toBeFocused();
  await press('ControlOrMeta+s', 'ControlOrMeta+Enter');
  await expect(page.locator('.svelte-flow__node .node.ran')).toHaveCount(3, { timeout: 60_000 });
  await press('Alt+3');
  await expect(page.getByRole('tab', { name: 'Plan' })).toHaveAttribute('aria-selected', 'true');
  const text = await readFile(join(workspace, 'lenses/harbor-check.lens'), 'utf8');
  expect([text.match(/read-pages/g)?.length, text.match(/name: list-pages$/m)]).toEqual([2, null]);
});
