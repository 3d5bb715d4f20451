import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '#shared/model/event.ts';
import { ActionCache } from '../cache/action-cache.ts';
import { canRunScripts } from './testing/can-run-scripts.ts';
import { TestSandbox } from './testing/run-rig.ts';
import { bashSkill, decisionsOf, RunsRig, statesOf } from './testing/runs-rig.ts';

const testing = new TestSandbox();
const isAvailable = await canRunScripts();
const rigs: RunsRig[] = [];
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig[Symbol.asyncDispose]()));
});
afterAll(() => testing[Symbol.dispose]());

const onlyOnce = 'skill_retry: { max_attempts: 1 }\n';

async function make(...skills: readonly string[]): Promise<RunsRig> {
  const rig = await RunsRig.make(testing.sandbox, skills.join(''), {}, onlyOnce);
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

  test('plans and runs of an open studio see that another process cleared the cache', async () => {
    const rig = await make(bashSkill('a', ['echo a']), bashSkill('b', ['echo b']));
    await rig.run();
    expect(decisionsOf(await rig.plan())).toEqual({ a: 'skip', b: 'skip' });
    using other = ActionCache.open(rig.home);
    await other.clear({ skill: 'a' });
    expect(decisionsOf(await rig.plan())).toEqual({ a: 'run', b: 'skip' });
    await other.clear();
    expect(statesOf((await rig.run()).record)).toEqual({ a: 'ran', b: 'ran' });
  });

  test('a run that used a result shows and applies what it proposes after the cache dropped it', async () => {
    const rig = await make(bashSkill('a', ['echo proposed > "$SUNWELL_FILES/a.md"']));
    await rig.run();
    const { record } = await rig.run();
    expect(statesOf(record)).toEqual({ a: 'cached' });
    await rig.restart();
    using other = ActionCache.open(rig.home);
    await other.clear();
    const reviewed = await rig.runs().review(record.runId);
    expect(reviewed).toMatchObject([{ path: 'a.md', operation: 'create', after: 'proposed\n' }]);
    await rig.runs().apply(record.runId, [{ path: 'a.md' }]);
    expect(await rig.read('a.md')).toBe('proposed\n');
  });

  test('a result whose files are gone when its turn comes runs again', async () => {
    const proposing = bashSkill('b', ['echo proposed > "$SUNWELL_FILES/a.md"']);
    const rig = await make(bashSkill('a', ['echo a'], 'cache: false'), proposing);
    await rig.run();
    const onEvent = (event: RunEvent): void => {
      const isBegun = event.type === 'skill_execute_start' && event.skill_name === 'a';
      if (isBegun) rmSync(join(rig.home, 'cache/v1/blobs'), { recursive: true });
    };
    const { record } = await rig.run({ concurrency: 1 }, { onEvent });
    expect([decisionsOf(record.plan)['b'], statesOf(record)]).toEqual(['skip', { a: 'ran', b: 'ran' }]);
  });

  test.each([
    ['a timeout', 'failed', ['echo a; while :; do :; done'], 'timeout: 1'],
    ['a failure', 'failed', ['echo a; exit 3'], ''],
    ['an output flood', 'failed', ["head -c 30000000 /dev/zero | tr '\\0' x"], ''],
    ['output that is cut short', 'ran', ["head -c 1500000 /dev/zero | tr '\\0' x >&2"], ''],
    ['a violation', 'failed', ['echo a; ln -s /etc/passwd $SUNWELL_FILES/a'], ''],
    ['a missing key', 'failed', ['echo {} > $SUNWELL_OUTPUT'], 'produces: [x]'],
  ] as const)('%s leaves nothing in the cache', async (_name, state, lines, more) => {
    const rig = await make(bashSkill('a', lines, more));
    const states = [(await rig.run()).record, (await rig.run()).record].map(statesOf);
    expect([states, rig.cache.list()]).toEqual([[{ a: state }, { a: state }], []]);
  });

  test('a cancelled step leaves nothing in the cache', async () => {
    const rig = await make(bashSkill('a', ['echo begun > $SUNWELL_FILES/a.md; echo begun', 'sleep 60']));
    const cancel = new AbortController();
    const onEvent = (event: RunEvent): void => {
      if (event.type === 'skill_output') cancel.abort();
    };
    const { record } = await rig.run({}, { signal: cancel.signal, onEvent });
    expect([statesOf(record), rig.cache.list()]).toEqual([{ a: 'cancelled' }, []]);
  });
});
