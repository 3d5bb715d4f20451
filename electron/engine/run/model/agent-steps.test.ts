import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModelTest } from '#shared/model/models.ts';
import { Models } from '../../models/models.ts';
import { FakeAgent } from '../../sandbox/testing/fake-agent.ts';
import { canRunScripts } from '../testing/can-run-scripts.ts';
import { modelSkill } from '../testing/model-rig.ts';
import { TestSandbox } from '../testing/run-rig.ts';
import { RunsRig } from '../testing/runs-rig.ts';

const canRun = await canRunScripts();

let box: TestSandbox;
beforeAll(() => {
  box = new TestSandbox();
});
afterAll(() => box[Symbol.dispose]());

const key = 'canary-"key"\\+/0123456789?abcdef';

interface AgentWorld {
  readonly body: string;
  readonly skills: string;
  readonly files?: Record<string, string>;
  readonly head?: string;
  /** Further fields of the model, as YAML. */
  readonly more?: string;
}

/** A workspace whose only model is a fake agent. */
async function withAgent<T>(world: AgentWorld, use: (rig: RunsRig) => Promise<T>): Promise<T> {
  using agent = new FakeAgent(world.body);
  await using rig = await RunsRig.make(box.sandbox, world.skills, world.files, world.head);
  const entry = `{provider: command, command: ["${agent.path}"]${world.more ?? ''}}`;
  await writeFile(join(rig.home, 'config.yaml'), `models:\n  helper: ${entry}\ndefault_model: helper\n`);
  return await use(rig);
}

const run = (world: AgentWorld, request: object = {}) => withAgent(world, (rig) => rig.run(request));

const homes = () => readdirSync(box.sandbox.agentHomes());

describe.runIf(canRun)('an agent that works on a skill', () => {
  test('reads the prompt, changes files and answers', async () => {
    const { record } = await run(
      {
        body: 'grep -q Harbor && printf "# %s" "$(cat src/a.ts)" > doc.md && rm old.md && echo && echo " Documented "',
        skills: modelSkill('write-docs', 'allowed_tools: [Write]', 'produces: [docs]'),
        files: { 'src/a.ts': 'harbor', 'old.md': 'old' },
      },
      { task: 'Document Harbor' },
    );
    expect(record.steps[0]).toMatchObject({
      state: 'ran',
      content: 'Documented',
      outputs: { docs: 'Documented' },
      artifacts: [
        { path: 'doc.md', operation: 'write' },
        { path: 'old.md', operation: 'delete' },
      ],
      model: { name: 'helper', calls: 1 },
    });
    expect(homes()).toEqual([]);
  });

  test('is tried with one small question, or says why it does not answer', async () => {
    await using rig = await RunsRig.make(box.sandbox, modelSkill('a'));
    const models = new Models({ home: rig.home, environment: {}, sandbox: () => box.sandbox });
    const tryOut = async (body: string): Promise<ModelTest> => {
      using agent = new FakeAgent(body);
      await models.save({ name: 'helper', provider: 'command', command: [agent.path] }, saved);
      saved = 'helper';
      return await models.test('helper');
    };
    let saved: string | undefined;
    const [good, bad] = [await tryOut('grep -q ready && echo ready'), await tryOut('echo no >&2; exit 3')];
    expect([good.outcome, good.message.replace(/in .*/, 'in …'), bad.outcome, bad.message]).toEqual([
      'answered',
      '"helper" answered in …',
      'agent-failed',
      expect.stringContaining('it ended with exit code 3: no'),
    ]);
  });

  test('delivers several keys as JSON, also between fences', async () => {
    const { record } = await run({
      body: `grep -q '"title"' && printf 'Here:\\n\`\`\`json\\n{"title":"T","body":"B"}\\n\`\`\`\\n'`,
      skills: modelSkill('split', 'produces: [title, body]'),
    });
    expect(record.steps[0]).toMatchObject({ state: 'ran', outputs: { title: 'T', body: 'B' } });
  });

  test('fails where its answer has not the asked form', async () => {
    const { record } = await run({
      body: `echo '{"title":1}'`,
      skills: modelSkill('split', 'produces: [title, body]'),
    });
    expect(record.steps[0]).toMatchObject({ state: 'failed', error: { details: { kind: 'wrong-shape' } } });
  });

  test('changes nothing where the skill has no tool for it', async () => {
    const { record } = await run({
      body: 'echo x > x.md; echo Done',
      skills: modelSkill('read', 'allowed_tools: [Read]'),
    });
    expect(record.steps[0]).toMatchObject({ state: 'ran', content: 'Done', artifacts: [] });
  });

  test('may not change what is kept from scripts', async () => {
    const { record } = await run({
      body: 'mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; echo Done',
      skills: modelSkill('hook', 'allowed_tools: [Write]'),
    });
    expect(record.steps[0]).toMatchObject({
      state: 'failed',
      error: { details: { cause: 'security_violation' } },
      artifacts: [],
    });
  });

  test('finds skills without tools in its home, and those with tools in the prompt', async () => {
    const { record } = await run(
      {
        body: 'echo "$(ls ~/.agents/skills) | $(grep -o "skill_content name=.[a-z]*" | sort -u | tr "\\n" " ")"',
        skills: `${modelSkill('work', 'allowed_tools: [Skill]')}${modelSkill('plain')}${modelSkill('tooled', 'allowed_tools: [Read]')}`,
      },
      { only: ['work'] },
    );
    const step = record.steps.find(({ skill }) => skill === 'work');
    expect(step?.content).toBe('plain | skill_content name="tooled');
  });

  test('starts again from what it left when its work is refined', async () => {
    const { record } = await run({
      body: `[[ -e doc.md ]] && { rm draft.md; echo more >> doc.md; } || { echo first > doc.md; echo d > draft.md; }
cat doc.md`,
      skills: modelSkill('work', 'allowed_tools: [Write]', 'produces: [text]'),
      head: `validators:
  deterministic: [{ name: has-more, contains: [more] }]
quality_policy: { required_validators: [has-more] }
`,
    });
    expect(record.steps[0]).toMatchObject({
      state: 'ran',
      content: 'first\nmore',
      artifacts: [{ path: 'doc.md', operation: 'write' }],
    });
  });

  test('works on no skill that is not trusted', async () => {
    const { record } = await run({ body: 'echo Done', skills: modelSkill('work', 'trust: none') });
    expect(record.steps[0]).toMatchObject({
      state: 'failed',
      error: { details: { code: 'trust.not-granted' } },
    });
  });

  test('that fails is told with its last words', async () => {
    const { record } = await run({ body: 'echo "no credit" >&2; exit 3', skills: modelSkill('work') });
    expect(record.steps[0]).toMatchObject({
      state: 'failed',
      error: {
        details: { kind: 'agent-failed', cause: 'model_failure' },
        message: 'Cannot get an answer of model "helper": it ended with exit code 3: no credit',
      },
    });
    expect(homes()).toEqual([]);
  });

  test('is ended when its time is up', async () => {
    const { record } = await run({
      body: 'sleep 100',
      skills: modelSkill('work'),
      more: ', params: {timeout: 0.6}',
    });
    expect(record.steps[0]).toMatchObject({
      state: 'failed',
      error: { details: { kind: 'timed-out', cause: 'timeout' }, recoverable: false },
    });
    expect(homes()).toEqual([]);
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

test.runIf(canRun)('an agent has its own key and no other, and it is written down nowhere', async () => {
  const world: AgentWorld = {
    body: `cat > /dev/null; echo "Key: $MODEL_KEY \${OTHER_KEY-none} $(printf %s "$MODEL_KEY" | base64 -w0)"; cat ~/.ssh/id_rsa 2>&1
[[ -e leak ]] && { echo "$MODEL_KEY" > k.txt; echo "$MODEL_KEY" >&2; }
[[ -e fail ]] && { echo "bad key $MODEL_KEY" >&2; exit 1; }; true`,
    skills: modelSkill('work', 'allowed_tools: [Write]', 'produces: [text]'),
    more: ', api_key_env: MODEL_KEY',
  };
  for (const file of ['none', 'leak', 'fail']) {
    await withAgent({ ...world, files: { [file]: '' } }, async (rig) => {
      const userHome = join(rig.home, 'user');
      await mkdir(join(userHome, '.ssh'), { recursive: true });
      await writeFile(join(userHome, '.ssh/id_rsa'), 'private');
      rig.environment = { MODEL_KEY: key, OTHER_KEY: 'another-canary', HOME: userHome };
      const { record, events } = await rig.run({ task: 'Say the key' });
      const page = await rig.runs().exportHtml(record.runId, {});
      const told = JSON.stringify({ record, events, page, models: await rig.models().list() });
      await rig.restart();
      expect(record.steps[0]!.state).toBe(file === 'none' ? 'ran' : 'failed');
      expect(told).toContain('[redacted] none [redacted]');
      const paths = [...filesBelow(rig.home), ...filesBelow(rig.root)];
      expect(paths.some((path) => path.includes('/blobs/'))).toBe(file === 'none');
      const written = paths.map((path) => readFileSync(path, 'latin1'));
      const forms = [
        key,
        JSON.stringify(key).slice(1, -1),
        Buffer.from(key).toString('base64').slice(0, -4),
        'another-canary',
      ];
      for (const form of forms) expect([told, ...written].filter((text) => text.includes(form))).toEqual([]);
      expect(told).not.toContain('private');
    });
  }
});
