import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { FakeServer } from '#engine/models/testing/fake-server.ts';
import { expectAccessible, runButton } from '../page.ts';
import { expect, test } from '../studio.ts';

const lens = `metadata: { name: Harbor notes, version: 1.0.0 }
personas:
  - { name: newcomer, description: Arrived today, goals: [find the office] }
validators:
  deterministic:
    - { name: no-todo, command: "grep -n TODO {output_file}" }
  heuristic:
    - { name: clear, check: Is every sentence clear?, severity: error }
quality_policy: { min_confidence: 0.7, retry_limit: 1, required_validators: [clear] }
skills:
  - name: write-notes
    description: Writes the notes
    files: []
    instructions: Write notes for the harbor
    validate_with: { validators: [no-todo, clear], personas: [newcomer] }
`;

test.use({ files: { 'notes.lens': lens } });

const says = (answer: object): { say: string } => ({ say: JSON.stringify(answer) });
const verdict = { verdict: 'pass', confidence: 0.95, evidence: [], message: 'Every sentence is clear' };
const fails = {
  ...{ verdict: 'fail', confidence: 0.9, message: 'The second sentence rambles: say where the office is' },
  evidence: [{ quote: 'somewhere near the water' }],
};
const persona = {
  ...{ usable: true, confidence: 0.9, evidence: [], message: 'I find my way' },
  questions: ['When does it open?'],
};
const draft = { say: '# Notes\n\nThe office is, so to say, somewhere\nnear the water.\n' };
const text = { say: '# Notes\n\nThe office is at pier 4.\n' };

const panel = (page: Page): Locator => page.getByRole('tabpanel');
const judged = (page: Page): Locator =>
  panel(page).getByRole('region', { name: 'Verdicts about write-notes' });

async function useModel(home: string, server: FakeServer): Promise<void> {
  const model = `{ provider: openai-compatible, model: fake, base_url: "${server.address}" }`;
  await mkdir(home, { recursive: true });
  await writeFile(join(home, 'config.yaml'), `models:\n  fake: ${model}\ndefault_model: fake\n`);
}

async function runAll(page: Page): Promise<void> {
  await page.getByRole('treeitem', { name: 'Harbor notes' }).click();
  // A plan made before the configuration was written knows no model, until the user looks at the window again.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(runButton(page)).toHaveText('Run 1', { timeout: 15_000 });
  await runButton(page).click();
  await page.getByRole('tablist', { name: 'Panel' }).getByRole('tab', { name: 'Verdicts' }).click();
}

test('a result that does not pass is refined, and the ladder shows how', async ({
  studio: { page, home },
}) => {
  await using server = await FakeServer.start();
  server.answerWith(draft, says(fails), says(persona), text, says(verdict), says(persona));
  await useModel(home, server);
  await runAll(page);
  await expect(judged(page)).toContainText('passed', { timeout: 30_000 });
  await expect(judged(page)).toContainText(/confidence 0\.9\d of 0\.70/);
  await expect(judged(page)).toContainText('agreement 1.00 of 0.50');
  await expect(judged(page)).toContainText('When does it open?');
  const ladder = judged(page).getByRole('list', { name: 'Attempts of write-notes' });
  await expect(ladder).toContainText('Attempt 1');
  await ladder.getByText('Attempt 2').click();
  await expect(ladder).toContainText('The second sentence rambles');
  await expect(ladder).toContainText('line 3: "somewhere near the water"');
  await expect(ladder).toContainText('The office is at pier 4.');
  await expectAccessible(page);
});

test('a person overrides a verdict with a note, and the next plan counts it', async ({
  studio: { page, home },
}) => {
  await using server = await FakeServer.start();
  // The second attempt says the same again: nobody is asked twice about one result.
  server.answerWith(draft, says(fails), says(persona), draft);
  await useModel(home, server);
  await runAll(page);
  await expect(judged(page)).toContainText('did not pass', { timeout: 30_000 });
  await expect(judged(page)).toContainText('required "clear" says no');
  await expect(judged(page).getByRole('list', { name: 'Evidence' }).last()).toContainText('line 3');
  await expect(runButton(page)).toHaveText('Run 1');

  await judged(page).getByRole('button', { name: 'Override clear' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Override clear about write-notes' });
  await expect(dialog.getByLabel('Why')).toBeFocused();
  await dialog.getByRole('button', { name: 'Override', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Say why: others will read it');
  await expectAccessible(page);
  await dialog.getByLabel('Why').fill('The harbor master likes it');
  await dialog.getByLabel('Why').press('Tab');
  await dialog.getByRole('button', { name: 'Override', exact: true }).press('Enter');

  await expect(judged(page)).toContainText('by you');
  await expect(judged(page)).toContainText('The harbor master likes it');
  await expect(judged(page)).toContainText('The judge said fail 0.90');
  await expect(runButton(page)).toHaveText('Run · skip 1');
  await expectAccessible(page);
  expect(server.received).toHaveLength(4);
});
