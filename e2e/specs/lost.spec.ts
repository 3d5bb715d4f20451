import { once } from 'node:events';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { typeAtEndOfHarbor } from '../page.ts';
import { startWeb, startWebServer } from '../start-web.ts';
import { expect, temporaryFolder, test } from '../studio.ts';
import { diskWorld } from '../world.ts';

const file = 'lenses/harbor.lens';

test('a folder that is gone is told of, opened again when it is back, and costs no typed text', async ({
  studio: { page, workspace },
}) => {
  await typeAtEndOfHarbor(page, '# kept');
  await rename(workspace, `${workspace}-away`);
  await expect(page.getByText(/^The folder ".*" was deleted or moved$/)).toBeVisible();
  await expect(page.locator('.monaco-editor')).toContainText('# kept');

  await rename(`${workspace}-away`, workspace);
  await expect(page.getByText('was deleted or moved')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByRole('tab', { name: /not saved/ })).toHaveCount(0);
  const world = diskWorld(workspace);
  expect(await world.readFile(workspace, file)).toMatch(/# kept$/);
  // It is followed again, too.
  await world.writeFile(workspace, 'lenses/new.lens', 'lens:\n  metadata: { name: Newcomer }\n');
  await expect(page.getByRole('treeitem', { name: 'Newcomer' })).toBeVisible();
});

test('after its folder was deleted, the studio goes on with another', async ({
  studio: { page, workspace, host },
}) => {
  test.skip(host === 'desktop', 'The system asks for the folder there');
  await using folder = await temporaryFolder('other');
  const other = await diskWorld(folder.path).makeWorkspace({
    'lenses/quay.lens': 'lens:\n  metadata: { name: Quay }\n',
  });
  await expect(page.getByRole('treeitem', { name: 'Harbor' })).toBeVisible();
  await rm(workspace, { recursive: true });
  await page.getByRole('button', { name: 'Open another folder' }).click();
  await page.getByRole('textbox', { name: 'Path of the folder' }).fill(other);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('treeitem', { name: 'Quay' })).toBeVisible();
  await expect(page.getByText('was deleted or moved')).toHaveCount(0);
});

test('a killed engine is told of, and the page goes on with the next one and its unsaved text', async ({
  hostKind,
}) => {
  test.skip(hostKind === 'desktop', 'The window ends with its engine there; see drafts.spec.ts');
  await using folder = await temporaryFolder('killed');
  const home = join(folder.path, 'home');
  const workspace = await diskWorld(folder.path).makeWorkspace({
    [file]: 'lens:\n  metadata: { name: Harbor, version: 1.0.0 }\n  skills: []\n',
  });
  await using studio = await startWeb({ home, workspace });
  const { page, server } = studio;
  await typeAtEndOfHarbor(page, '# kept');
  // What was typed in the last moment before is in the page alone.
  const drafts = (): Promise<string[]> => readdir(join(home, 'drafts'), { recursive: true }).catch(() => []);
  await expect.poll(async () => (await drafts()).some((name) => name.endsWith('.json'))).toBe(true);
  const ended = once(server.process, 'exit');
  server.process.kill('SIGKILL');
  await ended;
  await expect(page.getByText('Lost the connection to the studio’s engine. Trying again…')).toBeVisible();
  await expect(page.getByText(/If the studio was stopped, start it again/)).toBeVisible({ timeout: 30_000 });
  await expect(page.locator('.monaco-editor')).toContainText('# kept');
  await page.keyboard.type(' and more');

  await using next = await startWebServer({ home, workspace });
  await page.goto(next.address);
  await expect(page.getByRole('tab', { name: /harbor\.lens.*not saved/ })).toBeVisible();
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await expect(page.locator('.monaco-editor').first()).toContainText('# kept');
});
