import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Turn } from '../../models/testing/fake-server.ts';
import { ModelRig, modelSkill, toldOf, wireFormats } from '../testing/model-rig.ts';
import { TestSandbox } from '../testing/run-rig.ts';

let box: TestSandbox;
beforeAll(() => {
  box = new TestSandbox();
});
afterAll(() => box[Symbol.dispose]());

const skills = modelSkill('write', 'files: []');
const broken = '[The answer broke off here]';

describe.each(wireFormats)('a model step over the wire format of %s', (wire) => {
  test.each<[string, readonly Turn[], string, string | undefined]>([
    ['cut', [{ say: 'Half of an', cut: 'end' }], 'cut', `Half of an\n\n${broken}`],
    ['reset', [{ say: 'Half of an', cut: 'reset' }], 'cut', `Half of an\n\n${broken}`],
    ['refused as too many three times', Array<Turn>(3).fill({ status: 429 }), 'rate-limited', undefined],
    ['malformed', [{ raw: 'data: {"choices":[{{{\n\nevent: x\ndata: nonsense\n\n' }], 'malformed', undefined],
    ['endless', [{ endless: 'x'.repeat(4096) }], 'too-large', undefined],
    ['silent', Array<Turn>(3).fill({ silent: true }), 'timed-out', undefined],
    [
      'redirected',
      [{ status: 307, headers: { location: 'http://127.0.0.1:1/elsewhere' } }],
      'redirected',
      undefined,
    ],
  ])(
    'whose answer is %s fails as such, keeps what came, and is not cached',
    async (_, turns, kind, content) => {
      await using made = await ModelRig.make({ sandbox: box.sandbox, skills, wire });
      made.rig.limits = { idleMs: kind === 'timed-out' ? 300 : 30_000, maxBytes: 200_000 };
      made.server.answerWith(
        ...turns,
        ...(kind === 'timed-out' ? Array<Turn>(20).fill({ silent: true }) : []),
      );
      const { record, events } = await made.rig.run();
      const [step] = record.steps;
      expect([record.status, step!.state, step!.error?.details?.['kind'], step!.content]).toEqual([
        'failed',
        'failed',
        kind,
        content,
      ]);
      expect(toldOf(events, 'skill_model').at(-1)).toMatchObject({ error: step!.error!.message });
      expect((await made.rig.plan()).decisions[0]).toMatchObject({
        decision: 'run',
        reasons: [{ id: 'last-failed' }],
      });
    },
  );

  test('with a wrong key says so, and repeats the key nowhere', async () => {
    await using made = await ModelRig.make({ sandbox: box.sandbox, skills, wire });
    made.server.key = 'another-key-than-ours';
    const { record } = await made.rig.run();
    expect(record.steps[0]!.error).toMatchObject({ details: { kind: 'wrong-key' } });
    expect(JSON.stringify(record)).not.toContain('canary');
  });

  test('that is told to wait once waits, and goes on', async () => {
    await using made = await ModelRig.make({ sandbox: box.sandbox, skills, wire });
    made.server.answerWith(
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 503 },
      { say: 'At last' },
    );
    const { record } = await made.rig.run();
    expect(record.steps[0]).toMatchObject({ state: 'ran', content: 'At last' });
  });
});

test('a step that is cancelled while its model writes keeps what came, marked', async () => {
  await using made = await ModelRig.make({
    sandbox: box.sandbox,
    skills: modelSkill('write', 'files: []', 'allowed_tools: [Glob]'),
  });
  made.server.answerWith({ say: 'Half of an', cut: 'hang' });
  const cancel = new AbortController();
  const { record } = await made.rig.run(
    {},
    {
      signal: cancel.signal,
      onEvent: (event) => {
        if (event.type === 'skill_output') cancel.abort();
      },
    },
  );
  expect([record.status, record.steps[0]!.state, record.steps[0]!.content]).toEqual([
    'cancelled',
    'cancelled',
    `Half of an\n\n${broken}`,
  ]);
});
