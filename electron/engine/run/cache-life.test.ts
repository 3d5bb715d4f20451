import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { bashSkill, RunsRig, statesOf } from './testing/runs-rig.ts';

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
const rigs: RunsRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig[Symbol.asyncDispose]()));
});
afterAll(() => testing[Symbol.dispose]());

async function make(...skills: readonly string[]): Promise<RunsRig> {
  const rig = await RunsRig.make(testing.sandbox, skills.join(''));
  rigs.push(rig);
  return rig;
}

describe.runIf(isAvailable)('the cache around a run', () => {
  test('a run leaves no more than config.yaml lets the cache keep', async () => {
    const rig = await make(bashSkill('a', ['echo a']), bashSkill('b', ['echo b']));
    writeFileSync(join(rig.home, 'config.yaml'), 'cache: { max_bytes: 10 }\n');
    const { record } = await rig.run();
    expect([statesOf(record), rig.cache.list()]).toEqual([{ a: 'ran', b: 'ran' }, []]);
  });
});
