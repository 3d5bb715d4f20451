import type { Locator, Page } from '@playwright/test';
import { expectAccessibleInEveryLook, keepPicture, keepPicturesOfBothSizes, runCommand } from '../page.ts';
import { expect, test } from '../studio.ts';

const lines = (...text: string[]): string => `${text.join('\n')}\n`;

/** A lens that takes skills from a lens it extends, a library beside it and the built-in library. */
const files = {
  'lenses/api-docs.lens': lines(
    'lens:',
    '  metadata:',
    '    name: API docs',
    '    version: 1.2.0',
    '  extends: ./tech-writer.lens',
    '  inputs:',
    '    topic:',
    '      description: What the page is about',
    '  skills:',
    '    - name: extract-api',
    '      description: Extracts the public API',
    '      instructions: Extract it',
    '      depends_on: [sunwell/common:list-files]',
    '      requires: [file_list, topic]',
    '      produces: [api_surface]',
    '    - name: write-markdown',
    '      description: Writes the reference as Markdown',
    '      override: true',
    '      instructions: Write better',
    '      depends_on: [read-sources, extract-api, ../skills/team.skills.yaml:check-tone]',
    '      requires: [sources, api_surface, tone]',
    '      produces: [page]',
  ),
  'lenses/tech-writer.lens': lines(
    'lens:',
    '  metadata: { name: Tech writer, version: 1.0.0 }',
    '  heuristics:',
    '    - { name: be-clear, rule: Be clear }',
    '  skills:',
    '    - name: read-sources',
    '      description: Reads the sources',
    '      instructions: Read them',
    '      produces: [sources]',
    '    - name: write-markdown',
    '      description: Writes it down',
    '      instructions: Write',
    '      depends_on: [read-sources]',
    '      requires: [sources]',
    '      produces: [page]',
  ),
  'skills/team.skills.yaml': lines(
    'skills:',
    '  - name: check-tone',
    '    description: Checks the tone',
    '    instructions: Check it',
    '    requires: [style_guide]',
    '    produces: [tone]',
  ),
};

test.use({ files });

const node = (page: Page, name: string): Locator => page.locator('.svelte-flow__node', { hasText: name });
const problems = (page: Page): Locator => page.getByRole('region', { name: 'Problems' });
const inspector = (page: Page): Locator => page.getByRole('region', { name: 'Inspector' });
const status = (page: Page): Locator => page.getByRole('contentinfo', { name: 'Status' });
const entry = (page: Page, name: string): Locator => page.getByRole('treeitem', { name });
const squiggles = (page: Page): Locator => page.locator('.monaco-editor .squiggly-error');
const openTab = (page: Page): Locator =>
  page.getByRole('tablist', { name: 'Open files' }).getByRole('tab', { selected: true });

async function open(page: Page): Promise<void> {
  await entry(page, 'API docs').click();
  await expect(node(page, 'write-markdown')).toBeVisible();
}

test('inherited, built-in and library skills stand in their waves and say where they come from', async ({
  studio: { page },
}) => {
  await open(page);
  const waves = page.getByRole('list', { name: 'Waves' }).getByRole('listitem');
  await expect(waves).toHaveText([/Wave 1\s+3 skills/, /Wave 2\s+1 skill/, /Wave 3\s+1 skill/]);
  for (const [name, source] of [
    ['list-files', 'built-in'],
    ['read-sources', 'from tech-writer.lens'],
    ['check-tone', 'team.skills.yaml'],
    ['write-markdown', 'overrides tech-writer.lens'],
  ] as const) {
    // Once there is a plan the node says what will happen; where the skill comes from stands beside it.
    await node(page, name).click();
    await expect(inspector(page)).toContainText(source);
  }
  await expect(page.getByRole('group', { name: /^check-tone, Wave 1, .*1 error$/ })).toBeVisible();

  await page.keyboard.press('Escape');
  await expect(inspector(page)).toContainText(/Extends\s*tech-writer\.lens:1/);
  await node(page, 'extract-api').click();
  await expect(inspector(page)).toContainText(/file_list\s*list-files/);
  await expect(inspector(page)).toContainText(/topic\s*run input/);
  await inspector(page).getByRole('button', { name: 'write-markdown' }).click();
  await inspector(page).getByRole('button', { name: 'tech-writer.lens:10' }).click();
  await expect(openTab(page)).toContainText('tech-writer.lens');
  await expect(status(page)).toContainText('Ln 10, Col 7');
});

test('a bad dependency shows everywhere, its fix repairs it, and undo brings it back', async ({
  studio: { page },
}) => {
  await open(page);
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(
    '    - { name: publish, description: Publishes, instructions: Do it, depends_on: [write-markdwon] }',
  );
  await expect(entry(page, 'API docs')).toContainText('1 problem');
  await expect(squiggles(page)).toHaveCount(1);
  await status(page)
    .getByRole('button', { name: /2 errors/ })
    .click();
  const row = problems(page).getByRole('listitem').filter({ hasText: 'write-markdwon' });
  await expect(row).toContainText('Error');
  await keepPicture(page, 'bad-dependency');

  await row.getByRole('button', { name: /^Fix/ }).click();
  await page.getByRole('menuitem', { name: 'Change to "write-markdown"' }).click();
  await expect(row).toHaveCount(0);
  await expect(squiggles(page)).toHaveCount(0);
  await expect(page.locator('.monaco-editor')).toContainText('[write-markdown]');
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(row).toHaveCount(1);
  await expect(squiggles(page)).toHaveCount(1);
  await expect(page.locator('.monaco-editor')).toContainText('write-markdwon');
  await page.keyboard.press('ControlOrMeta+S');
  await expect(openTab(page)).not.toContainText('not saved');
});

test('a fix taken beside the graph mends the graph and can be undone in the text', async ({
  studio: { page },
}) => {
  await open(page);
  await runCommand(page, 'Show or hide the problems');
  const row = problems(page).getByRole('listitem').filter({ hasText: 'style_guide' });
  await row.getByRole('button', { name: /^Fix/ }).click();
  await page.getByRole('menuitem', { name: 'Declare "style_guide" as a run input' }).click();
  await expect(row).toHaveCount(0);
  await expect(openTab(page)).toContainText('not saved');
  await expect(node(page, 'check-tone')).not.toContainText('problem');
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await expect(page.locator('.monaco-editor')).toContainText('style_guide');
  await page.keyboard.press('ControlOrMeta+Z');
  await expect(row).toHaveCount(1);
  await expect(openTab(page)).not.toContainText('not saved');
});

test('a problem leads to its line in another file, by keyboard', async ({ studio: { page } }) => {
  await open(page);
  await runCommand(page, 'Show or hide the problems');
  await problems(page)
    .getByRole('button', { name: /^Error.*style_guide/ })
    .focus();
  await page.keyboard.press('Enter');
  await expect(openTab(page)).toContainText('team.skills.yaml');
  await expect(status(page)).toContainText('Ln 5, Col 27');
  await expect(page.locator('.monaco-editor .selected-text').first()).toBeVisible();
  await expect(squiggles(page)).toHaveCount(1);
});

test('hints are counted and shown on demand', async ({ studio: { page } }) => {
  await open(page);
  await runCommand(page, 'Show or hide the problems');
  const hints = page.getByRole('region', { name: 'Panel' }).getByRole('button', { name: /\d+ hints?/ });
  await expect(hints).toHaveAttribute('aria-pressed', 'false');
  await hints.click();
  await expect(problems(page)).toContainText('graph.unused-produces');
});

test('graph, problems and inspector are accessible in every look', async ({ studio }) => {
  test.slow();
  const { page } = studio;
  await open(page);
  await runCommand(page, 'Show or hide the problems');
  await node(page, 'check-tone').click();
  await expectAccessibleInEveryLook(studio, 'graph-problems');
  await keepPicturesOfBothSizes(studio, 'graph-problems');
  await problems(page).getByRole('button', { name: /^Fix/ }).first().click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'fixes');
  await page.keyboard.press('Escape');
  await problems(page)
    .getByRole('button', { name: /^Error.*style_guide/ })
    .click();
  await expect(squiggles(page)).toHaveCount(1);
  await expectAccessibleInEveryLook(studio, 'squiggle');
});
