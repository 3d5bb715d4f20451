import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canRunScripts } from '../testing/can-run-scripts.ts';
import { ModelRig, modelSkill, toldOf, wireFormats } from '../testing/model-rig.ts';
import { TestSandbox } from '../testing/run-rig.ts';
import { statesOf } from '../testing/runs-rig.ts';

const canRun = await canRunScripts();

let box: TestSandbox;
beforeAll(() => {
  box = new TestSandbox();
});
afterAll(() => box[Symbol.dispose]());

describe.each(wireFormats)('a model step over the wire format of %s', (wire) => {
  test('reads a file, writes an artifact and delivers its text', async () => {
    const skills = modelSkill('write-docs', 'allowed_tools: [Read, Write]', 'produces: [docs]');
    await using made = await ModelRig.make({
      sandbox: box.sandbox,
      skills,
      files: { 'src/a.ts': 'export const harbor = 1;\n' },
      wire,
    });
    const { rig, server } = made;
    server.answerWith(
      { call: 'Read', input: { path: 'src/a.ts' } },
      { call: 'Write', input: { path: 'docs/a.md', text: '# Harbor\n' } },
      { say: 'Documented' },
    );
    const { record, events } = await rig.run({ task: 'Document it' });
    const [step] = record.steps;
    expect(step).toMatchObject({
      state: 'ran',
      content: 'Documented',
      outputs: { docs: 'Documented' },
      artifacts: [{ path: 'docs/a.md', operation: 'write' }],
      model: { name: 'fake', usage: { inputTokens: 33, outputTokens: 21 }, calls: 3 },
    });
    expect(toldOf(events, 'skill_tool')).toEqual([
      { type: 'skill_tool', skill_name: 'write-docs', tool: 'Read', input: '{"path":"src/a.ts"}', ok: true },
      {
        type: 'skill_tool',
        skill_name: 'write-docs',
        tool: 'Write',
        input: '{"path":"docs/a.md","text":"# Harbor\\n"}',
        ok: true,
      },
    ]);
    const streamed = events.flatMap((event) =>
      event.type === 'skill_output' && event.stream === 'model' ? [event.chunk] : [],
    );
    expect(streamed.join('')).toBe('Documented');
    expect(made.sent(1)).toContain('export const harbor');
    expect(made.sent(0)).toContain('Document it');
    await expect(rig.read('docs/a.md')).rejects.toThrow('ENOENT');
  });

  test('delivers several keys by one field each', async () => {
    const skills = modelSkill('split', 'produces: [title, body]');
    await using made = await ModelRig.make({ sandbox: box.sandbox, skills, wire });
    made.server.answerWith({ say: '{"title":"T","body":"B"}' });
    const { record } = await made.rig.run();
    expect(record.steps[0]).toMatchObject({ state: 'ran', outputs: { title: 'T', body: 'B' } });
  });
});

describe('a model step', () => {
  test.runIf(canRun)('runs the scripts that the model did not run, with what it said', async () => {
    const skills = `${modelSkill('work', 'allowed_tools: [RunScript]', 'produces: [text]')}  scripts:
    - name: first.sh
      content: echo first
    - name: second.sh
      content: 'printf "%s" "$(cat)" > "$SUNWELL_FILES/input.json"'
`;
    await using made = await ModelRig.make({ sandbox: box.sandbox, skills });
    made.server.answerWith({ call: 'RunScript', input: { name: 'first.sh' } }, { say: 'Done' });
    const { record } = await made.rig.run();
    expect(statesOf(record)).toEqual({ work: 'ran' });
    expect(made.sent(1)).toContain('first');
    const [step] = record.steps;
    expect(step).toMatchObject({ content: 'Done', outputs: { text: 'Done' } });
    expect(step!.artifacts.map(({ path }) => path)).toEqual(['input.json']);
  });
});
