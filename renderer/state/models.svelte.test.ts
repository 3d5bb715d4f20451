import { expect, test } from 'vitest';
import { FakeEngine } from './testing/fake-engine.ts';
import { ModelsView } from './models.svelte.ts';

function open(): { engine: FakeEngine; view: ModelsView; changes: () => number } {
  const engine = new FakeEngine();
  let count = 0;
  const view = new ModelsView({ client: () => engine.client, changed: () => void count++ });
  return { engine, view, changes: () => count };
}

test('ModelsView tells of models that are others than before, and only then', async () => {
  const { engine, view, changes } = open();
  await view.ask();
  expect(changes()).toBe(0);
  await view.save({ name: 'a', provider: 'manual' }, undefined);
  await view.ask();
  expect(changes()).toBe(1);
  // As when the file of the configuration was changed by an editor.
  await engine.client.models.save({ draft: { name: 'b', provider: 'manual' } });
  await view.ask();
  expect(changes()).toBe(2);
});

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
