import { expectAccessible } from '../page.ts';
import { expect, test } from '../studio.ts';

test.use({
  files: {
    'lenses/harbor.lens':
      'lens:\n  metadata:\n    name: Harbor\n    version: 1.0.0\n  skills:\n    - name: moor\n      description: Ties up\n      type: inline\n      instructions: Tie\n',
    'scripts/tide-table.py': 'print("tides")\n',
  },
});

test('a key is given to another command, stays so, and is given back', async ({
  studio: { page, app },
}, info) => {
  const panelTab = (name: string) => page.getByRole('tab', { name, exact: true });
  await page.getByRole('treeitem', { name: 'Harbor' }).click();
  await page.keyboard.press('Shift+?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByText('Show the plan')).toBeVisible();
  await expect(sheet.getByRole('heading', { name: 'In the graph' })).toBeVisible();
  await page.screenshot({ path: info.outputPath('sheet.png') });
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Change keys…' }).click();

  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings.getByRole('button', { name: 'Keyboard', exact: true })).toBeFocused();
  await settings.getByRole('searchbox', { name: 'Find a command or a key' }).fill('show the');
  await settings.getByRole('button', { name: 'Change the key of Show the plan' }).click();
  const field = settings.getByRole('textbox', { name: 'New key of Show the plan' });
  await expect(field).toBeFocused();
  await page.keyboard.press('k');
  await expect(settings.getByText('"K" alone is for typing: hold Ctrl or Alt with it')).toBeVisible();
  await page.keyboard.press('Alt+4');
  await expect(settings.getByText('“Show the run” has this key now and would have none.')).toBeVisible();
  await page.screenshot({ path: info.outputPath('recorder.png') });
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(settings.getByRole('button', { name: 'Change the key of Show the plan' })).toBeFocused();
  await page.keyboard.press('Escape');

  await page.reload();
  await page.getByRole('treeitem', { name: 'Harbor' }).click();
  await panelTab('Run').click();
  await page.keyboard.press('Alt+4');
  await expect(panelTab('Plan')).toHaveAttribute('aria-selected', 'true');
  if (app) {
    const accelerators = await app.evaluate(({ Menu }) =>
      ['view.plan', 'view.run'].map(
        (id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.accelerator ?? 'none',
      ),
    );
    expect(accelerators).toEqual(['Alt+4', 'none']);
  }

  await page.keyboard.press('ControlOrMeta+Alt+K');
  await page.getByRole('button', { name: 'Reset all' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Alt+4');
  await expect(panelTab('Run')).toHaveAttribute('aria-selected', 'true');
});

test('quick open finds every file, and first what was used last', async ({ studio: { page } }) => {
  await expect(page.getByRole('treeitem', { name: 'Harbor' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+P');
  await page.getByRole('combobox').fill('tide');
  await expect(page.getByRole('option', { name: 'tide-table.py' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'tide-table.py' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ControlOrMeta+P');
  await expect(page.getByText('Recently used')).toBeVisible();
  await expect(page.getByRole('option').first()).toContainText('tide-table.py');
  await expectAccessible(page);
});
