import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInEveryLook, runCommand } from '../page.ts';
import { expect, test } from '../studio.ts';

const lines = (...text: string[]): string => `${text.join('\n')}\n`;
const skill = (name: string, ...rest: string[]): string[] => [
  `    - name: ${name}`,
  `      description: Does ${name}`,
  `      instructions: Do it for ${name}`,
  ...rest.map((line) => `      ${line}`),
];

/** Four waves: a lens that extends another and takes two skills from a library. */
const files = {
  'lenses/docs.lens': lines(
    'lens:',
    '  metadata: { name: Docs, version: 1.0.0 }',
    '  extends: ./base.lens',
    '  skills:',
    ...skill('read-pages', 'produces: [pages]'),
    ...skill('read-code', 'produces: [code]'),
    ...skill('list-terms', 'depends_on: [read-pages]', 'requires: [pages]', 'produces: [terms]'),
    ...skill('write-guide', 'depends_on:', '  - ../skills/team.skills.yaml:check-tone', '  - list-terms'),
    ...skill('extract-api', 'depends_on: [read-code]', 'requires: [code]', 'produces: [surface]'),
    ...skill('publish', 'depends_on: [write-guide, extract-api]'),
  ),
  'lenses/base.lens': lines(
    'lens:',
    '  metadata: { name: Base, version: 1.0.0 }',
    '  heuristics:',
    '    - { name: be-clear, rule: Be clear }',
  ),
  'lenses/broken.lens': lines(
    'lens:',
    '  metadata: { name: Broken, version: 1.0.0 }',
    '  skills:',
    ...skill('start'),
    ...skill('here', 'depends_on: [there, start]'),
    ...skill('there', 'depends_on: [here]'),
    ...skill('lost', 'depends_on: [nowhere]'),
  ),
  'skills/team.skills.yaml': lines(
    'skills:',
    '  - name: check-tone',
    '    description: Checks the tone',
    '    instructions: Look for unfriendly sentences',
    '    depends_on: [check-words]',
    '  - name: check-words',
    '    description: Checks the words',
    '    instructions: Check them',
  ),
};

test.use({ files });

const node = (page: Page, name: string): Locator => page.locator(`.svelte-flow__node[data-id="${name}"]`);
const nodes = (page: Page): Locator => page.locator('.svelte-flow__node');
const inspected = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Inspector' }).getByRole('heading', { name, exact: true });

async function open(page: Page, lens: string): Promise<void> {
  await page.getByRole('treeitem', { name: lens }).first().click();
  await expect(nodes(page).first()).toBeVisible();
}

async function choose(page: Page, item: string | RegExp): Promise<void> {
  await page.getByRole('menu').getByText(item).click();
}

/** That a bar leaves the headings of the waves in sight. */
async function expectHeadingsFree(page: Page, bar: Locator): Promise<void> {
  const [above, below] = [
    await bar.boundingBox(),
    await page.getByRole('list', { name: 'Waves' }).boundingBox(),
  ];
  expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
}

test('finds skills by name, key and what is written in them', async ({ studio: { page } }) => {
  await open(page, 'Docs');
  await node(page, 'publish').click();
  await page.keyboard.press('ControlOrMeta+F');
  const find = page.getByRole('textbox', { name: 'Find in the graph' });
  const said = page.getByRole('search').getByRole('status');
  await expectHeadingsFree(page, page.getByRole('search'));
  await find.fill('unfriendly');
  await expect(said).toHaveText('1 found');
  await find.press('Enter');
  await expect(said).toHaveText('1 of 1 · in instructions or scripts');
  await expect(inspected(page, 'check-tone')).toBeVisible();
  await find.fill('surface');
  await find.press('Enter');
  await expect(said).toHaveText('1 of 1 · in a context key');
  await expect(inspected(page, 'extract-api')).toBeVisible();
  await find.fill('no such thing');
  await expect(said).toHaveText('Nothing found');
  await find.press('Escape');
  await expect(find).toBeHidden();
});

test(
  'shows only a lineage, step by step, and the path between two skills',
  { tag: '@page' },
  async ({ studio: { page } }) => {
    await open(page, 'Docs');
    await expect(nodes(page)).toHaveCount(8);
    await node(page, 'list-terms').click();
    await page.keyboard.press('f');
    const bar = page.getByRole('group', { name: 'Shown part of the graph' });
    await expect(bar).toContainText('Lineage of list-terms · 4 of 8 skills');
    await expect(nodes(page)).toHaveCount(4);
    await expectHeadingsFree(page, bar);
    for (let i = 0; i < 6; i++) await bar.getByRole('button', { name: 'Fewer steps' }).click();
    await expect(bar).toContainText('1 step');
    await expect(nodes(page)).toHaveCount(3);
    await bar.getByRole('button', { name: 'Show the whole graph again' }).click();
    await expect(nodes(page)).toHaveCount(8);

    await node(page, 'check-words').click({ button: 'right' });
    await choose(page, 'Start a path here');
    await expect(bar).toContainText('Path from check-words');
    await node(page, 'publish').click();
    await expect(bar).toContainText('check-words → check-tone → write-guide → publish');
    await expect(nodes(page)).toHaveCount(4);
    await page.keyboard.press('Escape');
    await expect(nodes(page)).toHaveCount(8);
  },
);

test('goes through graph and table by keyboard alone', async ({ studio: { page } }) => {
  await open(page, 'Docs');
  const focused = (): Promise<string> =>
    page.evaluate(() => (document.activeElement as HTMLElement).dataset['id'] ?? '');
  const walk = async (key: string, to: RegExp): Promise<void> => {
    await page.keyboard.press(key);
    await expect.poll(focused, { message: `${key} leads to ${to}` }).toMatch(to);
  };
  for (let i = 0; i < 40 && (await focused()) === ''; i++) await page.keyboard.press('Tab');
  await walk('End', /^publish$/);
  await walk('ArrowLeft', /^write-guide$/);
  await page.keyboard.press('ControlOrMeta+Alt+B');
  await expect(page.getByRole('region', { name: 'Inspector' })).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(inspected(page, 'write-guide')).toBeVisible();
  await walk('ArrowLeft', /^(check-tone|list-terms)$/);
  const second = await focused();
  await page.keyboard.press('ArrowDown');
  if ((await focused()) === second) await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toMatch(/^(check-tone|list-terms|extract-api)$/);
  expect(await focused()).not.toBe(second);
  await walk('Home', /^(read-pages|read-code|check-words)$/);

  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  const table = page.getByRole('button', { name: 'Show as table' });
  for (let i = 0; i < 10 && !(await table.evaluate((own) => own === document.activeElement)); i++) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  const rows = page.getByRole('table', { name: 'Skills by wave' });
  await expect(rows.getByRole('rowheader', { name: 'publish' })).toBeVisible();
  const names = rows.getByRole('rowheader').getByRole('button');
  for (let i = 0; i < 10; i++) {
    const inTable = await rows.evaluate((own) => own.contains(document.activeElement));
    if (inTable) break;
    await page.keyboard.press(i < 5 ? 'Tab' : 'Shift+Tab');
  }
  await page.keyboard.press('Home');
  await expect(names.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(names.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(rows.getByRole('button', { name: 'publish', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(inspected(page, 'publish')).toBeVisible();
});

test(
  'collapses a library, and shows lenses beside skills',
  { tag: '@page' },
  async ({ studio: { page } }) => {
    await open(page, 'Docs');
    await page.getByRole('button', { name: 'Layers and libraries' }).click();
    await choose(page, 'Collapse team.skills.yaml (2)');
    await expect(page.getByRole('group', { name: 'team.skills.yaml, Wave 1, 1 skill' })).toBeVisible();
    await expect(nodes(page)).toHaveCount(8);
    await expect(node(page, 'check-tone')).toHaveCount(0);
    await page.getByRole('group', { name: 'team.skills.yaml, Wave 1, 1 skill' }).click({ button: 'right' });
    await choose(page, 'Expand team.skills.yaml');
    await expect(node(page, 'check-tone')).toBeVisible();

    await page.getByRole('button', { name: 'Layers and libraries' }).click();
    await choose(page, 'Lenses and skills');
    await expect(page.getByRole('group', { name: 'base.lens, Builds on, extended' })).toBeVisible();
    await expect(page.getByRole('group', { name: /^docs.lens, Lens, open here/ })).toBeVisible();
    await expectAccessible(page);
  },
);

test(
  'an edge says what flows and opens the line that declares it',
  { tag: '@page' },
  async ({ studio: { page } }) => {
    await open(page, 'Docs');
    const from = (await node(page, 'read-pages').boundingBox())!;
    const to = (await node(page, 'list-terms').boundingBox())!;
    const middle = { x: (from.x + from.width + to.x) / 2, y: (from.y + to.y + to.height) / 2 };
    await page.mouse.click(middle.x, middle.y);
    const card = page.getByRole('group', { name: 'Edge from read-pages to list-terms' });
    await expect(card.getByText('pages', { exact: true })).toBeVisible();
    await card.getByRole('button', { name: 'Open the line in lenses/docs.lens' }).click();
    await expect(page.locator('.monaco-editor').getByText('depends_on: [read-pages]')).toBeVisible();
    await expect(page.getByText('Ln 16, Col')).toBeVisible();
  },
);

test('copies and saves the graph for elsewhere', async ({ studio: { page, host } }) => {
  await open(page, 'Docs');
  if (host === 'web') await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Export the graph' }).click();
  await choose(page, 'Copy as Mermaid');
  await expect(page.getByText('Copied the graph as Mermaid').first()).toBeVisible();
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  const find = page.getByRole('textbox', { name: 'Find in the graph' });
  await find.press('ControlOrMeta+V');
  await expect(find).toHaveValue(/^flowchart LR.*"publish".* --> /);
  await find.press('Escape');
  if (host === 'desktop') return; // Electron asks with the system's own dialog.
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export the graph' }).click();
  await choose(page, 'Save as SVG');
  expect((await saved).suggestedFilename()).toBe('docs.svg');
});

test('draws what it can of a lens with problems', { tag: '@page' }, async ({ studio: { page } }) => {
  await open(page, 'Broken');
  await expect(nodes(page)).toHaveCount(4);
  await expect(page.getByRole('group', { name: /^here, In a cycle/ })).toBeVisible();
  await expect(page.getByRole('group', { name: /^lost, Wave 1, 1 error$/ })).toBeVisible();
});

test('is accessible in every look', async ({ studio }) => {
  test.slow();
  const { page } = studio;
  await open(page, 'Docs');
  await node(page, 'list-terms').click();
  await page.keyboard.press('f');
  await page.keyboard.press('ControlOrMeta+F');
  await page.keyboard.type('list');
  await expect(page.getByRole('search')).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'find');
  await page.getByRole('button', { name: 'Show as table' }).click();
  await expect(page.getByRole('table', { name: 'Skills by wave' })).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'table');
  await page.getByRole('button', { name: 'Show as graph' }).click();
  await node(page, 'list-terms').click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessibleInEveryLook(studio, 'menu');
});

/** Whether the lines of the canvas have the colour that the page has for them now. */
function hasColourOfLines(page: Page): Promise<boolean> {
  return page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
    const probe = document.body.appendChild(document.createElement('span'));
    probe.style.color = 'var(--line2)';
    const wanted = getComputedStyle(probe).color;
    probe.remove();
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    const drawn = new Set<string>();
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 255) drawn.add(`rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`);
    }
    return drawn.size === 1 && drawn.has(wanted);
  });
}

test('the lines have the colour of the theme that was chosen @page', async ({ studio: { page } }) => {
  await open(page, 'Docs');
  for (const theme of ['dark', 'light', 'high contrast']) {
    await runCommand(page, `Theme: ${theme}`);
    await expect.poll(() => hasColourOfLines(page), { message: theme }).toBe(true);
  }
});
