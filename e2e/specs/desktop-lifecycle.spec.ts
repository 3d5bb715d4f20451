import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { answerDialogs, questions } from '../dialogs.ts';
import { injectContract } from '../inject-contract.ts';
import { electronBinary, electronCommand, startDesktop } from '../start-desktop.ts';
import { expect, temporaryFolder, test } from '../studio.ts';
import type { Studio } from '../studio.ts';

interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Starts the app once more, as a desktop or a shell would, and waits for its end. */
async function startAgain(
  home: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Ended> {
  const command = electronCommand({ home, args });
  const child = spawn(electronBinary(), command.args, { env: { ...command.env, ...environment } });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  // Chromium's own lines, such as a missing message bus, are not the app's.
  const output = lines
    .join('')
    .split('\n')
    .filter((line) => line !== '' && !/^\[\d+:/.test(line))
    .join('\n');
  return { exitCode, output };
}

function mainProcess({ app }: Studio): ElectronApplication {
  if (!app) throw new Error('These tests look at an Electron window');
  return app;
}

/** Follows the host's events inside the page, over a connection of its own. */
async function followEvents({ page }: Studio): Promise<() => Promise<unknown[]>> {
  await injectContract(page);
  await page.evaluate(async () => {
    globalThis.heardEvents = [];
    const client = await globalThis.sunwellContract.client;
    const events = await client.app.events();
    void (async () => {
      for await (const event of events) globalThis.heardEvents.push(event);
    })();
  });
  return () => page.evaluate(() => globalThis.heardEvents);
}

declare global {
  var heardEvents: unknown[];
}

test.describe('a page that is loaded again at once', () => {
  test.use({ files: { 'early.lens': 'metadata: { name: Early bird, version: 1.0.0 }\nskills: []\n' } });

  test('opens the folder that the window was started with', async ({ studio: { page } }) => {
    await page.reload();
    await expect(page.getByRole('treeitem', { name: 'Early bird' })).toBeVisible();
  });
});

test('a second start ends at once, and the first asks before it opens the folder', async ({ studio }) => {
  const app = mainProcess(studio);
  await using other = await temporaryFolder('other');
  const heard = await followEvents(studio);

  await answerDialogs(app, 'Cancel');
  expect(await startAgain(studio.home, [other.path])).toEqual({
    exitCode: 0,
    output: 'Sunwell Studio is already running: its window comes forward',
  });
  await expect
    .poll(() => questions(app))
    .toEqual([
      {
        message: 'Open this folder?',
        detail: `${other.path}\n\nA second start of the studio asks for it.`,
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
      },
    ]);

  await answerDialogs(app, 'Open');
  await startAgain(studio.home, [other.path]);
  await expect.poll(heard).toEqual([{ type: 'open-folder', folder: other.path }]);
});

test('a link asks with the full path; one that is malformed is refused with a reason', async ({ studio }) => {
  const app = mainProcess(studio);
  await using other = await temporaryFolder('linked');
  const heard = await followEvents(studio);

  await answerDialogs(app, 'Cancel');
  await startAgain(studio.home, [`sunwell://open?path=${encodeURIComponent(`${other.path}/a/..`)}`]);
  await startAgain(studio.home, ['sunwell://open?path=relative']);
  await expect
    .poll(() => questions(app))
    .toMatchObject([
      {
        message: 'Open this folder?',
        detail: `${other.path}\n\nA link outside the studio asks for it.`,
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
      },
      {
        message: 'The link was not opened',
        detail: 'Cannot open the link "sunwell://open?path=relative": its path is not absolute',
      },
    ]);
  expect(await heard()).toEqual([]);

  await answerDialogs(app, 'Open');
  // As macOS delivers links.
  await app.evaluate(({ app }, path) => {
    app.emit('open-url', { preventDefault: () => undefined }, `sunwell://open?path=${path}`);
  }, other.path);
  await expect.poll(heard).toEqual([{ type: 'open-folder', folder: other.path }]);
});

test('a menu command reaches the page', async ({ studio }) => {
  const heard = await followEvents(studio);
  await mainProcess(studio).evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById('view.theme-dark')?.click();
  });
  await expect.poll(heard).toEqual([{ type: 'command', command: 'view.theme-dark' }]);
});

test('a crashed page comes back by itself once, with a notice, and asks the second time', async ({
  studio,
}) => {
  const app = mainProcess(studio);
  await answerDialogs(app, 'Load Again');
  const crash = (): Promise<void> =>
    app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const gone = new Promise<void>((resolve) => contents?.once('render-process-gone', () => resolve()));
      contents?.forcefullyCrashRenderer();
      await gone;
    });
  // Playwright gives a crashed page up for good, so the window is asked directly.
  const shown = (): Promise<string> =>
    app.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      // A script given to a page that is dying or not yet there may never be answered.
      if (!contents || contents.isCrashed() || contents.isLoading()) return 'not there';
      return (await contents.executeJavaScript('document.body.innerText')) as string;
    });

  await crash();
  await expect.poll(shown).toContain('The window crashed and was loaded again');
  expect(await questions(app)).toEqual([]);

  await crash();
  await expect
    .poll(() => questions(app))
    .toMatchObject([{ message: 'The window crashed again', buttons: ['Load Again', 'Quit'] }]);
  await expect.poll(shown).toContain('The window crashed and was loaded again');
});

test('a page that is loaded again connects again', async ({ studio }) => {
  await using folder = await temporaryFolder('reload');
  // The page opens its workspace by itself; were that to come to its end later, it would be the last one opened.
  await expect(studio.page.getByRole('treeitem', { name: 'Harbor' })).toBeVisible();
  await injectContract(studio.page);
  const recent = (): Promise<string> =>
    studio.page.evaluate(async () => {
      const client = await globalThis.sunwellContract.client;
      return (await client.workspace.open({ from: 'start' })).location;
    });
  expect(await recent()).toBe(studio.workspace);
  await studio.page.evaluate(async (location) => {
    const client = await globalThis.sunwellContract.client;
    await client.workspace.open({ from: 'folder', folder: location });
  }, folder.path);

  await studio.page.reload();
  await injectContract(studio.page);
  expect(await recent()).toBe(folder.path);
});

test('a bug in the main process is shown once, by its reference and without its stack', async ({
  studio,
}) => {
  const app = mainProcess(studio);
  await answerDialogs(app, 'Keep Working');
  await app.evaluate(() => {
    setTimeout(() => {
      throw new Error('planted by a test');
    });
  });
  await expect.poll(async () => (await questions(app)).length).toBe(1);
  const [question] = await questions(app);
  const log = await readFile(join(studio.home, 'logs', 'studio.log'), 'utf8');
  const { reference, error } = JSON.parse(log.trim()) as Record<string, string>;
  expect(error).toContain('planted by a test');
  expect(question).toMatchObject({
    message: 'Something went wrong inside the studio',
    detail: `It is written down as "${reference}" in\n${join(studio.home, 'logs', 'studio.log')}`,
  });
});

test('the window opens where it was left, and a damaged record is replaced', async () => {
  await using home = await temporaryFolder('home');
  const stateFile = join(home.path, 'window.json');
  await writeFile(stateFile, '{ damaged');
  const left = { x: 60, y: 40, width: 900, height: 700 };
  {
    await using first = await startDesktop({ home: home.path, args: [home.path] });
    await first.app.evaluate(
      ({ BrowserWindow }, left) => BrowserWindow.getAllWindows()[0]?.setBounds(left),
      left,
    );
  }
  expect(JSON.parse(await readFile(stateFile, 'utf8'))).toEqual({ ...left, maximized: false });
  await using second = await startDesktop({ home: home.path, args: [home.path] });
  const bounds = await second.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.getBounds(),
  );
  expect(bounds).toEqual(left);
});

test('a machine without a display gets one line and exit code 1', async () => {
  test.skip(process.platform !== 'linux', 'Other systems always have one');
  await using home = await temporaryFolder('home');
  const ended = await Promise.all(
    [
      { DISPLAY: '', WAYLAND_DISPLAY: '' },
      { DISPLAY: ':4321', WAYLAND_DISPLAY: '' },
    ].map((environment) => startAgain(home.path, [], environment)),
  );
  expect(ended).toEqual([
    {
      exitCode: 1,
      output:
        'Cannot open a window: there is no display, run "sunwell studio --web" to use a browser instead',
    },
    {
      exitCode: 1,
      output:
        'Cannot open a window: display ":4321" is not there, run "sunwell studio --web" to use a browser instead',
    },
  ]);
});
