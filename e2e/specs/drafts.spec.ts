import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { typeAtEndOfHarbor } from '../page.ts';
import { startDesktop } from '../start-desktop.ts';
import { startWeb } from '../start-web.ts';
import { expect, temporaryFolder, test } from '../studio.ts';
import type { StudioOptions } from '../studio.ts';
import { diskWorld } from '../world.ts';

const file = 'lenses/harbor.lens';
const lens = 'lens:\n  metadata:\n    name: Harbor\n    version: 1.0.0\n  skills: []\n';

interface Started extends AsyncDisposable {
  readonly page: Page;
  /** Ends the whole studio as a power cut would. */
  readonly kill: () => Promise<void>;
}

async function start(
  hostKind: StudioOptions['hostKind'],
  { home, workspace }: { home: string; workspace: string },
): Promise<Started> {
  if (hostKind === 'desktop') {
    const running = await startDesktop({ home, args: [workspace] });
    return { ...running, kill: () => killed(running.app.process()) };
  }
  const running = await startWeb({ home, workspace });
  return {
    ...running,
    kill: async () => {
      await killed(running.server.process);
      await running[Symbol.asyncDispose]();
    },
  };
}

async function killed(
  process: ReturnType<Awaited<ReturnType<typeof startDesktop>>['app']['process']>,
): Promise<void> {
  const exited = once(process, 'exit');
  process.kill('SIGKILL');
  await exited;
}

/** What the studio has kept of unsaved text, as one text. */
async function keptIn(home: string): Promise<string> {
  const folder = join(home, 'drafts');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const drafts = names.filter((name) => name.endsWith('.json'));
  // One that is dropped in between is kept no more.
  const texts = drafts.map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).join('\n').trim();
}

test('unsaved text is there again after the studio was killed, also where the file changed since', async ({
  hostKind,
}) => {
  await using folder = await temporaryFolder('drafts');
  const home = join(folder.path, 'home');
  const world = diskWorld(folder.path);
  const workspace = await world.makeWorkspace({ [file]: lens });
  const editor = (page: Page) => page.locator('.monaco-editor').first();

  const first = await start(hostKind, { home, workspace });
  await typeAtEndOfHarbor(first.page, '# typed in vain');
  await expect.poll(() => keptIn(home)).toContain('# typed in vain');
  await first.kill();
  expect(await world.readFile(workspace, file)).toBe(lens);

  const second = await start(hostKind, { home, workspace });
  await expect(second.page.getByText('This text was not saved before the studio ended')).toBeVisible();
  await expect(second.page.getByRole('tab', { name: /harbor\.lens.*not saved/ })).toBeVisible();
  await second.page.getByRole('button', { name: 'YAML', exact: true }).click();
  await expect(editor(second.page)).toContainText('# typed in vain');
  await second.kill();

  await world.writeFile(workspace, file, `${lens}# theirs\n`);
  const third = await start(hostKind, { home, workspace });
  await expect(third.page.getByText('The file changed on disk')).toBeVisible();
  await third.page.getByRole('button', { name: 'Compare' }).click();
  await expect(third.page.locator('.monaco-diff-editor')).toContainText('# typed in vain');
  await third.page.getByRole('button', { name: 'Overwrite' }).click();
  await expect.poll(() => world.readFile(workspace, file)).toBe(`${lens}# typed in vain`);
  await expect.poll(() => keptIn(home)).toBe('');
  await third[Symbol.asyncDispose]();
});

test('a window closes without a question, and the next has what was not saved', async ({ hostKind }) => {
  await using folder = await temporaryFolder('drafts');
  const home = join(folder.path, 'home');
  const world = diskWorld(folder.path);
  const workspace = await world.makeWorkspace({ [file]: lens });
  {
    await using studio = await start(hostKind, { home, workspace });
    await typeAtEndOfHarbor(studio.page, '# for later');
    await expect.poll(() => keptIn(home)).toContain('# for later');
  }
  await using studio = await start(hostKind, { home, workspace });
  await studio.page.getByRole('button', { name: 'Give it up' }).click();
  await expect(studio.page.getByRole('tab', { name: /not saved/ })).toHaveCount(0);
  await expect.poll(() => keptIn(home)).toBe('');
  expect(await world.readFile(workspace, file)).toBe(lens);
});
