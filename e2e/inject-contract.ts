import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import type { World } from '#shared/testing/contract-suite.ts';
import { appRoot } from './places.ts';

let bundle: Promise<string> | undefined;

/** Puts `contract-page.ts` into the studio's page, as its own client of the same engine. */
export async function injectContract(page: Page): Promise<void> {
  bundle ??= bundleContractPage();
  await page.evaluate(await bundle);
}

/** Lets the page's contract cases reach the disk; stays over reloads. */
export async function exposeWorld(page: Page, world: World): Promise<void> {
  await page.exposeFunction('sunwellWorld', (method: keyof World, args: never[]) =>
    (world[method] as (...args: never[]) => Promise<unknown>)(...args),
  );
}

/** One script without imports: the page's policy lets nothing in that the host does not serve. */
async function bundleContractPage(): Promise<string> {
  const result = await build({
    root: appRoot,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: false,
      target: 'chrome130',
      lib: { entry: join(import.meta.dirname, 'contract-page.ts'), formats: ['iife'], name: 'contractPage' },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error('Vite built no script');
  return output.output[0].code;
}
