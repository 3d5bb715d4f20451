import { describe, expect, it } from 'vitest';
import type { Connection } from '#renderer/client/connect.ts';
import { EngineConnection } from './connection.svelte.ts';
import { DisconnectedError } from './failure.ts';
import { deferred } from './testing/deferred.ts';
import { FakeEngine } from './testing/fake-engine.ts';
import { ManualClock, settled } from './testing/manual-clock.ts';

function rig() {
  const clock = new ManualClock();
  const { client } = new FakeEngine();
  const state = { isReachable: true, connected: 0, drop: (): void => undefined };
  const connect = (): Promise<Connection> => {
    if (!state.isReachable) return Promise.reject(new Error('Cannot reach the engine'));
    const { promise: closed, resolve } = deferred();
    state.drop = resolve;
    return Promise.resolve({ client, closed });
  };
  const engine = new EngineConnection({ connect, clock, connected: () => state.connected++ });
  return { clock, client, state, engine };
}

describe('EngineConnection', () => {
  it('gives the client while it is connected', async () => {
    const { engine, client, state } = rig();
    expect(() => engine.client).toThrow(DisconnectedError);
    await engine.start();
    expect([engine.phase, engine.client === client, state.connected]).toEqual([
      { phase: 'connected' },
      true,
      1,
    ]);
  });

  it('waits longer after each failed try, up to five seconds', async () => {
    const { engine, clock, state } = rig();
    await engine.start();
    state.isReachable = false;
    state.drop();
    await settled();
    const delays: number[] = [];
    for (let i = 0; i < 8; i++) {
      const [delayMs = 0] = clock.delaysMs;
      delays.push(delayMs);
      await clock.advance(delayMs);
    }
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]);
    expect(engine.phase).toEqual({ phase: 'lost', attempts: 8 });
    expect(() => engine.client).toThrow(DisconnectedError);
  });

  it('connects again by itself and starts with short waits after the next loss', async () => {
    const { engine, clock, state } = rig();
    await engine.start();
    state.drop();
    await settled();
    await clock.advance(250);
    expect([engine.phase, state.connected]).toEqual([{ phase: 'connected' }, 2]);
    state.drop();
    await settled();
    expect(clock.delaysMs).toEqual([250]);
  });

  it('retryNow() does not leave a second try behind', async () => {
    const { engine, clock, state } = rig();
    await engine.start();
    state.drop();
    await settled();
    await engine.retryNow();
    expect([engine.phase, clock.delaysMs, state.connected]).toEqual([{ phase: 'connected' }, [], 2]);
  });
});
