import { expect, test } from 'vitest';
import { FakeEngine } from './testing/fake-engine.ts';
import { ModelsView } from './models.svelte.ts';

function open(): { engine: FakeEngine; view: ModelsView } {
  const engine = new FakeEngine();
  return { engine, view: new ModelsView({ client: () => engine.client }) };
}

test('ModelsView knows the default model and forgets tests of what changed', async () => {
  const { view } = open();
  await view.save({ name: 'a', provider: 'manual' }, undefined);
  await view.test('a');
  expect([view.current?.name, view.testOf('a')]).toMatchObject(['a', { outcome: 'answered' }]);
  await view.save({ name: 'b', provider: 'manual' }, 'a');
  expect([view.current?.name, view.testOf('a'), view.testOf('b')]).toEqual(['b', undefined, undefined]);
});

test('ModelsView keeps the list and says why when the engine refuses', async () => {
  const { engine, view } = open();
  await view.save({ name: 'a', provider: 'manual' }, undefined);
  engine.refusals.set('models.remove', 'model.unknown');
  expect([await view.remove('a'), view.failure?.code, view.list?.models.length]).toEqual([
    false,
    'model.unknown',
    1,
  ]);
  engine.refusals.set('models.test', 'model.unknown');
  await view.test('a');
  expect(view.testOf('a')).toBeUndefined();
});

test('ModelsView holds no key after it was handed over', async () => {
  const { engine, view } = open();
  await view.save({ name: 'a', provider: 'openai', model: 'm' }, undefined);
  await view.keepKey('a', 'canary-4711');
  expect(view.list?.models[0]?.key).toBe('keychain');
  expect(JSON.stringify([view.list, engine.calls])).not.toContain('canary');
});
