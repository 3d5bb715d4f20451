import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from '@playwright/test';
import type { ElectronApplication, Page, TestInfo } from '@playwright/test';
import { startDesktop } from './start-desktop.ts';
import { closeBrowser, startWeb } from './start-web.ts';
import { diskWorld } from './world.ts';

export { expect } from '@playwright/test';

export interface StudioOptions {
  /** The front door a project's specs go through. */
  hostKind: 'web' | 'desktop';
  /** What the workspace holds when the studio starts. */
  files: Record<string, string>;
  /** Starts without a workspace of its own, as a user does the first time: on the sample. */
  startsOnSample?: boolean;
}

/** The studio, open on a workspace of its own with a home of its own. */
export interface Studio {
  readonly page: Page;
  readonly host: 'web' | 'desktop';
  readonly workspace: string;
  /** The studio's `$SUNWELL_HOME`. */
  readonly home: string;
  /** Electron's main process; absent on web. */
  readonly app?: ElectronApplication;
}

export interface OpenStudio extends Studio, AsyncDisposable {}

const defaultFiles = {
  'lenses/harbor.lens': [
    'lens:',
    '  metadata:',
    '    name: Harbor',
    '    version: 1.0.0',
    '  skills:',
    '    - name: read-charts',
    '      description: Reads the charts',
    '      type: inline',
    '      instructions: Read them',
    '    - name: plan-route',
    '      description: Plans the route',
    '      type: inline',
    '      instructions: Plan it',
    '      depends_on: [read-charts]',
    '',
  ].join('\n'),
  'skills/team.yaml':
    'skills:\n  - name: moor\n    description: Ties up\n    type: inline\n    instructions: Tie\n',
};

/** A folder that exists until it is disposed. */
export async function temporaryFolder(name: string): Promise<AsyncDisposable & { path: string }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), `sunwell-${name}-`)));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** Starts the studio on a new workspace; for specs that share one start among their tests. */
export async function openStudio({ hostKind, files, startsOnSample }: StudioOptions): Promise<OpenStudio> {
  const folder = await temporaryFolder('e2e');
  const home = join(folder.path, 'home');
  const workspace = startsOnSample ? join(home, 'sample') : await diskWorld(folder.path).makeWorkspace(files);
  try {
    const running =
      hostKind === 'desktop'
        ? await startDesktop({ home, args: startsOnSample ? [] : [workspace] })
        : await startWeb({ home, workspace: startsOnSample ? undefined : workspace });
    return {
      ...running,
      host: hostKind,
      workspace,
      home,
      async [Symbol.asyncDispose]() {
        await running[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

/** Longer than two starts of a window: the time of the test itself begins when the studio is there. */
const startWithinMs = 150_000;

export const test = base.extend<StudioOptions & { studio: Studio }, { browserOfWorker: void }>({
  browserOfWorker: [
    async ({}, use) => {
      await use();
      await closeBrowser();
    },
    { scope: 'worker', auto: true },
  ],
  hostKind: ['web', { option: true }],
  files: [defaultFiles, { option: true }],
  startsOnSample: [false, { option: true }],
  studio: [
    async ({ hostKind, files, startsOnSample }, use, info) => {
      const studio = await openStudio({ hostKind, files, ...(startsOnSample && { startsOnSample }) });
      // A fifth of all work, so only where a test has failed before.
      if (info.retry > 0) await studio.page.context().tracing.start({ screenshots: true, snapshots: true });
      await use(studio);
      await keepEvidence(studio, info);
      await studio[Symbol.asyncDispose]();
    },
    { timeout: startWithinMs },
  ],
});

/** After a failure, what the window showed and, where it is the second, how it came to it; Playwright does this by itself only for its own pages. */
async function keepEvidence({ page }: Studio, info: TestInfo): Promise<void> {
  if (info.status === info.expectedStatus) return;
  if (info.retry > 0) await page.context().tracing.stop({ path: info.outputPath('trace.zip') });
  if (page.isClosed()) return;
  const path = info.outputPath('failure.png');
  // A window that is gone or hangs has no picture; the failure itself is what must be reported.
  await page.screenshot({ path, timeout: 5000 }).catch(() => undefined);
}
