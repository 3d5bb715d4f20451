import { contractSuite } from '#shared/testing/contract-suite.ts';
import { exposeWorld, injectContract } from '../inject-contract.ts';
import { openStudio, temporaryFolder, test } from '../studio.ts';
import type { OpenStudio } from '../studio.ts';
import { diskWorld } from '../world.ts';

let studio: OpenStudio;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

test.describe('the contract over the real channel', () => {
  test.beforeAll(async ({ hostKind, files }) => {
    folder = await temporaryFolder('contract');
    studio = await openStudio({ hostKind, files });
    await exposeWorld(studio.page, diskWorld(folder.path));
    await injectContract(studio.page);
  });

  test.afterAll(async () => {
    await studio[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  for (const { name } of contractSuite) {
    test(name, async () => {
      await studio.page.evaluate((name) => globalThis.sunwellContract.run(name), name);
    });
  }
});
