import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../page.ts';
import { expect, test } from '../studio.ts';

const lines = (...text: string[]): string => `${text.join('\n')}\n`;

const files = {
  'lenses/docs.lens': lines(
    '# Keeps pages true.',
    'lens:',
    '  metadata: { name: Docs, version: 1.0.0 }',
    '  skills:',
    '    - name: read-pages # first of all',
    '      description: Reads the pages',
    '      instructions: Read',
    '      produces: [pages]',
    '',
    '    - name: list-terms',
    '      description: Lists the terms',
    '      instructions: List',
    '      requires: [pages]',
    '      depends_on: [read-pages]',
    '',
    '    - name: write-guide',
    '      description: Writes the guide',
    '      instructions: Write',
    '      requires: [pages]',
  ),
  'skills/team.skills.yaml': lines(
    'skills:',
    '  - name: count-pages',
    '    description: Counts the pages',
    '    instructions: Count',
    '    requires: [pages]',
  ),
  'docs/index.md': '# Harbor\n\nSee [berths](berths.md) and [nothing](nowhere.md). TODO: more\n',
  'docs/berths.md': '# Berths\n\nOne each.\n',
  'git-log.txt': 'a1b2c3d feat: moor boats\n',
};

test.use({ files });
// Journeys through many dialogs, each looked at by axe: a busy machine needs more than a minute for one.
test.describe.configure({ timeout: 180_000 });

const node = (page: Page, name: string): Locator => page.locator(`.svelte-flow__node[data-id="${name}"]`);
const nodes = (page: Page): Locator => page.locator('.svelte-flow__node');
const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name });

async function open(page: Page, lens: string): Promise<void> {
  await page.getByRole('treeitem', { name: lens }).first().click();
  await expect(nodes(page).first()).toBeVisible();
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+s');
  const front = page.locator('[role="tab"][aria-controls="document"][aria-selected="true"]');
  await expect(front).not.toHaveAccessibleName(/not saved/);
}

/** What the disk has after saving. */
async function saved(page: Page, workspace: string, file = 'lenses/docs.lens'): Promise<string> {
  await save(page);
  let text = '';
  await expect
    .poll(async () => {
      const before = text;
      text = await readFile(join(workspace, file), 'utf8');
      return text === before;
    })
    .toBe(true);
  return text;
}

async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  const start = (await from.boundingBox())!;
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move((start.x + to.x) / 2, (start.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

async function middle(of: Locator): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await of.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
}

const edges = async (page: Page, name: string): Promise<string[]> => {
  await node(page, name).click();
  const card = page.getByRole('region', { name: 'Inspector' });
  await expect(card.getByRole('heading', { name, exact: true })).toBeVisible();
  return card.locator('.card', { hasText: 'Depends on' }).getByRole('listitem').allInnerTexts();
};

test('builds a lens of five skills from nothing without touching its text, and runs it', async ({
  studio: { page, workspace },
}) => {
  await expect(page.getByRole('treeitem', { name: 'Docs' }).first()).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Alt+n');
  const lens = dialog(page, 'New lens');
  await lens.getByRole('radio', { name: /^Empty/ }).check();
  await expect(lens.getByText('No skills yet')).toBeVisible();
  await expectAccessible(page);
  await lens.getByLabel('Name', { exact: true }).fill('Harbor check');
  await lens.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'New skill…' }).click();

  const wizard = dialog(page, 'New skill');
  for (const [i, template] of [
    'Summarize the pages',
    'Check links',
    'Collect TODOs',
    'Release notes from a git log',
    'JSON to a table',
  ].entries()) {
    if (i > 0) await page.getByRole('button', { name: 'New skill', exact: true }).click();
    await wizard.getByRole('radio', { name: template }).check();
    if (template === 'JSON to a table') {
      // What it reads is what another skill of this lens delivers.
      await wizard.getByRole('button', { name: 'Remove records' }).click();
      await wizard.getByLabel(/^Requires/).fill('todos');
      await wizard.getByLabel(/^Requires/).press('Enter');
      await wizard.getByRole('button', { name: /Depend on collect-todos/ }).click();
      await wizard
        .getByRole('textbox', { name: 'Script' })
        .fill(
          lines(
            "import { readFileSync } from 'node:fs';",
            "const { inputs } = JSON.parse(readFileSync(0, 'utf8'));",
            'console.log(JSON.stringify({ table: `| ${inputs.todos.length} |` }));',
          ),
        );
      await expectAccessible(page);
    }
    await wizard.getByRole('button', { name: 'Add skill' }).click();
    await expect(wizard).toBeHidden();
    await expect(nodes(page)).toHaveCount(i + 1);
  }

  await drag(
    page,
    node(page, 'summarize-docs').locator('.port.out'),
    await middle(node(page, 'release-notes')),
  );
  await expect.poll(() => edges(page, 'release-notes')).toEqual(['summarize-docs']);
  await node(page, 'check-links').click();
  await page.keyboard.press('c');
  const connect = dialog(page, 'Connect check-links to…');
  await connect.getByRole('combobox').fill('table');
  await page.keyboard.press('Enter');
  await expect(connect).toBeHidden();
  await expect.poll(() => edges(page, 'json-to-table')).toEqual(['collect-todos', 'check-links']);

  await save(page);
  await page.getByRole('button', { name: /^Run 5/ }).click();
  await expect(page.locator('.svelte-flow__node .node.ran')).toHaveCount(5, { timeout: 30_000 });
  const text = await readFile(join(workspace, 'lenses/harbor-check.lens'), 'utf8');
  expect(text.match(/- name: [a-z-]+$/gm)?.length).toBe(5);
});

test('connects by drag, refuses a circle by name, removes an edge, and undoes all of it to the byte', async ({
  studio: { page, workspace },
}) => {
  await open(page, 'Docs');
  await drag(page, node(page, 'list-terms').locator('.port.out'), await middle(node(page, 'write-guide')));
  await expect.poll(() => edges(page, 'write-guide')).toEqual(['list-terms']);
  await drag(page, node(page, 'write-guide').locator('.port.out'), await middle(node(page, 'read-pages')));
  await expect(
    page.getByText(/each would wait for the other, read-pages → list-terms → write-guide/).first(),
  ).toBeVisible();
  expect(await saved(page, workspace)).toBe(
    files['lenses/docs.lens'].replace(
      /(instructions: Write\n {6}requires: \[pages\]\n)/,
      '$1      depends_on:\n        - list-terms\n',
    ),
  );

  await node(page, 'list-terms').click();
  await page.keyboard.press('Shift+C');
  const pick = dialog(page, 'Disconnect list-terms from…');
  await pick.getByText('read-pages').click();
  await expect.poll(() => edges(page, 'list-terms')).toEqual([]);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => edges(page, 'list-terms')).toEqual(['read-pages']);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => edges(page, 'write-guide')).toEqual([]);
  expect(await saved(page, workspace)).toBe(files['lenses/docs.lens']);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => edges(page, 'write-guide')).toEqual(['list-terms']);
  await save(page);
});

test(
  'offers what fits when a port is dragged into empty space',
  { tag: '@page' },
  async ({ studio: { page } }) => {
    await open(page, 'Docs');
    const port = node(page, 'read-pages').locator('.port.out');
    const { x, y, width } = (await page.getByRole('region', { name: 'Skill graph' }).boundingBox())!;
    await drag(page, port, { x: x + 300, y: y + 60 });
    const offers = dialog(page, 'What comes after read-pages');
    await expect(offers.getByRole('option')).toHaveText([/write-guide/, /count-pages/, /New skill/]);
    await expectAccessible(page);
    await offers.getByText('count-pages').click();
    await expect(node(page, 'count-pages')).toBeVisible();
    await expect.poll(() => edges(page, 'count-pages')).toEqual(['read-pages']);

    const input = node(page, 'write-guide').locator('.port.in');
    await drag(page, input, { x: x + width - 20, y: y + 60 });
    const before = dialog(page, 'What comes before write-guide');
    await before.getByText('read-pages').click();
    await expect.poll(() => edges(page, 'write-guide')).toEqual(['read-pages']);
    await save(page);
  },
);

test('renames a skill in place with its references, deletes one with those who name it, and groups', async ({
  studio: { page, workspace },
}) => {
  await open(page, 'Docs');
  await node(page, 'read-pages').click();
  await page.keyboard.press('F2');
  const field = page.getByRole('textbox', { name: 'New name of read-pages' });
  await field.fill('Load Pages');
  await expect(page.getByText(/"load-pages"/)).toBeVisible();
  await field.fill('load-pages');
  await field.press('Enter');
  await expect(node(page, 'load-pages')).toBeVisible();
  expect(await saved(page, workspace)).toBe(files['lenses/docs.lens'].replaceAll('read-pages', 'load-pages'));

  await node(page, 'load-pages').click();
  await page.keyboard.press('Delete');
  const question = dialog(page, 'Delete load-pages?');
  await expect(question.getByText('list-terms')).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Delete with references' }).click();
  await expect(nodes(page)).toHaveCount(2);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(nodes(page)).toHaveCount(3);

  await node(page, 'list-terms').click({ button: 'right' });
  await page.getByRole('menu').getByText('Move into a library…').click();
  const group = dialog(page, 'Move skills into a library');
  await expect(group.getByRole('checkbox', { name: 'load-pages' })).toBeChecked();
  await group.getByRole('combobox', { name: 'Library' }).selectOption('New library…');
  await group.getByRole('button', { name: 'Move 2 skills' }).click();
  await expect(group).toBeHidden();
  const library = page.getByRole('tab', { name: /^docs\.skills\.yaml/ });
  for (const key of ['z', 'Shift+z', 'z']) {
    await expect(library).toBeVisible({ visible: key === 'z' });
    await page.keyboard.press(`ControlOrMeta+${key}`);
  }
  await expect(library).toHaveCount(0);
  expect(await readdir(join(workspace, 'skills'))).toEqual(['team.skills.yaml']);

  await node(page, 'list-terms').click({ button: 'right' });
  await page.getByRole('menu').getByText('Move into a library…').click();
  await group.getByRole('button', { name: 'Move 2 skills' }).click();
  await expect(group).toBeHidden();
  await expect.poll(() => edges(page, 'list-terms')).toEqual(['load-pages']);
  const text = await saved(page, workspace);
  expect(text).toContain('- include: ../skills/team.skills.yaml::load-pages, list-terms');
});

test(
  'adds a skill of the library as a reference and as a copy',
  { tag: '@page' },
  async ({ studio: { page, workspace } }) => {
    await open(page, 'Docs');
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    const library = page.getByRole('group', { name: 'Library', exact: true });
    await library.getByRole('searchbox').fill('dead links');
    await library.getByRole('button', { name: /^check-links/ }).click();
    await expect(library.getByText('check-links.py · python')).toBeVisible();
    await expectAccessible(page);
    await library.getByRole('button', { name: 'Add as reference' }).click();
    await expect(node(page, 'check-links')).toBeVisible();
    await page.getByRole('button', { name: 'Library', exact: true }).click();
    await library.getByRole('searchbox').fill('count-pages');
    await library.getByRole('button', { name: 'Copy into this lens' }).click();
    await expect(node(page, 'count-pages')).toBeVisible();
    const text = await saved(page, workspace);
    expect(text).toContain('    - name: check-links\n      source: sunwell/common:check-links\n');
    expect(text).toContain('    - name: count-pages\n      description: Counts the pages\n');
    await page.keyboard.press('ControlOrMeta+z');
    await page.keyboard.press('ControlOrMeta+z');
    await expect(nodes(page)).toHaveCount(3);
    expect(await saved(page, workspace)).toBe(files['lenses/docs.lens']);
  },
);

test('edits a graph and its table by keyboard alone', async ({ studio: { page, workspace } }) => {
  await open(page, 'Docs');
  const focused = (): Promise<string> =>
    page.evaluate(() => (document.activeElement as HTMLElement).dataset['id'] ?? '');
  for (let i = 0; i < 40 && (await focused()) === ''; i++) await page.keyboard.press('Tab');
  await page.keyboard.press('n');
  const wizard = dialog(page, 'New skill');
  await expect(wizard).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('look-around');
  await page.keyboard.press('Enter');
  await expect(wizard).toBeHidden();
  await expect.poll(focused).toBe('look-around');
  await page.keyboard.press('F2');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('look-there');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('look-there');
  await page.keyboard.press('Delete');
  await expect(node(page, 'look-there')).toHaveCount(0);
  await expect.poll(focused).not.toBe('');
  for (let i = 0; i < 2; i++) await page.keyboard.press('ControlOrMeta+z');
  await expect(node(page, 'look-around')).toBeVisible();

  await page.keyboard.press('ControlOrMeta+Shift+p');
  await page.keyboard.type('graph as a table');
  await page.keyboard.press('Enter');
  const table = page.getByRole('table', { name: 'Skills by wave' });
  const row = table.getByRole('row', { name: /look-around/ });
  await expect(row).toBeVisible();
  const first = table.getByRole('button', { name: 'look-around', exact: true });
  await first.focus();
  await page.keyboard.press('c');
  await expect(dialog(page, 'Connect look-around to…')).toBeVisible();
  await page.keyboard.type('write-guide');
  await page.keyboard.press('Enter');
  await expect(table.getByRole('row', { name: /^write-guide/ })).toContainText('look-around');
  await expectAccessible(page);

  await row.getByRole('button', { name: 'Actions for look-around' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /Rename/ }).press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('look-closely');
  await page.keyboard.press('Enter');
  await expect(table.getByRole('row', { name: /^write-guide/ })).toContainText('look-closely');
  await expect(table.getByRole('button', { name: 'look-closely', exact: true })).toBeFocused();
  await expect(page.locator('[aria-live]').first()).toBeAttached();
  for (let i = 0; i < 3; i++) await page.keyboard.press('ControlOrMeta+z');
  await expect(table.getByRole('row', { name: /look/ })).toHaveCount(0);
  expect(await saved(page, workspace)).toBe(files['lenses/docs.lens']);
});
