import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StudioError } from '#shared/errors.ts';
import type { PlanRequest, Reason } from '#shared/model/plan.ts';
import { canRunScripts } from '../testing/can-run-scripts.ts';
import { ModelRig, modelSkill } from '../testing/model-rig.ts';
import { TestSandbox } from '../testing/run-rig.ts';
import { bashSkill, decisionsOf } from '../testing/runs-rig.ts';

const canRun = await canRunScripts();

let box: TestSandbox;
beforeAll(() => {
  box = new TestSandbox();
});
afterAll(() => box[Symbol.dispose]());

const head = `heuristics:
  principles: [{ name: Short, rule: Say it once }]
  anti_heuristics: [{ name: Fluff, description: Says nothing }]
`;
const skills = `${modelSkill('write', 'files: []')}${bashSkill('count', ['echo 1'])}`;

test.runIf(canRun)(
  'editing a heuristic runs only what a model does; another model or task runs, and back again hits',
  async () => {
    await using made = await ModelRig.make({ sandbox: box.sandbox, skills, head });
    const { rig, server } = made;
    const request: PlanRequest = { task: 'Do it well' };
    const planned = async (more: PlanRequest = {}): Promise<[Record<string, string>, Reason]> => {
      const plan = await rig.plan({ ...request, ...more });
      const step = plan.decisions.find(({ skill }) => skill === 'write')!;
      return [decisionsOf(plan), step.reasons[0]!];
    };
    server.answerWith({ say: 'First' });
    await rig.run(request);
    expect((await planned())[0]).toEqual({ write: 'skip', count: 'skip' });

    await rig.edit('a.lens', 'version: 1.0.0', 'version: 2.0.0');
    expect((await planned())[0]).toEqual({ write: 'skip', count: 'skip' });

    await rig.edit('a.lens', 'Say it once', 'Say it twice');
    const [decisions, reason] = await planned();
    expect([decisions, reason.id]).toEqual([{ write: 'run', count: 'skip' }, 'lens-changed']);
    const { before, after } = await rig.runs().difference(rig.lens, 'write', reason, request);
    expect([before, after]).toEqual([
      expect.stringContaining('Say it once') as string,
      expect.stringContaining('Say it twice') as string,
    ]);
    await rig.edit('a.lens', 'Say it twice', 'Say it once');
    expect((await planned())[0]).toEqual({ write: 'skip', count: 'skip' });

    const [byTask, taskReason] = await planned({ task: 'Do it fast' });
    // A task is part of what scripts get as well.
    expect([byTask, taskReason.id]).toEqual([{ write: 'run', count: 'run' }, 'task-changed']);
    const texts = await rig.runs().difference(rig.lens, 'write', taskReason, { task: 'Do it fast' });
    expect([texts.before, texts.after]).toEqual(['Do it well', 'Do it fast']);

    await made.configure('other', 'openai');
    const [byModel, modelReason] = await planned();
    expect([byModel, modelReason]).toMatchObject([
      { write: 'run', count: 'skip' },
      { id: 'model-changed', after: expect.stringContaining('"id":"other"') as string },
    ]);
    await made.configure('m', 'openai', '{price: {input: 1, output: 1}}');
    expect((await planned())[0]).toEqual({ write: 'skip', count: 'skip' });
    await made.configure('m', 'openai', '{temperature: 1}');
    expect((await planned())[0]).toEqual({ write: 'run', count: 'skip' });
  },
);

const validators = `validators:
  deterministic: [{ name: Words, max_words: 5 }]
  heuristic: [{ name: Clear, prompt: Is it clear? }]
personas: [{ name: Reader }]
`;
const judged = (by: string): string => bashSkill('count', ['echo 1'], `validate_with: { ${by} }`);

test.each([
  ['a script', bashSkill('count', ['echo 1']), {}, 'run'],
  ['a script with a model named', bashSkill('count', ['echo 1']), { model: 'gone' }, 'model.unknown'],
  ['a script with a judge named', bashSkill('count', ['echo 1']), { judgeModel: 'gone' }, 'model.unknown'],
  ['a script that a check judges', judged('validators: [Words]'), {}, 'run'],
  ['a script that a model judges', judged('validators: [clear]'), {}, 'model.unknown'],
  ['a script that a persona judges', judged('personas: [Reader]'), {}, 'model.unknown'],
  ['instructions', modelSkill('write', 'files: []'), {}, 'model.unknown'],
])(
  'a default model that is not there matters only to what needs one: %s',
  async (_, own, request, wanted) => {
    await using made = await ModelRig.make({ sandbox: box.sandbox, skills: own, head: validators });
    writeFileSync(join(made.rig.home, 'config.yaml'), 'default_model: gone\n');
    const planned = await made.rig.plan(request).then(
      (plan) => plan.decisions[0]!.decision,
      (error: StudioError) => error.code,
    );
    expect(planned).toBe(wanted);
  },
);

test('instructions that hold the date are another definition every day', async () => {
  const dated = modelSkill('write', 'files: []').replace('Do it', '"As of ${DATE}"');
  await using made = await ModelRig.make({ sandbox: box.sandbox, skills: dated });
  made.server.answerWith({ say: 'First' });
  await made.rig.run();
  expect(made.sent(0)).toContain(`As of ${new Date().toISOString().slice(0, 10)}`);
  expect(decisionsOf(await made.rig.plan())).toEqual({ write: 'skip' });
});

test('an offered skill whose instructions change runs the skill that may open it', async () => {
  const two = `${modelSkill('main', 'allowed_tools: [Skill]', 'files: []')}${modelSkill('style', 'files: []')}`;
  await using made = await ModelRig.make({ sandbox: box.sandbox, skills: two });
  const { rig, server } = made;
  server.answerWith({ call: 'activate_skill', input: { name: 'style' } }, { say: 'Done' }, { say: 'Styled' });
  const { events, record } = await rig.run({ concurrency: 1 });
  expect(record.status).toBe('succeeded');
  expect(made.sent(0)).toContain('<available_skills>');
  expect(made.sent(1)).toContain('<skill_content name=');
  expect(events.filter(({ type }) => type === 'skill_activated')).toMatchObject([
    { skill_name: 'main', section: 'style' },
  ]);
  const text = await rig.read('a.lens');
  await rig.write('a.lens', text.replace(/(name: style[\s\S]*?instructions: Do it)/, '$1 well'));
  expect(decisionsOf(await rig.plan())).toEqual({ main: 'run', style: 'run' });
});
