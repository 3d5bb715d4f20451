import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { RPCHandler } from '@orpc/server/message-port';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { StudioClient } from '#shared/contract.ts';
import { contractSuite } from '#shared/testing/contract-suite.ts';
import { DiskWorld } from '../testing/disk-world.ts';
import { findAppRoot } from './store/app-root.ts';
import { Engine } from './engine.ts';
import type { Host } from './host.ts';
import { router } from './router.ts';

const host: Host = { kind: 'test', start: undefined, async *events() {} };

describe('the contract over an in-memory channel', () => {
  const world = new DiskWorld();
  let engine: Engine;
  let client: StudioClient;
  const { port1, port2 } = new MessageChannel();

  beforeAll(async () => {
    const home = await world.makeFolder();
    engine = await Engine.start({ home, resources: `${findAppRoot(import.meta.url)}/resources` });
    new RPCHandler(router).upgrade(port1 as never, { context: { engine, host } });
    port1.start();
    port2.start();
    client = createORPCClient(new RPCLink({ port: port2 as never }));
  });
  afterAll(async () => {
    port1.close();
    await engine[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  for (const { name, run } of contractSuite) test(name, () => run(client, world));
});
