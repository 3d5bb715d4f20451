import type { Locator, Page } from '@playwright/test';
import { expectAccessible, runButton, runCommand } from '../page.ts';
import { expect, test } from '../studio.ts';

const print = [
  "printf 'plain \\033[31mred\\033[0m \\033[1;38;5;46mgreen\\033[0m\\n' >&2",
  "printf '\\033]0;title\\007\\033[2Jcleared \\033[44;30mon blue\\033[0m\\n' >&2",
  'for i in $(seq 1 2000); do echo "line $i" >&2; done',
];

test.use({
  files: {
    'talk.lens': [
      'lens:',
      '  metadata: { name: Talk, version: 1.0.0 }',
      '  skills:',
      '    - name: talk',
      '      description: Talks',
      '      scripts:',
      '        - name: talk.sh',
      '          language: bash',
      '          content: |',
      ...print.map((line) => `            ${line}`),
      '            echo done',
      '',
    ].join('\n'),
  },
});

const log = (page: Page): Locator => page.getByRole('group', { name: 'Output of the scripts' });

test('the log shows the colours of a script and nothing else that it tells a terminal', async ({
  studio: { page },
}) => {
  await page.getByRole('treeitem', { name: 'Talk' }).click();
  await runButton(page).click();
  await expect(log(page)).toContainText('line 2000', { timeout: 30_000 });
  const search = page.getByRole('searchbox', { name: 'Search the output' });
  await search.fill('PLAIN RED');
  await expect(page.getByRole('status').filter({ hasText: '1 line' })).toBeVisible();
  await expect(log(page)).toHaveText(/plain red green/);
  await expect(log(page).locator('.red')).toHaveText('red');
  await expect(log(page).locator('.green.bold')).toHaveText('green');
  await search.fill('cleared');
  await expect(log(page)).toHaveText(/^talk\s*cleared on blue$/);
  await expect(log(page).locator('.blue')).toHaveText('on blue');
  for (const theme of ['light', 'dark']) {
    await runCommand(page, `Theme: ${theme}`);
    await expectAccessible(page);
  }
  await search.fill('');
  await expect(log(page)).toContainText('line 10');
});

/** What Python says of an error deep down: longer than the card is high. */
const fall = [
  'def fall(i):',
  '    if i == 0: open("/workspace/of-a-file-that-nobody-ever-wrote.md")',
  '    fall_again(i)',
  'def fall_again(i): fall(i - 1)',
  'import sys',
  'print("0 errors so far", file=sys.stderr)',
  'for i in range(300): print("line", i, file=sys.stderr)',
  'fall(9)',
];

test.describe('a script that fails', () => {
  test.use({
    files: {
      'fail.lens': [
        'lens:',
        '  metadata: { name: Fall, version: 1.0.0 }',
        '  skills:',
        '    - name: fall',
        '      description: Falls',
        '      scripts:',
        '        - name: fall.py',
        '          language: python',
        '          content: |',
        ...fall.map((line) => `            ${line}`),
        '',
      ].join('\n'),
    },
  });

  test('says why at a glance, and the log leads to its error again and again', async ({
    studio: { page },
  }) => {
    await page.getByRole('treeitem', { name: 'Fall' }).click();
    await runButton(page).click();
    await expect(log(page)).toContainText('FileNotFoundError', { timeout: 30_000 });
    await page
      .getByRole('list', { name: 'Steps of the run' })
      .getByRole('button', { name: /^fall failed/ })
      .click();
    const card = page.getByRole('region', { name: 'Inspector' }).getByRole('region', { name: 'Error' });
    await expect(card.getByRole('paragraph').first()).toHaveText(
      /^FileNotFoundError: .*nobody-ever-wrote.md'$/,
    );
    const { top, below } = await card.locator('pre').evaluate((box) => {
      return { top: box.scrollTop, below: box.scrollHeight - box.clientHeight - box.scrollTop };
    });
    expect([top > 0, Math.abs(below) <= 1]).toEqual([true, true]);
    await card.getByRole('button', { name: 'Copy report' }).click();
    await expect(card.getByRole('button', { name: 'Copied' })).toBeVisible();
    await expect(card.getByRole('button', { name: 'Copy report' })).toBeVisible();
    await expectAccessible(page);
    const search = page.getByRole('searchbox', { name: 'Search the output' });
    const next = page.getByRole('button', { name: 'Next error' });
    const found = log(page).locator('.found');
    await next.click();
    await expect(found).toContainText('Traceback');
    await next.click();
    await expect(found).toContainText('FileNotFoundError');
    await search.fill('FileNotFoundError');
    await expect(found).toContainText('FileNotFoundError');
    await search.fill('e');
    await log(page).evaluate((box) => (box.scrollTop = 0));
    await expect(found).toHaveCount(0);
    await search.fill('nobody-ever-wrote');
    await next.click();
    await search.fill('e');
    await log(page).evaluate((box) => (box.scrollTop = 0));
    await next.click();
    await next.click();
    await expect(found).toBeInViewport();
    await search.fill('line 7');
    await next.click();
    await expect(page.getByText('No error in the output')).toBeVisible();
  });
});
