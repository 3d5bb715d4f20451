import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { makeZip } from '../../electron/testing/make-zip.ts';
import { expectAccessibleInEveryLook, keepPicturesOfBothSizes } from '../page.ts';
import { expect, temporaryFolder, test } from '../studio.ts';

const skill = (name: string, description: string, more = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n# ${name}\n\nDo it.\n`;

const lensText = [
  'lens:',
  '  metadata: { name: Harbor, version: 1.0.0 }',
  '  skills:',
  '    - name: plan-route',
  '      description: Plans the route of a ship',
  '      triggers: [voyage]',
  '      instructions: Plan it',
  '',
].join('\n');

test.use({
  files: {
    'lenses/harbor.lens': lensText,
    '.claude/skills/pdf/SKILL.md': skill('pdf', 'Reads and fills PDF forms. Use when a PDF is named.'),
    '.claude/skills/pdf/scripts/fill.py': '#!/usr/bin/env python3\nprint("x")\n',
    '.agents/skills/notes/SKILL.md': skill('Release_Notes', 'Writes release notes. Use after a release.'),
    'skills/broken/SKILL.md': '---\nname: broken\n---\nBody\n',
  },
});

let home: Awaited<ReturnType<typeof temporaryFolder>>;
const realHome = process.env['HOME'];

/** The studio's user has a home of their own, so that nothing of the real one is seen or written. */
test.beforeEach(async () => {
  home = await temporaryFolder('user-home');
  process.env['HOME'] = home.path;
  const mine = join(home.path, '.claude/skills/pdf/SKILL.md');
  await mkdir(dirname(mine), { recursive: true });
  await writeFile(mine, skill('pdf', 'My own way with PDF files. Use when asked.'));
});
test.afterEach(async () => {
  process.env['HOME'] = realHome;
  await home[Symbol.asyncDispose]();
});

const row = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('group', { name: 'Agent Skills' }).getByRole('listitem').getByRole('button', { name });
const dialog = (page: Page): Locator => page.getByRole('dialog');
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function openSkills(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Agent Skills', exact: true }).click();
  await expect(row(page, 'broken not loaded')).toBeVisible();
}

/** Drops a file on the page as a file manager does. */
async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, base64]) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
      data.items.add(new File([content], fileName!));
      return data;
    },
    [name, Buffer.from(bytes).toString('base64')],
  );
  const target = page.getByRole('group', { name: 'Agent Skills' });
  await target.dispatchEvent('dragover', { dataTransfer: transfer });
  await target.dispatchEvent('drop', { dataTransfer: transfer });
}

test('skills are listed by scope, and a problem leads to its line in SKILL.md', async ({
  studio: { page },
}) => {
  await openSkills(page);
  await expect(page.getByRole('list', { name: /^Workspace/ }).getByRole('listitem')).toHaveText([
    /broken\s*not loaded/,
    /pdf\s*\.claude/,
    /Release_Notes\s*3 problems/,
  ]);
  await expect(page.getByRole('list', { name: /^Your home/ }).getByRole('listitem')).toHaveText([
    /pdf\s*shadowed/,
  ]);
  await row(page, 'pdf shadowed').click();
  await expect(page.getByText('Agents do not load this one: .claude/skills/pdf/SKILL.md')).toBeVisible();
  await row(page, 'broken').click();
  await expect(page.getByText('No agent can load this skill')).toBeVisible();

  // By keyboard: the arrows lead through the list, Tab to the problem.
  await row(page, 'broken').press('End');
  await row(page, 'pdf shadowed').press('ArrowUp');
  await expect(page.getByText('3 errors by the letter')).toBeVisible();
  await page
    .getByRole('button', { name: /^Error: Skill name 'Release_Notes' must be lowercase/ })
    .press('Enter');
  await expect(page.getByRole('tab', { name: 'notes' })).toHaveAttribute('aria-selected', 'true');
  // The cursor stands behind the name, which is selected.
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('Ln 2, Col 20');
});

test('an archive that is dropped is shown before it is written, and joins the lens', async ({
  studio: { page, workspace },
}) => {
  await openSkills(page);
  const zip = makeZip([
    { name: 'csv/SKILL.md', content: skill('csv', 'Reads tables. Use for CSV.', 'license: MIT\n') },
    { name: 'csv/scripts/run.sh', content: '#!/bin/sh\n', mode: 0o100755 },
  ]);
  await drop(page, 'csv.skill', zip);
  await expect(dialog(page)).toContainText('lenses/skills/csv/SKILL.md');
  await expect(dialog(page)).toContainText('kept in SKILL.md; a lens has no such field');
  await expect(dialog(page)).toContainText('added: - name: csv');
  expect(await isThere(join(workspace, 'lenses/skills'))).toBe(false);

  await dialog(page).getByLabel('Name in the lens').fill('plan-route');
  await expect(dialog(page)).toContainText('already has a skill of this name; choose another name');
  await dialog(page).getByLabel('Name in the lens').fill('');
  await dialog(page).getByRole('button', { name: 'Import: write 2 files' }).click();
  await expect(dialog(page)).toBeHidden();
  expect(await readFile(join(workspace, 'lenses/harbor.lens'), 'utf8')).toContain('- name: csv');
  expect((await stat(join(workspace, 'lenses/skills/csv/scripts/run.sh'))).mode & 0o777).toBe(0o755);

  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import into a lens', exact: true }).click();
  await page.getByRole('menuitem', { name: 'A .zip or .skill archive…' }).click();
  const evil = makeZip([{ name: '../evil/SKILL.md', content: skill('evil', 'No.') }]);
  await (await choosing).setFiles({ name: 'evil.zip', mimeType: 'application/zip', buffer: evil });
  await expect(dialog(page)).toContainText('invalid relative path: ../evil/SKILL.md');
  await expect(dialog(page).getByRole('button', { name: 'Import', exact: true })).toBeDisabled();
});

test('a lens is exported into a folder of the workspace, and over nothing', async ({
  studio: { page, workspace },
}) => {
  await openSkills(page);
  await page.getByRole('button', { name: 'Export…' }).click();
  await dialog(page).getByLabel('What').selectOption('plan-route');
  await dialog(page).getByLabel('Folder of the workspace').fill('../elsewhere');
  await expect(dialog(page)).toContainText('Cannot export to "../elsewhere": the path leaves the skill');
  await dialog(page).getByLabel('Folder of the workspace').fill('out');
  await expect(dialog(page).getByRole('table', { name: 'Files to be written' })).toContainText(
    'out/plan-route/SKILL.md',
  );
  await dialog(page).getByRole('button', { name: 'Export: write 1 file' }).click();
  await expect(dialog(page)).toBeHidden();
  const exported = join(workspace, 'out/plan-route/SKILL.md');
  expect(await readFile(exported, 'utf8')).toMatch(/^---\nname: plan-route\n/);

  await writeFile(exported, 'mine\n');
  await page.getByRole('button', { name: 'Export…' }).click();
  await dialog(page).getByLabel('Folder of the workspace').fill('out');
  await expect(dialog(page)).toContainText('is there and differs; choose another folder, or remove it');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  expect(await readFile(exported, 'utf8')).toBe('mine\n');
});

test('a skill is installed for an agent exactly as shown, in the workspace and in the home', async ({
  studio: { page, workspace },
}) => {
  await openSkills(page);
  await row(page, 'pdf .claude').click();
  await page.getByRole('button', { name: 'Install…' }).click();
  await dialog(page).getByLabel('Agent').selectOption('cursor');
  await dialog(page).getByRole('button', { name: 'This workspace' }).click();
  await expect(dialog(page).getByRole('row', { name: /\.cursor\/skills\/pdf\// })).toHaveText([
    /scripts\/fill\.py\s*\+ new/,
    /SKILL\.md\s*\+ new/,
  ]);
  const installed = join(workspace, '.cursor/skills/pdf/SKILL.md');
  expect(await isThere(installed)).toBe(false);

  await mkdir(dirname(installed), { recursive: true });
  await writeFile(installed, 'somebody else’s\n');
  await dialog(page).getByRole('button', { name: 'Install: write 2 files' }).click();
  await expect(dialog(page)).toContainText('it changed since the preview');
  expect(await readFile(installed, 'utf8')).toBe('somebody else’s\n');
  await expect(dialog(page).getByRole('row', { name: /SKILL\.md/ })).toContainText('~ changed');
  await dialog(page).getByRole('button', { name: 'Install: write 2 files' }).click();
  await expect(dialog(page)).toBeHidden();
  expect(await readFile(installed, 'utf8')).toContain('name: pdf');

  await row(page, 'pdf .claude').click();
  await page.getByRole('button', { name: 'Install…' }).click();
  await dialog(page).getByLabel('Agent').selectOption('gemini');
  await expect(dialog(page)).toContainText('~/.gemini/skills/pdf/SKILL.md');
  await dialog(page).getByRole('button', { name: 'Install: write 2 files' }).click();
  await expect(dialog(page)).toBeHidden();
  expect(await isThere(join(home.path, '.gemini/skills/pdf/scripts/fill.py'))).toBe(true);
});

test('a lens is installed with its skills, as it is on disk', async ({ studio: { page, workspace } }) => {
  await openSkills(page);
  await page.getByRole('button', { name: 'Install a lens…' }).click();
  await dialog(page).getByRole('button', { name: 'This workspace' }).click();
  await expect(dialog(page)).toContainText('.claude/skills/plan-route/SKILL.md');
  await dialog(page).getByRole('button', { name: 'Install: write 1 file' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(row(page, 'plan-route .claude')).toBeVisible();
  expect(await readFile(join(workspace, '.claude/skills/plan-route/SKILL.md'), 'utf8')).toContain('Plan it');
});

test('the prompt is shown in three styles, and a task finds its skill with reasons', async ({
  studio: { page },
}) => {
  await openSkills(page);
  await page.getByRole('button', { name: 'Prompt', exact: true }).click();
  const prompt = page.getByLabel('Prompt', { exact: true });
  await expect(prompt).toContainText('<name>\npdf\n</name>');
  await expect(page.getByText(/2 skills, about \d+ tokens/)).toBeVisible();
  await page.getByRole('button', { name: 'Inline' }).click();
  await expect(prompt).toContainText('<skill name="pdf" location=".claude/skills/pdf/SKILL.md">');
  await page.getByRole('button', { name: 'Compact' }).click();
  await expect(prompt).toContainText('<skill name="pdf"/>');

  await page.getByRole('button', { name: 'Try a task' }).click();
  await page.getByLabel('Task').fill('fill in this PDF form');
  const matches = page.getByRole('list', { name: 'Matching skills' }).getByRole('listitem');
  await expect(matches.first()).toContainText('"pdf" in its name');
  await page.getByLabel('Among').selectOption('lenses/harbor.lens');
  await expect(page.getByText('No skill fits this task')).toBeVisible();
  await page.getByLabel('Task').fill('a voyage');
  await expect(matches).toHaveText([/plan-route\s*trigger "voyage"/]);
});

test('folders that the user names are looked through too', async ({ studio: { page } }) => {
  await using team = await temporaryFolder('team');
  await mkdir(join(team.path, 'tables'));
  await writeFile(join(team.path, 'tables/SKILL.md'), skill('tables', 'Draws tables. Use for tables.'));
  await openSkills(page);
  await page.getByRole('button', { name: 'Folders…' }).click();
  await dialog(page).getByLabel('Path of a folder').fill(team.path);
  await dialog(page).getByRole('button', { name: 'Add' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('list', { name: /^Other folders/ })).toContainText('tables');
});

test('the page is accessible in every look', async ({ studio }) => {
  test.slow();
  const { page } = studio;
  await openSkills(page);
  await row(page, 'Release_Notes').click();
  await expect(page.getByText('3 errors by the letter')).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'skills-detail');
  await keepPicturesOfBothSizes(studio, 'skills-detail');
  await page.getByRole('button', { name: 'Try a task' }).click();
  await page.getByLabel('Task').fill('fill in a PDF form after the release');
  await expect(page.getByRole('list', { name: 'Matching skills' })).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'skills-task');
  await keepPicturesOfBothSizes(studio, 'skills-task');
  await page.getByRole('button', { name: 'Prompt', exact: true }).click();
  await expectAccessibleInEveryLook(studio, 'skills-prompt');
  await keepPicturesOfBothSizes(studio, 'skills-prompt');
  await row(page, 'pdf .claude').click();
  await page.getByRole('button', { name: 'Import into a lens…' }).click();
  await expect(dialog(page).getByRole('table')).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'skills-import');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Install…' }).click();
  await expect(dialog(page).getByRole('table')).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'skills-install');
});
