import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WebSocketRoute } from '@playwright/test';
import { expect, test } from '../studio.ts';

test('a folder that does not exist is refused at the field, with the way out', async ({
  studio: { page },
}) => {
  // While one folder is opened, no other can be asked for.
  await expect(page.getByRole('treeitem', { name: 'Harbor' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+O');
  const path = page.getByRole('textbox', { name: 'Path of the folder' });
  await path.fill('/nowhere/at/all');
  await path.press('Enter');
  await expect(path).toHaveAccessibleDescription(
    /Cannot open .*nowhere.*Check the path, or choose another folder/,
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('treeitem', { name: 'Harbor' })).toBeVisible();
});

test('only a pane that the user moves keeps its size', async ({ studio: { page, home } }) => {
  const kept = async (): Promise<string[]> => {
    const text = await readFile(join(home, 'studio.json'), 'utf8').catch(() => '{}');
    return Object.keys((JSON.parse(text) as { panes?: object }).panes ?? {});
  };
  const explorer = page.getByRole('region', { name: 'Explorer' });
  const width = async (): Promise<number> => (await explorer.boundingBox())?.width ?? 0;
  const small = { width: 1280, height: 800 };
  await page.setViewportSize(small);
  await page.getByRole('treeitem', { name: 'Harbor' }).click();
  await expect(page.getByRole('region', { name: 'Inspector' })).toBeVisible();
  const before = await width();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await expect.poll(width).toBeGreaterThan(before);
  await page.setViewportSize(small);
  await expect.poll(width).toBe(before);
  await page.getByRole('separator', { name: 'Height of the panel' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(kept).toEqual(['panel']);
  const edge = await page.getByRole('separator', { name: 'Width of the explorer' }).boundingBox();
  await page.mouse.move(edge!.x, edge!.y + 100);
  await page.mouse.down();
  await page.mouse.move(edge!.x + 40, edge!.y + 100, { steps: 4 });
  await page.mouse.up();
  await expect.poll(kept).toEqual(['panel', 'explorer']);
});

test('a lost connection is told, comes back by itself and costs no typed text', async ({
  studio: { page },
}) => {
  const sockets: WebSocketRoute[] = [];
  let isReachable = true;
  await page.routeWebSocket(/\/rpc$/, async (socket) => {
    if (!isReachable) return socket.close();
    socket.connectToServer();
    sockets.push(socket);
  });
  await page.reload();
  await page.getByRole('treeitem', { name: 'Harbor' }).click();
  await page.getByRole('button', { name: 'YAML', exact: true }).click();
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('# kept');

  isReachable = false;
  await sockets[0]?.close();
  await expect(page.getByText('Lost the connection to the studio’s engine. Trying again…')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByText('The studio’s engine is not connected')).toBeVisible();

  isReachable = true;
  await expect(page.getByText('Lost the connection')).toHaveCount(0);
  await expect(page.getByText('The studio’s engine is not connected')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+S');
  await expect(page.getByRole('tab', { name: /not saved/ })).toHaveCount(0);
  await expect(page.locator('.monaco-editor')).toContainText('# kept');
});

test.describe('with names that no row can hold', () => {
  const file = `lenses/${'a-file-name-that-goes-on-'.repeat(5)}x.lens`;
  const skill = 'a-skill-with-a-name-that-is-as-long-as-the-name-of-a-skill-may';
  test.use({
    files: {
      [file]: `lens:
  metadata: { name: Endless, version: 1.0.0 }
  skills:
    - { name: ${skill}, description: Goes on, instructions: Go on }
`,
      'lenses/empty.lens': 'lens:\n  metadata: { name: Empty, version: 1.0.0 }\n',
    },
  });

  test('a tab stays closable, what is cut is told in full, and a lens without skills has a plan that says so', async ({
    studio: { page },
  }) => {
    await page.getByRole('treeitem', { name: 'Endless' }).click();
    await expect(page.getByTitle('Close', { exact: true })).toBeInViewport({ ratio: 1 });
    await page.getByRole('tab', { name: 'Plan' }).click();
    await expect(page.getByRole('table', { name: 'Plan' }).getByTitle(skill)).toBeVisible();
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    const parts = page.getByRole('navigation', { name: 'Parts of the form' });
    await parts.getByRole('button', { name: /^Skills/ }).click();
    await expect(parts.getByTitle(skill)).toBeVisible();
    await page.getByRole('treeitem', { name: 'Empty' }).click();
    await expect(page.getByText('No skills to plan')).toBeVisible();
  });

  test('a narrow window leaves a name, the reasons of the plan and every tab of the panel their room', async ({
    studio: { page },
  }) => {
    await page.setViewportSize({ width: 853, height: 533 });
    await page.getByRole('treeitem', { name: 'Endless' }).click();
    await expect(page.getByTitle('Close', { exact: true })).toBeInViewport({ ratio: 1 });
    const why = page.getByRole('table', { name: 'Plan' }).getByRole('cell').nth(2);
    await expect.poll(async () => (await why.boundingBox())?.width).toBeGreaterThan(80);
    await page.getByRole('button', { name: 'Form', exact: true }).click();
    await page.getByTitle('Skills', { exact: true }).click();
    const name = page.getByRole('region', { name: 'Skills' }).getByRole('heading', { level: 2 });
    await expect.poll(async () => (await name.boundingBox())?.width).toBeGreaterThan(100);
    await page.keyboard.press('Alt+T');
    await expect(page.getByRole('tab', { name: 'Tests' })).toBeInViewport({ ratio: 0.9 });
  });
});
