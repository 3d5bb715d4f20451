import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelRig, modelSkill, toldOf, wireFormats } from '../testing/model-rig.ts';
import { TestSandbox } from '../testing/run-rig.ts';

let box: TestSandbox;
beforeAll(() => {
  box = new TestSandbox();
});
afterAll(() => box[Symbol.dispose]());

const head = `validators:
  deterministic: [{ name: says-tides, contains: [tides] }]
  heuristic: [{ name: clear, prompt: Is it clear?, severity: error }]
quality_policy: { required_validators: [says-tides, clear] }
`;

test.each(wireFormats)(
  'over %s a model reads a file, writes one, is judged, refined once and passes',
  async (wire) => {
    const skills = modelSkill('write-docs', 'allowed_tools: [Read, Write]', 'produces: [docs]');
    await using made = await ModelRig.make({
      sandbox: box.sandbox,
      skills,
      head,
      files: { 'notes.md': 'The tides are high\n' },
      wire,
    });
    const { rig, server } = made;
    const verdict = (outcome: string): string =>
      JSON.stringify({ verdict: outcome, confidence: 0.9, message: 'It is clear', evidence: [] });
    server.answerWith(
      { call: 'Read', input: { path: 'notes.md' } },
      { call: 'Write', input: { path: 'docs/a.md', text: 'Harbor\n' } },
      { say: 'Nothing of the sea' },
      { say: verdict('pass') },
      { call: 'Read', input: { path: 'docs/a.md' } },
      { call: 'Write', input: { path: 'docs/b.md', text: 'Tides\n' } },
      { say: 'Now with tides' },
      { say: verdict('pass') },
    );
    const { record, events } = await rig.run({ task: 'Document it' });
    const [step] = record.steps;
    expect(step).toMatchObject({
      state: 'ran',
      content: 'Now with tides',
      attempts: 2,
      refinement: {
        best: 2,
        stop: 'passed',
        attempts: [
          { attempt: 1, passed: false, content: 'Nothing of the sea', cost: { calls: 3 } },
          { attempt: 2, passed: true, content: 'Now with tides', cost: { calls: 3 } },
        ],
      },
      model: { calls: 6, usage: { inputTokens: 66, outputTokens: 42 } },
      judging: { name: 'fake', calls: 2, usage: { inputTokens: 22, outputTokens: 14 } },
    });
    // What the first attempt wrote is there for the second, and both are proposed.
    expect(step!.artifacts.map(({ path }) => path)).toEqual(['docs/a.md', 'docs/b.md']);
    const second = made.sent(4);
    expect(second).toContain('Nothing of the sea');
    expect(second).toContain('Failed: says-tides');
    expect(toldOf(events, 'skill_model').map((told) => (told as { purpose: string }).purpose)).toEqual([
      'work',
      'judge',
      'work',
      'judge',
    ]);
    expect((await rig.plan({ task: 'Document it' })).decisions[0]!.decision).toBe('skip');
    expect(server.received.length).toBe(8);
  },
);
