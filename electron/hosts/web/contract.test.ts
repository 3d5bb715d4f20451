import { afterAll, beforeAll, describe, test } from 'vitest';
import type { StudioClient } from '#shared/contract.ts';
import { contractSuite } from '#shared/testing/contract-suite.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { WebRig } from './testing/web-rig.ts';

describe('the contract over a WebSocket', () => {
  const world = new DiskWorld();
  let rig: WebRig;
  let client: StudioClient;

  beforeAll(async () => {
    rig = await WebRig.start();
    ({ client } = await rig.page(await rig.enter()));
  });
  afterAll(async () => {
    await rig[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  for (const { name, run } of contractSuite) test(name, () => run(client, world));
});
