import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { appRoot } from '../places.ts';
import { expectAccessible, keepPicture, runButton } from '../page.ts';
import { expect, test } from '../studio.ts';

/** The sample that ships, as a workspace of the test's own. */
const sample = join(appRoot, 'resources/sample');
const files = Object.fromEntries(
  readdirSync(sample, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(sample.length + 1), readFileSync(path, 'utf8')]),
);

test.use({ files });

const runBar = (page: Page): Locator => page.getByRole('group', { name: 'Run', exact: true });
const panelTab = (page: Page, name: string): Locator =>
  page.getByRole('tablist', { name: 'Panel' }).getByRole('tab', { name });
const panel = (page: Page): Locator => page.getByRole('tabpanel');
const steps = (page: Page): Locator => page.getByRole('list', { name: 'Steps of the run' });
const planRow = (page: Page, skill: string): Locator =>
  page.getByRole('table', { name: 'Plan' }).getByRole('row', { name: new RegExp(`^${skill} `) });
const inspector = (page: Page): Locator => page.getByRole('region', { name: 'Inspector' });
const node = (page: Page, name: string): Locator => page.locator('.svelte-flow__node', { hasText: name });

async function open(page: Page): Promise<void> {
  await page.getByRole('treeitem', { name: 'Harbor docs' }).click();
  await expect(runButton(page)).toHaveText('Run 8');
}

async function runAll(page: Page): Promise<void> {
  await runButton(page).click();
  await expect(runButton(page)).toHaveText('Run · skip 8', { timeout: 30_000 });
}

test('the plan says why, Run does it, and the second time nothing runs', async ({ studio: { page } }) => {
  await open(page);
  await expect(planRow(page, 'extract-api')).toContainText('run');
  await runAll(page);
  await expect(steps(page).getByRole('listitem')).toHaveCount(8);
  await expect(steps(page).getByText('ran', { exact: true })).toHaveCount(8);
  await expectAccessible(page);
  await panelTab(page, 'Timeline').click();
  await expect(page.getByRole('list', { name: 'Timeline of the run' }).getByRole('listitem')).toHaveCount(8);
  await expectAccessible(page);
  await panelTab(page, 'Verdicts').click();
  await expect(panel(page)).toContainText('has-headings');
  await expectAccessible(page);
  await panelTab(page, 'Plan').click();
  await expect(planRow(page, 'extract-api')).toContainText('skip');
  await expect(planRow(page, 'extract-api')).toContainText('took');
  await expectAccessible(page);
  await runButton(page).click();
  await expect(steps(page).getByText('cached', { exact: true })).toHaveCount(8);
});

test('one edited line is one reason with its diff, and what it proposes is reviewed and applied', async ({
  studio: { page, workspace },
}) => {
  await open(page);
  await runAll(page);
  await writeFile(join(workspace, 'docs/reference.md'), 'old\n');
  await page.getByRole('treeitem', { name: 'Harbor docs' }).click();
  await node(page, 'write-reference').click();
  await inspector(page).getByRole('button', { name: 'write-reference.py' }).click();
  const editor = page.locator('.monaco-editor').first();
  await expect(editor).toContainText('import', { timeout: 20_000 });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('# Edited in the studio\n');
  await page.keyboard.press('ControlOrMeta+s');
  await page.getByRole('tab', { name: /harbor-docs.lens/ }).click();
  await panelTab(page, 'Plan').click();
  await expect(planRow(page, 'write-reference')).toContainText('script write-reference.py changed (1 line)');
  await expect(planRow(page, 'list-docs')).toContainText('run');
  await planRow(page, 'write-reference')
    .getByRole('button', { name: /script write-reference.py/ })
    .click();
  await expect(page.getByRole('dialog')).toContainText('# Edited in the studio');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await runButton(page).click();
  await expect(runButton(page)).toHaveText('Run · skip 8', { timeout: 30_000 });
  await panelTab(page, 'Changes').click();
  const proposed = page.getByRole('list', { name: 'Proposed files' });
  await expect(proposed).toContainText('docs/reference.md');
  await page.getByRole('checkbox', { name: 'Accept docs/report.md' }).uncheck();
  // Two large texts side by side: looking at each of their spans takes axe longer than all else.
  await expectAccessible(page, '.monaco-editor');
  await page.getByRole('button', { name: 'Apply 1 file' }).click();
  await expect(proposed).toContainText('applied');
  expect(await readFile(join(workspace, 'docs/reference.md'), 'utf8')).toContain('# API reference');
});

test('a long script is cancelled with all its processes', async ({ studio: { page, workspace, host } }) => {
  // Both hosts may be at this test at the same time, and each looks for its own.
  const seconds = host === 'web' ? '4998' : '4999';
  await writeFile(
    join(workspace, 'scripts/list-docs.py'),
    `import subprocess, sys\nprint("waiting", file=sys.stderr, flush=True)\nsubprocess.run(["sleep", "${seconds}"])\n`,
  );
  await open(page);
  await runButton(page).click();
  await expect(panel(page)).toContainText('waiting', { timeout: 20_000 });
  await runBar(page).getByRole('button', { name: 'Stop' }).click();
  await expect(steps(page).getByText('cancelled').first()).toBeVisible();
  await expect(runButton(page)).toBeVisible();
  expect(sleepers(seconds)).toEqual([]);
});

/** Processes of the cancelled script, by what they are called. */
function sleepers(seconds: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return []; // It ended while we looked.
      }
    })
    .filter((command) => command.startsWith('sleep\0') && command.includes(seconds));
}

test('a failing script has an error card that leads to its line', async ({ studio: { page, workspace } }) => {
  await writeFile(join(workspace, 'scripts/extract-api.py'), 'import sys\n\nraise SystemError("no luck")\n');
  await open(page);
  await runButton(page).click();
  await expect(steps(page).getByText('failed', { exact: true })).toHaveCount(1, { timeout: 30_000 });
  await expect(steps(page).getByText('blocked', { exact: true })).toHaveCount(3);
  await expect(runButton(page)).toContainText('Run 4 · skip 4');
  await steps(page)
    .getByRole('button', { name: /extract-api/ })
    .click();
  const card = inspector(page).getByRole('region', { name: 'Error' });
  await expect(card).toContainText('exit code 1');
  await expect(card).toContainText('no luck');
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Open extract-api.py at line 3' }).click();
  await expect(page.locator('.monaco-editor').first()).toContainText('no luck', { timeout: 20_000 });
  await expect(page.getByRole('contentinfo')).toContainText('Ln 3');
  await page.getByRole('tab', { name: /harbor-docs.lens/ }).click();
  await panelTab(page, 'Plan').click();
  await expect(planRow(page, 'extract-api')).toContainText('failed');
});

test('a script that misses what it may not see is told so, and gets it by a button', async ({
  studio: { page, workspace },
}) => {
  const script = 'scripts/extract-api.py';
  await writeFile(join(workspace, script), `open("docs/index.md")\n${files[script]}`);
  await open(page);
  await runButton(page).click();
  await expect(steps(page).getByText('failed', { exact: true })).toHaveCount(1, { timeout: 30_000 });
  await steps(page)
    .getByRole('button', { name: /extract-api/ })
    .click();
  const card = inspector(page).getByRole('region', { name: 'Error' });
  const waysOut = card.getByRole('list', { name: 'What to do' });
  await expect(waysOut).toContainText(
    '"docs/index.md" is in the workspace, but "extract-api" sees other files',
  );
  await expectAccessible(page);
  await waysOut.getByRole('button', { name: 'Add docs/index.md to files' }).click();
  await expect(waysOut).toContainText('Added: run it again');
  await runButton(page).click();
  await expect(runButton(page)).toHaveText('Run · skip 8', { timeout: 30_000 });
  expect(await readFile(join(workspace, 'lenses/harbor-docs.lens'), 'utf8')).toBe(
    files['lenses/harbor-docs.lens']!.replace(
      /(- name: extract-api[^]*?files: \["src\/\*\*\/\*\.py")\]/,
      '$1, "docs/index.md"]',
    ),
  );
});

test('history shows runs again and compares two of them; the cache lists what is kept', async ({
  studio: { page, workspace },
}) => {
  await open(page);
  await runAll(page);
  await writeFile(join(workspace, 'src/harbor/extra.py'), 'def more():\n    """More."""\n');
  await expect(runButton(page)).toContainText('undecided', { timeout: 20_000 });
  await runButton(page).click();
  await expect(runButton(page)).toHaveText('Run · skip 8', { timeout: 30_000 });
  await page.getByRole('navigation', { name: 'Studio' }).getByRole('button', { name: 'History' }).click();
  const boxes = page.getByRole('table', { name: 'Runs' }).getByRole('checkbox');
  await expect(boxes).toHaveCount(2);
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  const comparison = page.getByRole('region', { name: 'Comparison' });
  await expect(comparison).toContainText('extract-api');
  const labels = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label')));
  expect(new Set(labels).size).toBe(2);
  await expect(comparison.getByRole('heading')).toHaveText(/^Harbor docs: .*\d:\d\d.* → .*\d:\d\d/);
  await expectAccessible(page);
  await page
    .getByRole('table', { name: 'Runs' })
    .getByRole('button', { name: 'just now', exact: true })
    .nth(1)
    .click();
  await expect(steps(page).getByText('ran', { exact: true })).toHaveCount(8);
  await page.getByRole('navigation', { name: 'Studio' }).getByRole('button', { name: 'Cache' }).click();
  const entries = page.getByRole('table', { name: 'Cache entries' });
  await expect(entries).toContainText('lenses/harbor-docs.lens:extract-api');
  await entries.getByRole('button', { expanded: false }).filter({ hasNotText: 'verdicts' }).first().click();
  await expect(entries).toContainText('Fingerprint');
  await expectAccessible(page);
});

test('a window that is reloaded during a run catches up', async ({ studio: { page, workspace } }) => {
  await writeFile(
    join(workspace, 'scripts/list-docs.py'),
    `import sys, time\nprint("hello", file=sys.stderr, flush=True)\ntime.sleep(4)\n${files['scripts/list-docs.py']}`,
  );
  await open(page);
  await runButton(page).click();
  await expect(panel(page)).toContainText('hello', { timeout: 20_000 });
  await page.reload();
  await page.getByRole('treeitem', { name: 'Harbor docs' }).click();
  await panelTab(page, 'Run').click();
  await expect(panel(page)).toContainText('hello', { timeout: 20_000 });
  await expect(steps(page).getByText('ran', { exact: true })).toHaveCount(8, { timeout: 30_000 });
});

test('what another process runs is followed, is there again after a reload, and its changes follow the disk', async ({
  studio: { page, workspace, home },
}) => {
  await writeFile(
    join(workspace, 'scripts/list-docs.py'),
    `import time\ntime.sleep(6)\n${files['scripts/list-docs.py']}`,
  );
  await open(page);
  const history = page.getByRole('navigation', { name: 'Studio' }).getByRole('button', { name: 'History' });
  await history.click();
  const other = promisify(execFile)(
    process.execPath,
    [join(appRoot, 'dist/cli.cjs'), 'apply', 'lenses/harbor-docs.lens', '--all'],
    { cwd: workspace, env: { ...process.env, SUNWELL_HOME: home } },
  );
  const row = page.getByRole('table', { name: 'Runs' }).getByRole('row').nth(1);
  await expect(row).toContainText('running', { timeout: 20_000 });
  await history.click();
  await expect(runBar(page)).toContainText('Started elsewhere: stop it there');
  await expect(runBar(page).getByRole('button')).toHaveCount(0);
  await panelTab(page, 'Run').click();
  await expect(panel(page)).toContainText('What it prints is shown when it is over.');
  await expect(steps(page).getByRole('button', { name: /^Cancel/ })).toHaveCount(0);
  await keepPicture(page, 'run-elsewhere');
  await history.click();
  await expect(row).toContainText('succeeded', { timeout: 30_000 });
  await other;
  await history.click();
  await expect(runButton(page)).toHaveText('Run · skip 8');
  await panelTab(page, 'Run').click();
  await expect(steps(page).getByText('ran', { exact: true })).toHaveCount(8);
  await page.reload();
  await page.getByRole('treeitem', { name: 'Harbor docs' }).click();
  await panelTab(page, 'Run').click();
  await expect(steps(page).getByText('ran', { exact: true })).toHaveCount(8);
  await panelTab(page, 'Changes').click();
  const proposed = page.getByRole('list', { name: 'Proposed files' });
  await expect(proposed).toContainText('docs/reference.md');
  await mkdir(join(workspace, 'docs'), { recursive: true });
  await writeFile(join(workspace, 'docs/reference.md'), 'theirs\n');
  await expect(proposed).toContainText('changed meanwhile');
});

test(
  'a run that goes on is seen from everywhere and stopped from beside an older one, which never hides it',
  { tag: '@page' },
  async ({ studio: { page, workspace } }) => {
    await open(page);
    await runAll(page);
    const slow = `import time\ntime.sleep(60)\n${files['scripts/list-docs.py']}`;
    await writeFile(join(workspace, 'scripts/list-docs.py'), slow);
    await expect(runButton(page)).not.toHaveText('Run · skip 8');
    await runButton(page).focus();
    await page.keyboard.press('Enter');
    const stop = runBar(page).getByRole('button', { name: 'Stop' });
    await expect(stop).toBeFocused();
    await expect(runBar(page).getByRole('status')).toHaveText(/^\d of 8 skills$/);
    const lensTab = page.getByRole('tab', { name: 'harbor-docs.lens , running' });
    await expect(lensTab).toBeVisible();
    await expectAccessible(page);
    await keepPicture(page, 'live-run');

    await lensTab.focus();
    await page.keyboard.press('Delete');
    await expect(page.getByRole('treeitem', { name: /^Harbor docs , running/ })).toBeVisible();
    await expect(page).toHaveTitle(/^Running/);
    await page.getByRole('navigation', { name: 'Studio' }).getByRole('button', { name: 'History' }).click();
    await page
      .getByRole('table', { name: 'Runs' })
      .getByRole('row')
      .nth(2)
      .getByRole('button')
      .first()
      .click();
    await expect(runBar(page).getByRole('status')).toHaveText(/^Another run goes on · \d of 8 skills$/);
    await expect(steps(page).getByText('ran', { exact: true })).toHaveCount(8);
    await page.keyboard.press('ControlOrMeta+Enter');
    await expect(runButton(page)).toHaveCount(0);
    await keepPicture(page, 'live-run-aside');
    await runBar(page).getByRole('button', { name: 'Show it' }).click();
    await expect(steps(page)).toContainText('running');
    await expect(stop).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(runButton(page)).toBeFocused({ timeout: 20_000 });
    await expect(page).toHaveTitle(/^(?!Running)/);

    const menu = runBar(page).getByRole('button', { name: 'Choose what to run' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitemradio', { name: 'All skills' })).toBeChecked();
    await page.getByRole('menuitem', { name: 'Inputs…' }).click();
    await page.keyboard.press('Escape');
    await expect(menu).toBeFocused();
  },
);

test('plan, run and review work by keyboard alone', async ({ studio: { page } }) => {
  await open(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(runButton(page)).toHaveText('Run · skip 8', { timeout: 30_000 });
  await page.keyboard.press('Alt+3');
  await expect(panelTab(page, 'Plan')).toHaveAttribute('aria-selected', 'true');
  await panelTab(page, 'Plan').focus();
  await page.keyboard.press('ArrowRight');
  await expect(panelTab(page, 'Run')).toBeFocused();
  await page.keyboard.press('Alt+5');
  const apply = page.getByRole('button', { name: 'Apply 2 files' });
  await apply.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Proposed files' })).toContainText('applied');
});
